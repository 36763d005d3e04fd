"""Threads that work on one call of a kernel together: each calls it with its number, and they meet inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rue.interrupt import held_back
from rue.native.kernel import Call, Kernel, prepare

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

ARRIVED, TAKEN, FINISHED = 0, 8, 16
"""Where a shared array counts arrivals, jobs taken and jobs finished: in different lines of the cache."""
LEFT, OFFERED, RETURNED = 0, 1, 8
"""Where each thread, after that, says how many parts of its job anybody may take, what job that is, and how many parts
are done."""
SHARED = 24
"""The numbers for all."""
FOR_EACH = 16
"""The numbers for each thread."""


class Team:
    """Threads that are there for the next call, too."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._size = 0

    def calls(self, kernel: Kernel, arguments: tuple[Any, ...], threads: int) -> list[Call]:
        """A call for each thread; the kernel's last arguments are what they share, who calls and how many they are."""
        shared = np.zeros(SHARED + threads * FOR_EACH, np.int64)
        return [Call(kernel, (*arguments, shared, thread, threads)) for thread in range(threads)]

    def call(self, kernel: Kernel, arguments: tuple[Any, ...], threads: int) -> None:
        """Call a kernel in so many threads; the result is that of one."""
        first, *others = self.calls(kernel, arguments, threads)
        prepare([first])
        if not others:
            first()
            return
        if self._pool is None or self._size < len(others):
            from concurrent.futures import ThreadPoolExecutor

            self._size = len(others)
            self._pool = ThreadPoolExecutor(self._size)
        with held_back():  # the others would wait for ever for one that Ctrl-C has kept from coming
            waiting = [self._pool.submit(other) for other in others]
            first()
            for future in waiting:
                future.result()
