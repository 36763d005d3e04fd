"""A worker as a process of Ray: it holds a part of a spot and answers to the methods of `DealsSolver`."""

from __future__ import annotations

import os
import platform
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from rue.cluster.versions import Versions
from rue.errors import RueError
from rue.problems.shared_estimate import Order
from rue.problems.spot import SpotProblem


class Spent(NamedTuple):
    """Seconds spent on answers, by the clock and of the processor, and the most bytes that the process has had."""

    seconds: float
    processor: float
    bytes: int


@contextmanager
def told_with_machine() -> Iterator[None]:
    """Say in a sentence that something is wrong on which machine it is."""
    try:
        yield
    except RueError as error:
        raise RueError(f"{error} (on {platform.node()})") from None


class Worker:
    """Holds some deals of a spot."""

    def __init__(self, order: Order, deals: Sequence[int], folder: str | None) -> None:
        """`folder` is where the run is saved."""
        self._order, self._deals, self._folder = order, deals, folder
        self._solver: Any = None
        self._seconds = self._processor = 0.0

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
        began, used = time.perf_counter(), time.process_time()
        with told_with_machine():
            answer = getattr(self._solver, method)(*arguments)
        self._seconds += time.perf_counter() - began
        self._processor += time.process_time() - used
        return answer

    def spent(self) -> Spent:
        """What the answers took so far."""
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return Spent(self._seconds, self._processor, most)
