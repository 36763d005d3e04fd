"""The exact solution.

refinement        Iterative refinement of a pair of plans
linear_program    The sequence-form linear program, solved by HiGHS
"""
