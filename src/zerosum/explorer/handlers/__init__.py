"""The endpoints of runs, games and figures.

runs          start, pause, stop, resume and delete runs; the state that a page needs when it opens
games         the catalogue, the cost of a game, several algorithms on one game
game_tree     histories and infosets of a game
figures       the figures of the papers: list them, run one, show its curves
figure_task   a figure being run, as a background task
"""
