"""Solving on other machines, by Ray: one problem whose deals are shared, or many solves at once.

connection     join or start a cluster, and list its machines
versions       the versions that all machines must share, and errors of Ray as messages
executor       run jobs on a cluster, behind the interface of concurrent.futures
placement      share the deals of one problem among machines
worker_group   worker processes that hold deals: start, call and replace them
"""
