"""How many numbers a vector of the kernels holds."""

LANES = 16
