"""The public form of a spot, and what solving it costs.

public_tree       build the public tree of a spot: boards that differ only by suits are merged, hands sorted by strength
board_arrays      the boards of a public tree as arrays in a saved run, checked when they are read
estimate          estimate infosets, memory and time of a spot before anything is built
cluster_estimate  the same for a spot whose deals are split over machines
"""
