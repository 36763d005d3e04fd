"""Parameters that may change with the iteration: a number, `Linear(first, last)`, or any function of (t, n)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.choice import Choice
from rue.algorithms.splitmix import GOLDEN, UNIT, mixer
from rue.checked import check_whole, is_number, shown
from rue.errors import RueError, shortened
from rue.names import Linear
from rue.records import dataclass

mix = mixer(np.uint64)
Floats = NDArray[np.float64]
Schedule = float | int | Linear | Callable[[Floats, int], Floats]
"""A number; a straight line over the run; or a function of the iterations t (an array) and the last one n."""


@dataclass(frozen=True)
class Parameter:
    """What a parameter that may change is called, and which values it takes.

    >>> Parameter("alpha").at(Linear(1, 4), np.array([0.0, 50.0, 100.0]), 100)
    array([1. , 2.5, 4. ])
    """

    what: str
    least: float = -math.inf
    infinite: bool = False

    def check(self, schedule: Schedule) -> None:
        """Refuse a schedule with a number in it that makes no sense; the values of a function are checked by `at`."""
        if callable(schedule):
            return
        ends = (schedule.first, schedule.last) if isinstance(schedule, Linear) else (schedule,)
        for number in ends:
            if not _is_plain(number):
                raise RueError(f"{self.what} must be a number or a range like 1..4, not {shown(number)}")
            if math.isinf(number) and (not self.infinite or isinstance(schedule, Linear)):
                raise RueError(f"{self.what} must be finite, not {number}")
            if number < self.least:
                raise RueError(f"{self.what} must be at least {self.least:g}, not {number:g}")

    def at(self, schedule: Schedule, t: Floats, n: int) -> Floats:
        """The values of a schedule at the iterations t of a run of n; those of iteration 0 stand for nothing."""
        if isinstance(schedule, Linear):
            return schedule.first + (schedule.last - schedule.first) * t / n
        if not callable(schedule):
            return np.full(t.shape, float(schedule))
        values = self._had(schedule, t, n)
        wrong = np.isnan(values) | (values < self.least) | (np.isinf(values) & (not self.infinite))
        wrong &= t > 0
        if wrong.any():
            first = int(np.argmax(wrong))
            least = f" of at least {self.least:g}" if self.least > -math.inf else ""
            due = f"it must be a number{least}"
            raise RueError(f"{self.what} is {values[first]:g} at iteration {t[first]:.0f}: {due}")
        return values

    def _had(self, function: Callable[[Floats, int], Floats], t: Floats, n: int) -> Floats:
        """The values of a function."""
        try:
            with np.errstate(all="ignore"):
                given = np.asarray(function(t, n))
                if given.dtype.kind not in "biufO":
                    raise TypeError(f"{shown(given.tolist())} is no number")
                return np.broadcast_to(given.astype(np.float64), t.shape)
        except Exception as error:
            why = shortened(" ".join(f"{type(error).__name__}: {error}".split()), 200)
            raise RueError(f"{self.what} cannot be had as a function of t and n: {why}") from error


def divided(schedule: Schedule, by: float) -> Schedule:
    """A schedule whose values are divided by a number.

    >>> divided(Linear(1, 4), 2.0), divided(3, 2.0)
    (Linear(first=0.5, last=2.0), 1.5)
    """
    if isinstance(schedule, Linear):
        return Linear(schedule.first / by, schedule.last / by)
    if callable(schedule):
        return lambda t, n: schedule(t, n) / by
    return schedule / by


def moves(schedule: object) -> bool:
    """Whether a schedule depends on the number of iterations of the run."""
    return isinstance(schedule, Linear) or (callable(schedule) and not isinstance(schedule, Uniform))


def constant(number: object, what: str) -> float:
    """A finite number that stays the same over the run."""
    if isinstance(number, Linear) or callable(number):
        raise RueError(f"{what} must be one number: it cannot change over the run")
    if not _is_plain(number):
        raise RueError(f"{what} must be a number, not {shown(number)}")
    if math.isinf(number):
        raise RueError(f"{what} must be finite, not {number}")
    return number


def _is_plain(number: object) -> TypeGuard[float]:
    """Whether something is a number of Python's own that a file can keep."""
    return isinstance(number, int | float) and is_number(number) and not math.isnan(number)


@dataclass(frozen=True)
class Uniform(Choice):
    """A number drawn anew at every iteration from (0, 2 mean); the same seed draws the same numbers.

    The draw of iteration t depends on the seed and on t alone, so a run may be cut into pieces anywhere.

    >>> draws = Uniform(1.0, seed=7)(np.arange(1.0, 10_001.0), 10_000)
    >>> bool(0 < draws.min() and draws.max() < 2), round(float(draws.mean()), 1)
    (True, 1.0)
    """

    mean: float
    seed: int = 0

    def __post_init__(self) -> None:
        constant(self.mean, "the mean of the draws")
        check_whole("seed", self.seed, least=0)

    def __call__(self, t: Floats, n: int) -> Floats:
        with np.errstate(over="ignore"):
            z = t.astype(np.uint64) + np.uint64((int(self.seed) % 2**31) << 32)
            bits = mix(z * np.uint64(GOLDEN))
        unit: Floats = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * UNIT
        return 2.0 * self.mean * unit
