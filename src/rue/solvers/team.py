"""Threads that work on one call of a kernel together: each calls it with its number, and they meet inside."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from rue.native.kernel import Call, Kernel, prepare

ARRIVED, TAKEN = 0, 8
"""Where a shared array counts arrivals and jobs taken: in different lines of the cache."""
SHARED = 16
"""The size of a shared array."""


class Team:
    """Threads that are there for the next call, too."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._size = 0

    def calls(self, kernel: Kernel, arguments: tuple[Any, ...], threads: int) -> list[Call]:
        """A call for each thread; the kernel's last arguments are what they share, who calls and how many they are."""
        shared = np.zeros(SHARED, np.int64)
        return [Call(kernel, (*arguments, shared, thread, threads)) for thread in range(threads)]

    def call(self, kernel: Kernel, arguments: tuple[Any, ...], threads: int) -> None:
        """Call a kernel in so many threads; the result is that of one."""
        first, *others = self.calls(kernel, arguments, threads)
        prepare([first])
        if self._pool is None or self._size < len(others):
            self._size = max(1, len(others))
            self._pool = ThreadPoolExecutor(self._size)
        waiting = [self._pool.submit(other) for other in others]
        first()
        for future in waiting:
            future.result()
