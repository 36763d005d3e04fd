"""Solving card games in public form.

walk                The walk over a public form, place by place (kernel)
decisions           The decisions of a place, on the way down and on the way up (kernels)
single_pass         One pass over memory for discounted regret matching (kernels)
ends                Values of folds, showdowns and all-ins (kernels)
scratch             Scratch arrays of the walk: shapes, allocation, bytes
step_sizes          Step sizes for every decision and hand
solver              Runs an algorithm on a card game in public form
staged_pass         One player's pass in three stages, so that deals can be walked elsewhere
deal_partition      Distributing deals evenly among workers
deal_worker         A solver that holds and walks some of the deals
distributed_solver  A solver whose deals are held by workers
saved_solution      A solver that reads the averages of a saved run on demand
"""
