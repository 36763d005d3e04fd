"""Compiled kernels: numba makes object code once, and Python runs it without numba. See docs/native.md.

decorators           decorators that mark a function as a kernel or as part of one
numba_api            the modules of numba and llvmlite that intrinsics use, loaded on first use
signatures           argument types as text and arguments as 64-bit slots
kernel_call          calling a kernel by address, and compiling what is missing
code_cache           object code on disk: finding, loading, writing
tuple_layout         tuples that kernels read in place
link_only_target     a target of numba whose functions are linked into their callers
compiler             compiling a kernel to object code
compiler_process     the process that compiles (python -m zerosum.native.compiler_process)
build_wheel_objects  object code for wheels
"""
