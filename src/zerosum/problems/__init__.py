"""Problems for runs to solve, composed of parts, and the registry that finds the problem of a name.

options      the options of games, locks, starts, storage and clusters
kinds        the kinds of problems beside general games, entered as data
estimate     the size, memory and time of a problem
locks        locks as people write them: places whose strategy is fixed
lock_set     the locks of a problem: their strategies and their cost
evaluation   evaluate strategies of a problem
codec        how problems and their runs are stored
start        where a run starts: seeds, or a strategy
problem      a problem and its parts
games        games given by rules: their problem and its parts
registry     find the problem that a name or an object stands for
"""
