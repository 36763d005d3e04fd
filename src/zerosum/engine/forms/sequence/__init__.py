"""Any game: two treeplexes and a sparse payoff matrix.

treeplex            The decisions of one player, stored in blocks of similar infosets
payoff_matrix       The sparse payoff matrix, and the kernel that multiplies it with a plan
sequence_form       A game in sequence form, and the names of its infosets
enumeration         The walk over all histories of a game, which checks its rules
history_tree        The tree of histories, for sampled walks
form_compiler       From the rules of a game to its sequence form
memory              Memory that a form and a run on it take
size_probe          The approximate size of a game, from a few random walks
serialization       Sequence forms to and from arrays
gambit_export       Writing a game as a Gambit file
"""
