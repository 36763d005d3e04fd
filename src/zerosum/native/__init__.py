"""Compiled kernels: numba makes object code once, and Python runs it without numba. See docs/native.md.

decorators           Decorators that mark a function as a kernel or as part of one
numba_api            The modules of numba and llvmlite that intrinsics use, loaded on first use
signatures           Argument types as text and arguments as 64-bit slots
kernel_call          Calling a kernel by address, and compiling what is missing
code_cache           Object code on disk: finding, loading, writing
tuple_layout         Tuples that kernels read in place
call_by_address      How one kernel calls another that was compiled separately
link_only_target     A target of numba whose functions are linked into their callers
compiler             Compiling a kernel to object code
compiler_process     The process that compiles (python -m zerosum.native.compiler_process)
build_wheel_objects  Object code for wheels
"""
