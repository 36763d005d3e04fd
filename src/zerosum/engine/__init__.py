"""Solvers: how an algorithm runs on a stored game.

forms             How a game is stored for solving
updates           How one decision block learns
solver            The interface that all solvers share
limits            When a run ends, and how many threads it may use
fixed_strategies  Strategies that are fixed instead of learned
initial_regret    Starting a run from a given strategy
threads           Threads that work on one kernel call together
time_costs        Estimated running times, from benchmark constants
sequence          Solving in sequence form
public            Solving card games in public form
sampling          Monte Carlo CFR
exact             The exact solution by linear programming
"""
