"""The rules of the games, one file per game, and nothing else.

game               the interface of a game: states, players, actions, chance, infosets, payoffs
matrix             matrix games: both players choose once, simultaneously
single_decision    a single decision of one agent
coin_toss          coin toss (Brown & Sandholm 2017)
goofspiel          Goofspiel: sealed bids for prizes
liars_dice         Liar's dice for two players
battleship         Battleship (Farina et al. 2019)
poker              the small poker games, and push-or-fold hold'em
external           games from files and from other libraries
catalogue          the games by name, and the game that a name or a file stands for
"""
