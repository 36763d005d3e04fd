"""Solvers: how an algorithm runs on a stored game.

forms             how a game is stored for solving
updates           how one decision block learns
solver            the interface that all solvers share
limits            when a run ends, and how many threads it may use
fixed_strategies  strategies that are fixed instead of learned
initial_regret    starting a run from a given strategy
threads           threads that work on one kernel call together
time_costs        estimated running times, from benchmark constants
sequence          solving in sequence form
public            solving card games in public form
sampling          Monte Carlo CFR
exact             the exact solution by linear programming
"""
