"""A spot as a problem that can be solved, locked, evaluated, saved and resumed.

name_hints         hints for poker that is not solved, or has another name here
problem            the problem of a spot, composed of the parts below
strategy_fit       lay strategies from results and files over the tree of a spot
frequency_locks    the closest strategy with given overall frequencies
locks              parse the locks of a spot and compute the strategies that they fix
lock_set           the locks of a spot as a part of its problem
evaluation         best responses, head to head, and the cost of locks
codec              how spots and their runs are stored
sharing            share the deals of a spot among machines
"""
