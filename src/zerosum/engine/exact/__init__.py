"""The exact solution.

constraints       The linear equations that define a plan
refinement        Iterative refinement of a pair of plans
linear_program    The sequence-form linear program, solved by HiGHS
"""
