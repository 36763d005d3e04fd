"""Parts of kernels, called from Python: numba compiles them anew, with a way in."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import njit

from rue.native import emit
from rue.native.arguments import kind_of, words_of
from rue.native.compiled import exactly
from rue.native.objects import Loaded, Object


def jitted(part: Any) -> Any:
    """A function that tests can call."""
    return njit(lambda *arguments: part(*arguments))


def emitted(function: Any) -> Callable[..., None]:
    """A loop around a large kernel, made as the package makes its own: in a third of the time that numba takes."""
    kernel = exactly(function)

    def call(*arguments: Any) -> None:
        words = np.array([0, *words_of(arguments)], np.int64)
        assert loaded(kernel, kind_of(arguments))(words.ctypes.data) == 0

    return call


@cache
def loaded(kernel: Any, kinds: str) -> Loaded:
    """The machine code of a kernel for some kinds of arguments."""
    gc.disable()  # as in the process that compiles: a quarter of the time
    try:
        name, code = emit.emit(kernel, emit.parsed(kinds))
    finally:
        gc.enable()
    return Loaded(Object(name, kernel.__name__, kinds, code))
