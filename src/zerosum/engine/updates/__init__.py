"""How one decision block learns: accumulate regret, match a strategy to it.

vectors        vectors of LANES numbers inside kernels
vector_types   the numba types of these vectors
vector_memory  loading and storing vectors, 16-bit floats included
vector_math    exp and log of vectors
tiles          transposing tiles of rows and lanes
blocks         unchecked views of parts of arrays
accumulation   adding instantaneous regret to accumulated regret
matching       from accumulated regret to the next strategy
rare_rules     the kernel of formulas that few runs use, compiled separately
custom_rule    compiling a user-defined rule
block_update   one update of a block: accumulate, predict, match
"""
