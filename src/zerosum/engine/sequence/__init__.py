"""Solving in sequence form.

walk             The iteration over the sequence form, and the evaluation of two average strategies (kernels)
solver           Runs an algorithm on a game in sequence form
step_sizes       Bounds on counterfactual values, and the step sizes of Hedge and FTRL
best_response    Best responses and the evaluation of two plans
"""
