"""One run: advance, evaluate, watch, save, resume and export it.

run                   a run that is advanced step by step from any thread
evaluation_schedule   when a run is evaluated
progress              progress of runs and tasks, its callbacks, the estimated time left, and progress as text
notebook              live progress in a notebook
run_location          the folder or file of a saved run, and its lock
run_saver             saving a run at its end and before
saved_run             reading a saved run
resume                continuing a saved run
provenance            which code ran on which machine
export                strategies to CSV, JSON, Parquet and other formats
strategy_reader       strategies from files
diff                  where two strategies of one game differ most
"""
