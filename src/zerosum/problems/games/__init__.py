"""Games given by rules: in sequence form, or sampled without an enumeration.

strategy_profile    A pair of strategies matched to a game
game_storage        The rules of a game by name or file; how games and their runs are stored
game_locks          Parse the locks of a game
game_lock_set       The locks of a game as a part of its problem
game_evaluation     What strategies of games are worth
game_problem        A game in sequence form
rules_problem       A game that is sampled without enumerating it
game_diff           Compare two strategies of a game
game_tree           Browse the histories of a game
"""
