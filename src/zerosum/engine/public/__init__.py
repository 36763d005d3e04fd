"""Solving card games in public form.

walk                the walk over a public form, place by place (kernel)
decisions           the decisions of a place, on the way down and on the way up (kernels)
single_pass         one pass over memory for discounted regret matching (kernels)
ends                values of folds, showdowns and all-ins (kernels)
scratch             scratch arrays of the walk: shapes, allocation, bytes
step_sizes          step sizes for every decision and hand
solver              runs an algorithm on a card game in public form
staged_pass         one player's pass in three stages, so that deals can be walked elsewhere
deal_worker         distributing deals among workers; a solver that holds and walks some of them
distributed_solver  a solver whose deals are held by workers
saved_solution      a solver that reads the averages of a saved run on demand
"""
