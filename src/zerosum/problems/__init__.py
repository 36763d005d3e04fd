"""What is to be solved: problems, composed of parts, and the registry that finds the problem of a name.

options             The options of games, locks, starts and views
kinds               The kinds of problems beside general games, entered as data
estimate            Size, memory and time of a problem
locks               Parse locks: places whose strategy is fixed
lock_set            The locks of a problem: their strategies and their cost
evaluation          What strategies of a problem are worth
codec               How problems and their runs are stored
start               Where a run starts: seeds, or a strategy
problem             A problem and its parts
games               Games given by rules: their problem and its parts
registry            The problem that a name or an object stands for
"""
