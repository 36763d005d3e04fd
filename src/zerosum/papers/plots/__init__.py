"""Draw figures.

figure_plot      panels, axes and curves, in colour and in grey
treeplex_plot    the decision process of a player (spcfr, figure 1)
game_tree_plot   a small game tree (ecfr, figure 1)
"""
