"""The base class of every part of an algorithm, and parameters that may change with the iteration.

Such a parameter is a number, `Linear(first, last)`, or any function of (t, n).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError, shorten
from zerosum.support.validation import check_whole_number, is_number, short_repr

Floats = NDArray[np.float64]
Schedule = float | int | Linear | Callable[[Floats, int], Floats]
"""A number; a straight line over the run; or a function of the iterations t (an array) and of the last iteration n."""


class Choice:
    """A part of an algorithm: a frozen dataclass, whose class is registered when it is defined.

    A part whose parameters depend on the iteration fills their columns of the coefficients, which
    `zerosum.algorithms.kernel_rule` lists.
    """

    registry: ClassVar[dict[str, type[Choice]]] = {}

    def __init_subclass__(cls) -> None:
        Choice.registry[cls.__name__] = cls

    @property
    def needs_horizon(self) -> bool:
        """Whether a parameter depends on the number of iterations of the run."""
        return any(
            part.needs_horizon if isinstance(part, Choice) else isinstance(part, Linear) or callable(part)
            for part in vars(self).values()
        )

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        """Fill this part's columns of `c`, the coefficients of the iterations t of a run of n, which are 1 at first."""

    def rescale(self, factor: float) -> Self:
        """Return the same choice where every payoff is `factor` times as large."""
        return self


@dataclass(frozen=True)
class Parameter:
    """A parameter that may change with the iteration: its name in messages and its valid values.

    >>> Parameter("alpha").evaluate(Linear(1, 4), np.array([0.0, 50.0, 100.0]), 100)
    array([1. , 2.5, 4. ])
    """

    name: str
    least: float = -math.inf
    infinite: bool = False

    def check_schedule(self, schedule: Schedule) -> None:
        """Refuse a schedule with an invalid number; the values of a function are checked when they are computed."""
        if callable(schedule):
            return
        ends = (schedule.first, schedule.last) if isinstance(schedule, Linear) else (schedule,)
        for number in ends:
            if not _is_plain_number(number):
                raise ZerosumError(f"{self.name} must be a number or a range like 1..4, not {short_repr(number)}")
            if math.isinf(number) and (not self.infinite or isinstance(schedule, Linear)):
                raise ZerosumError(f"{self.name} must be finite, not {number}")
            if number < self.least:
                raise ZerosumError(f"{self.name} must be at least {self.least:g}, not {number:g}")

    def evaluate(self, schedule: Schedule, t: Floats, n: int) -> Floats:
        """Return the values of a schedule at the iterations t of a run of n; that of iteration 0 has no meaning."""
        if isinstance(schedule, Linear):
            return schedule.first + (schedule.last - schedule.first) * t / n
        if not callable(schedule):
            return np.full(t.shape, float(schedule))
        try:
            with np.errstate(all="ignore"):
                values = np.asarray(schedule(t, n))
                if values.dtype.kind not in "biufO":
                    raise TypeError(f"{short_repr(values.tolist())} is not a number")
                values = np.broadcast_to(values.astype(np.float64), t.shape)
        except Exception as error:
            reason = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 200)
            raise ZerosumError(f"{self.name} cannot be computed as a function of t and n: {reason}") from error
        wrong = np.isnan(values) | (values < self.least) | (np.isinf(values) & (not self.infinite))
        wrong &= t > 0
        if wrong.any():
            first = int(np.argmax(wrong))
            least = f" of at least {self.least:g}" if self.least > -math.inf else ""
            raise ZerosumError(
                f"{self.name} is {values[first]:g} at iteration {t[first]:.0f}: it must be a number{least}"
            )
        return values


def divide_schedule(schedule: Schedule, divisor: float) -> Schedule:
    """Return a schedule whose values are divided by a number.

    >>> divide_schedule(Linear(1, 4), 2.0), divide_schedule(3, 2.0)
    (Linear(first=0.5, last=2.0), 1.5)
    """
    if isinstance(schedule, Linear):
        return Linear(schedule.first / divisor, schedule.last / divisor)
    if callable(schedule):
        return lambda t, n: schedule(t, n) / divisor
    return schedule / divisor


def check_constant(number: object, name: str) -> float:
    """Return a number if it is finite and not a schedule; refuse it otherwise."""
    if isinstance(number, Linear) or callable(number):
        raise ZerosumError(f"{name} cannot change over the run: give a single number")
    if not _is_plain_number(number):
        raise ZerosumError(f"{name} must be a number, not {short_repr(number)}")
    if math.isinf(number):
        raise ZerosumError(f"{name} must be finite, not {number}")
    return number


def _is_plain_number(number: object) -> TypeGuard[float]:
    """Return whether an object is a built-in Python number that a file can store."""
    return isinstance(number, int | float) and is_number(number) and not math.isnan(number)


@dataclass(frozen=True)
class Uniform(Choice):
    """A random number from (0, 2 mean), drawn anew at every iteration; the same seed draws the same numbers.

    The number of iteration t depends only on the seed and on t, so a resumed run draws the same numbers.

    >>> draws = Uniform(1.0, seed=7)(np.arange(1.0, 10_001.0), 10_000)
    >>> bool(0 < draws.min() and draws.max() < 2), round(float(draws.mean()), 1)
    (True, 1.0)
    """

    mean: float
    seed: int = 0

    def __post_init__(self) -> None:
        check_constant(self.mean, "the mean of the draws")
        check_whole_number("seed", self.seed, least=0)

    def __call__(self, t: Floats, n: int) -> Floats:
        from zerosum.support.splitmix import GOLDEN, UNIT, make_mixer

        mix = make_mixer(np.uint64)
        with np.errstate(over="ignore"):
            z = t.astype(np.uint64) + np.uint64((int(self.seed) % 2**31) << 32)
            bits = mix(z * np.uint64(GOLDEN))
        unit: Floats = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * UNIT
        return 2.0 * self.mean * unit
