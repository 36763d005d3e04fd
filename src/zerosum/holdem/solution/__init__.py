"""A solved spot, readable at any point of the hand.

hand_groups       groups of hands: by class, made hand, draw or description
hand_table        the hand table, a row per hand of a range: its columns, the order of its hands, sums over groups
decision_table    one decision, a row per hand: frequency and EV of each action, in chips or another unit
solution          walk a solved spot along a line and read the decision there
partial_solution  a run that keeps its first streets; the others are solved again on demand
result            the result of a spot: values in chips, exploitability, all its decisions, and saving them
spot_blocks       what the terminal and notebooks show of a result and of a decision
strategy          strategies from files and results, fitted to the betting of a spot
pio               PioSOLVER's text format, written and read
"""
