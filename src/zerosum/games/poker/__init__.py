"""The small poker games, and push-or-fold hold'em.

betting           the public betting tree of the small poker games
card_game         the base of the small poker games: a deck, private cards, a board, a showdown
kuhn              Kuhn poker
leduc             Leduc hold'em, Big Leduc and no-limit Leduc
royal             Royal poker
hole_cards        cards and hands of hold'em as numbers, their names, and the 169 classes
preflop_equity    equities of all pairs of hold'em hands before the flop
pushfold          push-or-fold hold'em, heads-up
"""
