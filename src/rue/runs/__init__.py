"""Runs that anybody can hold: advanced, paused, asked, saved while they go on, taken up again, exported.

run          a problem, an algorithm and limits, on the way
checkpoints  where a run is evaluated, and when it will be done
keeper       when a run is saved on the way, and what
home         where a run lies: a folder or a file, and who else writes there
opened       a saved run, read
resume       a saved run that goes on
repeat       many seeds of a run
read         strategies from files
export       the strategy of a result for other programs
"""
