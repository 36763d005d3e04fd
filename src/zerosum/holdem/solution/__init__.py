"""A solved spot, readable at any point of the hand.

hand_groups       groups of hands: by class, made hand, draw or description
range_table       one player's range at a point of the hand, a row per hand, and its sums over groups
ev_units          EVs in chips, big blinds or % of the pot, and how many decimals they need
decision_table    one decision, a row per hand: frequency and EV of each action
solution          walk a solved spot along a line and read the decision there
partial_solution  a run that keeps its first streets; the others are solved again on demand
traversal         visit every decision of a solution
views             a decision and the hands of it that were asked for
decision_blocks   what surfaces draw of a decision
result            the result of a spot: values in chips, exploitability, and its solution
result_blocks     what surfaces draw of a result
pio               PioSOLVER's text format, written and read
written_strategy  strategies that a file holds, node by node
strategy          the strategy of a spot, whatever it is given as
strategy_source   copy frequencies onto the decisions of a tree
"""
