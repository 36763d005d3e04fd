"""Reproduce the figures of five papers: run them, draw them, check their claims.

figure            figures as data: panels, lines, lengths, claims
claims            what the papers say about their figures, as claims that the numbers decide
definitions       the figures of each paper
catalogue         every figure by its key
curve             a curve, or the mean of repeated runs with its band
one_street_game   the preflop and flop subgames of icfr's table 1
curve_spec        one run of a figure as data
curve_job         one run of a figure as a job: it runs the algorithm and records the curve
problem_cache     the problems of figures by the names of their games
reproduction      run what figures need, judge their claims, read and write their files
plots             draw figures
gallery           the figures that ship with the package
gallery_page      a Markdown page of figures
"""
