"""How functions become parts of kernels, by numba. Only `rue.native.emit` ever compiles them.

They take no memory and count no references: numba's own runtime is not there when the code runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

PLAIN: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Division follows numpy: no branch for a zero divisor, so that loops vectorise."""
OPTIONS: dict[str, Any] = {**PLAIN, "fastmath": {"contract"}}
"""A product and a sum may be fused; nothing else is reordered, so results are the same on every run."""


def compiled(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls, by a `Kernel` with its name; or a part of one."""
    return njit(**OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A part that is compiled into its caller, whatever its size."""
    return njit(forceinline=True, **OPTIONS)(function)


def woven(function: Callable[..., Any]) -> Any:
    """A part written into its caller before anything is compiled: never compiled on its own."""
    return njit(inline="always", **OPTIONS)(function)


def exactly(function: Callable[..., Any]) -> Any:
    """A kernel whose every operation is rounded as it is written: a seed draws the same histories on any machine."""
    return njit(**PLAIN)(function)


def exact_part(function: Callable[..., Any]) -> Any:
    """A part of such a kernel, compiled into its caller."""
    return njit(forceinline=True, **PLAIN)(function)


def reordered(function: Callable[..., Any]) -> Any:
    """A part whose sums may be taken in any order, the same one on every run."""
    return njit(**{**PLAIN, "fastmath": {"contract", "reassoc"}})(function)


part = apart = compiled
