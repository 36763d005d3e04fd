"""Games given by rules: in sequence form, or sampled without an enumeration.

strategy_profile   a pair of strategies matched to a game
game_storage       the rules of a game by name or file; how games and their runs are stored
game_locks         parse the locks of a game
game_lock_set      the locks of a game as a part of its problem
game_evaluation    evaluate strategies: best responses, head to head, largest losses
game_problem       a game in sequence form
rules_problem      a game that is sampled without enumerating it
game_diff          compare two strategies of a game
game_tree          browse the histories of a game
"""
