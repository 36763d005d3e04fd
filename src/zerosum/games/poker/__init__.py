"""The small poker games, and push-or-fold hold'em.

betting           The public betting tree of the small poker games
card_game         What the small poker games share: a deck, private cards, a board, betting, a showdown
kuhn              Kuhn poker
leduc             Leduc hold'em, Big Leduc and no-limit Leduc
royal             Royal poker
hole_cards        Cards and hands of hold'em as numbers, their names, and the 169 classes
preflop_equity    Equities of all pairs of hold'em hands before the flop
pushfold          Push-or-fold hold'em, heads-up
"""
