"""The figures and tables of five papers, as data: what is run, how it is drawn, what the paper says of it.

A `Figure` is panels of runs and claims. `rue papers` lists them, `rue figure KEY` runs, draws and judges one.
"""
