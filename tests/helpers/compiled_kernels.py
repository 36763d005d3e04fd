"""Call parts of kernels from Python: numba compiles each again with an entry point."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import njit

from zerosum.native import compiler
from zerosum.native.code_cache import LoadedKernel, ObjectCode
from zerosum.native.decorators import exact_kernel
from zerosum.native.signatures import format_signature, pack_slots


def jitted(part: Any) -> Any:
    """A function that tests can call."""
    return njit(lambda *arguments: part(*arguments))


def emitted(function: Any) -> Callable[..., None]:
    """Wrap a loop around a large kernel, compiled as the package compiles kernels: in a third of numba's time."""
    kernel = exact_kernel(function)

    def call(*arguments: Any) -> None:
        slots = np.array([0, *pack_slots(arguments)], np.int64)
        assert loaded(kernel, format_signature(arguments))(slots.ctypes.data) == 0

    return call


@cache
def loaded(kernel: Any, signature: str) -> LoadedKernel:
    """Return the machine code of a kernel for a signature."""
    gc.disable()  # as in the process that compiles: a quarter of the time
    try:
        name, code = compiler.compile_to_object(kernel, compiler.parse_signature(signature))
    finally:
        gc.enable()
    return LoadedKernel(ObjectCode(name, kernel.__name__, signature, code))
