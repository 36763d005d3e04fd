"""The weight of each iteration in the average: a power of t, or any function of t."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerosum.algorithms.schedules import Choice, Floats, Parameter, Schedule, check_constant
from zerosum.support.errors import ZerosumError

POWER = Parameter("the power of the average", least=0.0)


class Average(Choice):
    """The weights of the iterations: average = factor * average + weight * plan."""

    def check_length(self, n: int) -> None:
        """Refuse a run of n iterations of which none enters the average."""

    @abstractmethod
    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """Return the factors of the average before each of the iterations t, and the weights of these iterations."""


@dataclass(frozen=True)
class Power(Average):
    """Iteration t has weight t^power in the average, where the first iterations may be skipped.

    The accumulated sum is multiplied by (t/(t+1))^power after iteration t. `skip` is a fraction of the run (below 1) or
    a number of iterations; until then the average is that of all iterations, then it restarts.

    >>> Power(2).factors(np.array([1.0, 2.0, 3.0]), 100)[0].round(3)
    array([0.   , 0.25 , 0.444])
    >>> Power(1, skip=0.5).first_iteration(100)
    51
    """

    power: Schedule = 0.0
    skip: float = 0

    def __post_init__(self) -> None:
        POWER.check_schedule(self.power)
        if check_constant(self.skip, "skip") < 0:
            raise ZerosumError(f"skip must be at least 0, not {self.skip:g}")
        if self.skip >= 1 and self.skip != int(self.skip):
            raise ZerosumError(f"skip must be a fraction below 1 or a whole number of iterations, not {self.skip:g}")

    def first_iteration(self, n: int) -> int:
        """Return the first iteration that enters the average."""
        return 1 + (min(round(self.skip * n), n - 1) if self.skip < 1 else int(self.skip))

    @property
    def needs_horizon(self) -> bool:
        return super().needs_horizon or 0 < self.skip < 1

    def check_length(self, n: int) -> None:
        if self.first_iteration(n) > n:
            raise ZerosumError(f"the average skips all {n} iterations: lower skip={self.skip:g}, or run longer")

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        # Any power does for iteration 1, whose factor is 0.
        power = np.where(t > 1.0, POWER.evaluate(self.power, t - 1.0, n), 1.0)
        factor: Floats = ((t - 1.0) / t) ** power
        return np.where(t == self.first_iteration(n), 0.0, factor), np.ones(len(t))


@dataclass(frozen=True)
class Weighted(Average):
    """Iteration t has the weight `function(t)` in the average.

    The function is called with t = 1, 2, 3 and so on and returns a number of at least 0. Until it is first positive,
    the average is that of all iterations; then it restarts. The accumulated sum is divided by the largest weight so
    far, so that no weight is too large. A run with a function can be saved; to resume it, pass the function again.

    >>> from zerosum.algorithms.algorithm import Algorithm
    >>> late = Algorithm("late", average=lambda t: 0 if t < 3 else t)
    >>> [factors.tolist() for factors in late.average.factors(np.arange(1.0, 6.0), 5)]
    [[1.0, 1.0, 0.0, 0.75, 0.8], [1.0, 1.0, 1.0, 1.0, 1.0]]
    """

    function: Callable[[int], float]

    needs_horizon = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ZerosumError(f"the weight of the average must be a function of t, not {self.function!r:.60}")
        object.__setattr__(self, "_largest_so_far", (0, 0.0))

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        if not len(t):
            return t, t
        before = self._find_largest_weight(int(t[0]) - 1)
        weights = np.array([self._evaluate_weight(int(iteration)) for iteration in t])
        largest = np.maximum.accumulate(np.append(before, weights))
        object.__setattr__(self, "_largest_so_far", (int(t[-1]) - 1, float(largest[-2])))
        scale = np.where(largest[1:] > 0.0, largest[1:], 1.0)
        factors = np.where(largest[1:] > 0.0, largest[:-1] / scale, 1.0)
        return factors, np.where(largest[1:] > 0.0, weights / scale, 1.0)

    def _find_largest_weight(self, last: int) -> float:
        """Return the largest weight up to an iteration.

        The maximum of the last call is remembered up to its last iteration but one, because the public form repeats
        the last one.
        """
        done, largest = self._largest_so_far  # type: ignore[attr-defined]
        if done > last:
            done, largest = 0, 0.0
        return float(max([largest, *(self._evaluate_weight(t) for t in range(done + 1, last + 1))]))

    def _evaluate_weight(self, t: int) -> float:
        try:
            weight: Any = self.function(t)
            number = float(weight)
        except Exception as error:
            raise ZerosumError(
                f"the function of the average failed at iteration {t}: {type(error).__name__}: {error}"[:260]
            ) from error
        if not (math.isfinite(number) and number >= 0.0):
            raise ZerosumError(
                f"the weight of iteration {t} in the average is {number:g}: it must be a finite number of at least 0"
            )
        return number
