"""The rules of the games, one file per game, and nothing else.

game               The interface of a game: states, players, actions, chance, infosets, payoffs
matrix             Matrix games: both players choose once, simultaneously
single_decision    A single decision of one agent
coin_toss          Coin toss (Brown & Sandholm 2017)
goofspiel          Goofspiel: sealed bids for prizes
liars_dice         Liar's dice for two players
battleship         Battleship (Farina et al. 2019)
poker              The small poker games, and push-or-fold hold'em
external_names     Which texts name a game of OpenSpiel or a file of Gambit
external           Games from files and from other libraries
catalogue          The games by name, and the game that a name or a file stands for
"""
