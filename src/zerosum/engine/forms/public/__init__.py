"""The public form of card games: public betting once, private hands as vectors.

rounds           Rounds of betting, boards, and bundles of rounds
columns          The tables of the public form and the names of their columns
tree             A card game in public form
tables           Building the tables of a public tree
extents          Maximal sizes of a public form, known before it is built
lines            Finding stored decisions by the line of actions and cards that leads to them
poker            The small poker games in public form
sequence_places  Where the public form stores what the sequence form stores
"""
