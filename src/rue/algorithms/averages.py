"""The weight of each iteration in the average: a power of t, or any function of it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from rue.algorithms.choice import Choice
from rue.algorithms.schedules import Floats, Parameter, Schedule, constant, moves
from rue.errors import RueError
from rue.records import dataclass

POWER = Parameter("the power of the average", least=0.0)


class Average(Choice):
    """How iterations enter the average: average = keep * average + weight * plan."""

    @property
    @abstractmethod
    def needs_horizon(self) -> bool:
        """Whether it depends on how many iterations the run has."""

    def check(self, n: int) -> None:
        """Refuse a run of n iterations that leaves nothing in it."""

    @abstractmethod
    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """What the average is multiplied by before iterations t, one after the other, and their own weights."""


@dataclass(frozen=True)
class Power(Average):
    """Iteration t has weight t^power in the average, and the first ones are skipped.

    Done as a factor (t/(t+1))^power on what was accumulated. `skip` is a fraction of the run (below 1) or a number
    of iterations; until then the average is that of all iterations, then it starts anew.

    >>> Power(2).factors(np.array([1.0, 2.0, 3.0]), 100)[0].round(3)
    array([0.   , 0.25 , 0.444])
    >>> Power(1, skip=0.5).first(100)
    51
    """

    power: Schedule = 0.0
    skip: float = 0

    def __post_init__(self) -> None:
        POWER.check(self.power)
        if constant(self.skip, "skip") < 0:
            raise RueError(f"skip must be at least 0, not {self.skip:g}")
        if self.skip >= 1 and self.skip != int(self.skip):
            raise RueError(f"skip must be a fraction below 1 or a whole number of iterations, not {self.skip:g}")

    def first(self, n: int) -> int:
        """The first iteration that counts."""
        return 1 + (min(round(self.skip * n), n - 1) if self.skip < 1 else int(self.skip))

    @property
    def needs_horizon(self) -> bool:
        return moves(self.power) or 0 < self.skip < 1

    def check(self, n: int) -> None:
        if self.first(n) > n:
            raise RueError(f"the average skips {self.skip:g}, which leaves none of {n} iterations")

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        power = np.where(t > 1.0, POWER.at(self.power, t - 1.0, n), 1.0)  # there is nothing before the first
        factor: Floats = ((t - 1.0) / t) ** power
        return np.where(t == self.first(n), 0.0, factor), np.ones(len(t))


@dataclass(frozen=True)
class Weighted(Average):
    """Iteration t has the weight w(t) in the average, whatever function of t that is.

    It is called with t = 1, 2, 3 and so on and returns a number of at least 0. Until it is first positive the average
    is that of all iterations, then it starts anew. What was accumulated is divided by the largest weight so far, so
    that no weight is too large. A run with a function in it can be saved; who goes on with it gives the function again.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> late = Algorithm("late", average=lambda t: 0 if t < 3 else t)
    >>> [factors.tolist() for factors in late.average.factors(np.arange(1.0, 6.0), 5)]
    [[1.0, 1.0, 0.0, 0.75, 0.8], [1.0, 1.0, 1.0, 1.0, 1.0]]
    """

    function: Callable[[int], float]

    needs_horizon = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise RueError(f"the average is weighted by a function of t, not by {self.function!r:.60}")
        object.__setattr__(self, "_seen", (0, 0.0))

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        if not len(t):
            return t, t
        before = self._largest(int(t[0]) - 1)
        own = np.array([self._weight(int(each)) for each in t])
        largest = np.maximum.accumulate(np.append(before, own))
        object.__setattr__(self, "_seen", (int(t[-1]) - 1, float(largest[-2])))
        now = np.where(largest[1:] > 0.0, largest[1:], 1.0)
        keep = np.where(largest[1:] > 0.0, largest[:-1] / now, 1.0)
        return keep, np.where(largest[1:] > 0.0, own / now, 1.0)

    def _largest(self, last: int) -> float:
        """The largest weight up to an iteration; what the last call has seen is not asked for again.

        The public form asks for the last iteration once more.
        """
        at, largest = self._seen  # type: ignore[attr-defined]
        if at > last:
            at, largest = 0, 0.0
        return float(max([largest, *(self._weight(t) for t in range(at + 1, last + 1))]))

    def _weight(self, t: int) -> float:
        try:
            weight: Any = self.function(t)
            number = float(weight)
        except Exception as error:
            raise RueError(f"the weight of iteration {t} in the average cannot be had: {_told(error)}") from error
        if not (math.isfinite(number) and number >= 0.0):
            raise RueError(f"the weight of iteration {t} in the average is {number:g}: it must be a number from 0 on")
        return number


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
