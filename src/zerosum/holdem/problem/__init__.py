"""A spot as a problem that can be solved, locked, evaluated, saved and resumed.

name_hints         Poker that is not solved, or has another name here
frequency_locks    The closest strategy with given overall frequencies
locks              Parse the locks of a spot: decisions, hands, frequencies
lock_set           The locks of a spot as a part of its problem
strategy_fit       Put a strategy from a file onto the tree of a spot
evaluation         What strategies of a spot are worth
codec              How spots and their runs are stored
sharing            How the deals of a spot are shared among machines
problem            The problem of a spot, composed of its parts
"""
