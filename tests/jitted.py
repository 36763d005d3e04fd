"""Parts of kernels, called from Python: numba compiles them anew, with a way in."""

from __future__ import annotations

from typing import Any

from numba import njit


def jitted(part: Any) -> Any:
    """A function that tests can call."""
    return njit(lambda *arguments: part(*arguments))
