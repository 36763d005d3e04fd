"""A worker as a process of Ray: it holds a part of a spot and answers to the methods of `DealsSolver`."""

from __future__ import annotations

import os
import platform
import resource
import time
from collections.abc import Sequence
from typing import Any

import rue
from rue.errors import RueError
from rue.problems.shared_estimate import Order
from rue.problems.spot import SpotProblem


class Worker:
    """Holds some deals of a spot."""

    def __init__(self, order: Order, deals: Sequence[int], folder: str | None) -> None:
        """`folder` is where the run is saved."""
        self._order, self._deals, self._folder = order, deals, folder
        self._problem = SpotProblem.from_data(order.spot)
        self._solver: Any = None
        self._spent = 0.0

    def versions(self) -> tuple[str, str]:
        """Of rue and Python."""
        if self._folder is not None and not os.path.isdir(self._folder):
            raise RueError(
                f"{platform.node()} does not see {self._folder}: a run that machines share is saved in a folder "
                "that all of them see"
            )
        return rue.__version__, platform.python_version()

    def begin(self) -> None:
        """Hold zeros."""
        self._solver = self._problem.deals_solver(self._order.algorithm, self._order.limits, self._deals)

    def call(self, method: str, *arguments: Any) -> Any:
        """Answer."""
        if self._solver is None:
            self.begin()
        began = time.perf_counter()
        answer = getattr(self._solver, method)(*arguments)
        self._spent += time.perf_counter() - began
        return answer

    def spent(self) -> tuple[float, int]:
        """The seconds spent on answers so far, and the most bytes of memory that this process has had."""
        return self._spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
