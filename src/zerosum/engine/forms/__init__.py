"""How a game is stored for solving.

sequence    Any game: two treeplexes and a sparse payoff matrix
public      Card games: public betting once, private hands as vectors
"""
