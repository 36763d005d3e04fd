"""When a run ends and what it may use: checked once, then passed through every kind of run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.choices import Algorithm

DEFAULT_ITERATIONS = 1000
WITHOUT_END = 10**9
"""Iterations of a run that only a time or an exploitability ends."""


@dataclass(frozen=True)
class Limits:
    """A run ends at the first of these that is given: a number of iterations (1000 if nothing is given), an
    exploitability, a time. `threads` is None for all cores.

    >>> Limits().horizon(), Limits(seconds=1).horizon() == WITHOUT_END
    (1000, True)
    """

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for what in ("iterations", "threads"):
            number = getattr(self, what)
            if number is not None and (isinstance(number, bool) or not _whole(number) or number < 1):
                raise RueError(f"{what} must be a whole number of at least 1, not {number}")
        for what in ("until", "seconds"):
            limit = getattr(self, what)
            if limit is not None and not (math.isfinite(limit) and limit >= 0):
                raise RueError(f"{what} must be a number of at least 0, not {limit}")

    def horizon(self, algorithm: Algorithm | None = None) -> int:
        """The number of iterations of a run, which schedules refer to; what needs one and has none is refused."""
        if self.iterations is not None:
            return int(self.iterations)
        if self.until is None and self.seconds is None:
            return DEFAULT_ITERATIONS
        if algorithm is not None and algorithm.needs_horizon:
            raise RueError(f"{algorithm.name} depends on the number of iterations: give iterations as well")
        return WITHOUT_END


def _whole(number: float) -> bool:
    return math.isfinite(number) and number == int(number)
