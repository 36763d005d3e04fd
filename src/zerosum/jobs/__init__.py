"""Work that lasts: many solves, seeds, sweeps and comparisons; jobs as data, their store, and tasks in the background.

job             work described as data, the context it runs with, and its result
solve_job       a solve as a job, and the measurements that it records
store           a folder of finished jobs, and the checkpoints of jobs that were stopped
stop_flag       a stop flag that threads and processes share
task_progress   how far work is: what every progress display needs
workers         where jobs run: threads, processes, an executor or a cluster
pool            run jobs on workers, as many at once as fit in memory
runner          run jobs, except those whose results are stored
seeds           many seeds of a sampling algorithm, and the mean of their curves
comparison      several algorithms on one problem, within the same limits
sweep           an algorithm at every point of a grid of its parameters
task            one piece of background work: its state, its progress, and how it is paused and stopped
task_queue      a thread that runs tasks in their order, or in turns
"""
