"""How one decision block learns: accumulate regret, match a strategy to it.

vectors        Vectors of LANES numbers inside kernels
vector_types   The numba types of these vectors
vector_memory  Loading and storing vectors, 16-bit floats included
vector_math    exp and log of vectors
tiles          Transposing tiles of rows and lanes
blocks         Unchecked views of parts of arrays
accumulation   Adding instantaneous regret to accumulated regret
matching       From accumulated regret to the next strategy
formulas       The formulas by the number that stands for each in kernels
rare_rules     The kernel of rules that few runs use, compiled separately
custom_rule    Compiling a user-defined rule
custom_call    Calling a user-defined rule from a kernel
block_update   One update of a block: accumulate, predict, match
"""
