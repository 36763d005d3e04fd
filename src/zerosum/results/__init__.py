"""What a run returns: numbers, curves, strategies, and the blocks that surfaces show.

curve            the points of a curve: quality of the average strategy over time
payoff_unit      the unit of payoffs and exploitability
lock_cost        the cost of locks for the locked players
result           the result of a run on any problem, and the average of many seeds
game_result      the result of a general game, saved as JSON
strategy         a strategy as written in a file, not yet matched to a game
exploitability   what a strategy is worth, and where it gives away most
diff             where two strategies differ
sweep            the runs of a parameter sweep
table            tables: named columns of equal length
blocks           what surfaces show: rows, tables, curves, grids and notes
strategy_view    filter the infosets of a result for display; charts of classes of hands
result_blocks    what results of games show, as blocks
display          formatting and pictures
"""
