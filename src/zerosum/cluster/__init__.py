"""Solving on other machines, by Ray: one problem whose deals are shared, or many solves at once.

connection     join or start a cluster; list its machines
address_check  check what answers at an address before Ray tries to join
ray_import     import Ray, quietly
versions       the versions all machines must share, and errors of Ray as messages
executor       run jobs on a cluster, as a concurrent.futures executor
options        the options that name a cluster and its machines
placement      share the deals of one problem among machines
worker_group   a group of worker processes: start, call, restart those that are lost
worker         a worker process that holds some of the deals
"""
