"""How the hot code is compiled: by numba, kept on disk, keyed by the text of every kernel.

Numba keeps a compiled function as long as its own file is unchanged, even when a function it calls has changed.
So the folder it keeps them in carries a hash of all sources that kernels come from: new sources, new folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit

from rue.sources import fingerprint, kernel_files

KEPT = 3
"""Versions whose compiled code is kept; older ones are deleted."""


def kernel_version() -> str:
    """A short hash of numba's version and of the sources that hold kernels."""
    return fingerprint(kernel_files(), numba.__version__)


def cache_folder() -> Path:
    """Where compiled code is kept: $RUE_CACHE_DIR, else rue/ in the user's cache folder."""
    base = os.environ.get("RUE_CACHE_DIR")
    if base:
        return Path(base)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "rue"


def _prepare() -> None:
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = cache_folder() / f"kernels-{kernel_version()}"
    numba.config.CACHE_DIR = str(folder)
    if not folder.exists():
        others = sorted(folder.parent.glob("kernels-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for stale in others[KEPT - 1 :]:
            shutil.rmtree(stale, ignore_errors=True)


_prepare()


OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True}
"""Division follows numpy (no branch for a zero divisor, so that loops vectorise); a product and a sum may be fused;
nothing else is reordered, so results are the same on every run."""


def compiled(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls: compiled when it is first called and kept on disk, with all its parts in it."""
    return njit(cache=True, **OPTIONS)(function)


def part(function: Callable[..., Any]) -> Any:
    """A function that kernels call. It is kept as a part of them, not on its own."""
    return njit(**OPTIONS)(function)


def apart(function: Callable[..., Any]) -> Any:
    """A large part that stays a function of its own: compiled once however many call it."""
    return njit(no_cpython_wrapper=True, **OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A part that takes many arrays: compiled into its caller, because passing them costs more than what it does."""
    return njit(forceinline=True, **OPTIONS)(function)


def woven(function: Callable[..., Any]) -> Any:
    """A part written into its caller before anything is compiled: never compiled on its own."""
    return njit(inline="always", **OPTIONS)(function)


EXACT: dict[str, Any] = {"error_model": "numpy", "nogil": True}
"""Every operation is rounded as it is written, so that a seed draws the same histories on any machine."""


def exactly(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls, with the same digits on every machine; kept on disk."""
    return njit(cache=True, **EXACT)(function)


def exact_part(function: Callable[..., Any]) -> Any:
    """A part of such a kernel, compiled into its caller."""
    return njit(forceinline=True, **EXACT)(function)


def reordered(function: Callable[..., Any]) -> Any:
    """A part whose sums may be taken in any order, the same one on every run."""
    return njit(error_model="numpy", fastmath={"contract", "reassoc"}, nogil=True)(function)


def parallel(function: Callable[..., Any]) -> Any:
    """A part whose `prange` loops are shared among threads.

    Never kept on its own: numba leaves the loop out of a kernel's file when the part itself came from the disk.
    """
    return njit(parallel=True, **OPTIONS)(function)
