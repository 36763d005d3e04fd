"""The small poker games, and push-or-fold hold'em.

betting           The public betting tree of the small poker games
card_game         What the small poker games share: a deck, private cards, a board, betting, a showdown
kuhn              Kuhn poker
leduc             Leduc hold'em and Big Leduc
no_limit_leduc    No-limit Leduc hold'em
royal             Royal poker
hand_classes      The 169 classes of hands, such as AKs, and their place in a grid
hole_cards        Cards and hands of hold'em as numbers, and their names
preflop_equity    Equities of all pairs of hold'em hands before the flop
pushfold          Push-or-fold hold'em, heads-up
"""
