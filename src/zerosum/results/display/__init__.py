"""Tables, HTML and plots of results.

action_colours   the colours of actions, the same on every surface
tables           curves for pandas, numbers for LaTeX
html             what Python shows of an object by itself
drawing          how pictures look, and how they are drawn to a notebook, to bytes or to a file
curve_plot       curves, drawn
sweep_plot       a parameter sweep, drawn
"""
