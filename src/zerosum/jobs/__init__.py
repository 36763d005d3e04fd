"""Many solves: seeds, sweeps and comparisons; jobs as data, their store, and tasks in the background.

job          work described as data, the context it runs with, its result, and a flag that stops it
solve_job    a solve as a job, and the measurements that it records
store        a folder of finished jobs, and the checkpoints of jobs that were stopped
workers      where jobs run: threads, processes, an executor or a cluster
runner       run jobs on workers, as many at once as fit in memory, unless their results are stored
seeds        many seeds of a sampling algorithm, and the mean of their curves
comparison   several algorithms on one problem, within the same limits
sweep        an algorithm at every point of a grid of its parameters
task         background work, and the queue whose thread runs it
"""
