"""Solving in sequence form.

walk             The iteration over the sequence form (kernel)
solver           Runs an algorithm on a game in sequence form
step_sizes       Step sizes of Hedge and FTRL for every infoset
best_response    Best responses and the evaluation of two plans
evaluation_walk  Evaluation of two average strategies (kernel)
memory           Memory that a run on the sequence form takes
"""
