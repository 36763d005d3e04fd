"""A worker as a process of Ray: it holds a part of a spot and answers to the methods of `DealsSolver`."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rue.cluster.versions import Versions, told_with_machine
from rue.errors import RueError
from rue.problems.shared_estimate import Order
from rue.problems.spot import SpotProblem


class Spent(NamedTuple):
    """Seconds spent on answers, by the clock and of the processor, and the most bytes that the process has had, those
    left out that it shares with others: the objects that Ray keeps for all of a machine."""

    seconds: float
    processor: float
    bytes: int


class Worker:
    """Holds some deals of a spot."""

    def __init__(self, order: Order, deals: Sequence[int], folder: str | None) -> None:
        """`folder` is where the run is saved."""
        self._order, self._deals, self._folder = order, deals, folder
        self._solver: Any = None
        self._seconds = self._processor = 0.0
        self._bytes = 0

    def check(self, theirs: Versions) -> None:
        """Refuse to work for another version of rue, or where the run cannot be saved."""
        theirs.check()
        if self._folder is not None and not os.path.isdir(self._folder):
            raise RueError(
                f"{platform.node()} does not see {self._folder}: a run that machines share is saved in a folder "
                "that all of them see"
            )

    def begin(self) -> None:
        """Hold zeros."""
        with told_with_machine():
            self._solver = SpotProblem.deals_solver(self._order, self._deals)

    def call(self, method: str, *arguments: Any) -> Any:
        """Answer."""
        if self._solver is None:
            self.begin()
        began, used, common = time.perf_counter(), time.process_time(), _memory("RssShmem")
        with told_with_machine():
            answer = getattr(self._solver, method)(*arguments)
        self._seconds += time.perf_counter() - began
        self._processor += time.process_time() - used
        self._bytes = max(self._bytes, _memory("VmHWM") - common)
        return answer

    def walk(self, pieces: int, *call: Any) -> Any:
        """Answer to a call that walks deals, in so many pieces."""
        walked = self.call(*call)
        return walked if pieces == 1 else tuple(walked.cut(pieces))

    def spent(self) -> Spent:
        """What the answers took so far."""
        return Spent(self._seconds, self._processor, self._bytes)


def _memory(kind: str) -> int:
    """Bytes of this process, by Linux's name of what they are; 0 where there is no such thing."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{kind}:"):
                return 1024 * int(line.split()[1])
    return 0
