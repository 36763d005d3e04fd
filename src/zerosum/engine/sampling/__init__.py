"""Monte Carlo CFR.

draws                 Random numbers and sampled choices (kernels)
history_walk          Sampled walks over the tree of histories (kernels)
sampled_solver        The base classes of sampled runs: nodes touched, periodic discounts, a table of numbers
history_solver        Monte Carlo CFR on an enumerated game
deal_tables           Tables of a public form for walks with dealt hands
deals                 Dealing two hands and the public cards (kernels)
deal_walk             Sampled walks with dealt hands (kernels)
deal_solver           Monte Carlo CFR on a card game, one deal at a time
board_solver          Public chance sampling on a card game
rules_table           Regrets and averages of the infosets visited so far
rules_walk            Sampled walks over the rules of a game, in plain Python
rules_solver          Monte Carlo CFR without enumerating the game
"""
