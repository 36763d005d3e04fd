"""The public form of card games: public betting once, private hands as vectors.

rounds   rounds of betting, bundles of rounds, and boards
columns  the tables of the public form and the names of their columns
tree     a card game in public form
tables   building the tables of a public tree
extents  maximal sizes of a public form, known before it is built
lines    finding stored decisions by the line of actions and cards that leads to them
poker    the small poker games in public form, and where it stores the sequences of the sequence form
"""
