"""One run: advance, evaluate, watch, save, resume and export it.

run                   a run that is advanced step by step from any thread
evaluation_schedule   when a run is evaluated
progress              the progress of runs and tasks, its callbacks, the estimated time left, and progress as text
notebook              live progress in a notebook
run_location          the folder or file of a saved run, and its lock
run_saver             save a run at its end, and in between at intervals that keep its cost small
saved_run             read a saved run; `support.array_file` holds its format
resume                continue a saved run
provenance            the code and the machine that computed a run
export                write strategies to CSV, JSON, Parquet and other formats
strategy_reader       read strategies from files
diff                  compare two strategies of the same problem
"""
