"""Reproduce the figures of five papers: run them, draw them, check their claims.

figure          figures as data: panels, lines, lengths, claims
claim           a claim of a paper about the curves of a figure; judges it and gives the verdict
claim_kinds     the kinds of claims, decided by the numbers
definitions     the figures of each paper
catalogue       every figure by its key
curve           a curve, or the mean of repeated runs with its band
curve_job       one run of a figure, as data and as a job that runs the algorithm and records the curve
problems        the problems of figures, by the names of their games
reproduction    run what figures need, read and write their files
figure_plot     draw a figure: panels, axes and curves
tree_plots      draw the decision process of a player, and a small game tree
gallery         the figures that ship with the package, and a Markdown page of figures
"""
