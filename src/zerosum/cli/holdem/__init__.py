"""The commands that only hold'em has.

trees   `zerosum holdem`: named betting trees, and the tree of a spot as text
report  `zerosum report`: one decision on many cards, flops or variants of a spot
"""
