"""Machine code: kernels that Python calls by address, made by numba once and loaded without it."""
