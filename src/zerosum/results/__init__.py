"""What a run returns: numbers, curves, strategies, and the blocks by which they are shown.

curve               The points of a curve: quality of the average strategy over time
payoff_unit         The unit of payoffs and exploitability
lock_cost           What locks cost the locked player
blocks              What a surface can show: rows, tables, curves, grids and notes
table               Tables: named columns of equal length
result              Results: numbers, curve and decisions of a run
game_result         The result of a general game, saved as JSON
strategy            A strategy as written in a file, not yet matched to a game
seed_average        The average over many seeds of a sampled run
exploitability      What a strategy is worth, and where it gives away most
diff                Where two strategies differ
sweep               The rows of a parameter sweep
hand_class_chart    Strategies over the classes of hold'em hands, as charts
strategy_view       Filter the infosets of a result for display
result_blocks       What results of games show, as blocks
display             Formatting and pictures
"""
