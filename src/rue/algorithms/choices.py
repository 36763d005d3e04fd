"""The choices that make an algorithm: how regret is accumulated and matched, step sizes, the average.

Each is a small class that knows its formula as numbers of t; the kernels in `rue.regret` and `rue.solvers` do the rest.
It also tells what it costs: `nanoseconds` is what an infoset-action takes in an iteration on a hold'em spot, of one
thread, as `benchmarks/pick.py` saw it; `stored` is how many numbers it keeps besides regret and average.
"""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any, ClassVar, Self

import numpy as np

from rue.algorithms.choice import Choice
from rue.algorithms.schedules import Floats, Parameter, Schedule, constant, divided
from rue.checked import check_flag, shown
from rue.errors import RueError
from rue.records import dataclass
from rue.regret import rule as kernel

LARGEST_POWER = 10
ALPHA, BETA = Parameter("alpha", infinite=True), Parameter("beta", infinite=True)
EXPONENT, STEP = Parameter("the exponent", least=0.0), Parameter("the step size", least=0.0)


class Accumulate(Choice):
    """How an iteration's regret enters R: `code` is the kernel's number, `floor` keeps R at zero or above."""

    code: ClassVar[int]
    stored: ClassVar[int] = 0
    floor: bool = False


class Match(Choice):
    """How R becomes the next strategy: `code` is the kernel's number, `steps` its step sizes if it has any."""

    code: ClassVar[int]
    nanoseconds: ClassVar[float]
    steps: Steps | None = None

    def check_steps(self) -> None:
        """Refuse what tells no step sizes."""
        if not isinstance(self.steps, Steps):
            raise RueError(f"steps must be step sizes like Anytime() or Fixed(0.1), not {shown(self.steps)}")


class Steps(Choice):
    """The step sizes of Hedge and FTRL."""

    def for_payoffs(self, times: float) -> Self:
        """The same steps where every payoff is so many times as large."""
        return self


@dataclass(frozen=True)
class Discount(Accumulate):
    """R = d R + r with d = t^alpha/(t^alpha+1) where R > 0, t^beta/(t^beta+1) elsewhere (dcfr).

    alpha = inf means no discount, beta = -inf forgets negative regret; `floor` keeps R at zero or above (RM+).
    `immediate` discounts r instead, by its own sign: R += d r, as ecfr describes DCFR in its section 3.4.

    >>> Discount(alpha=1.5, beta=0).factors(np.array([4.0]), 100)
    (array([0.88888889]), array([0.5]))
    """

    alpha: Schedule = math.inf
    beta: Schedule = math.inf
    floor: bool = False
    immediate: bool = False

    @property
    def code(self) -> int:  # type: ignore[override]
        """The kernel's number."""
        return kernel.IMMEDIATE if self.immediate else kernel.DISCOUNTED

    @property
    def stored(self) -> int:  # type: ignore[override]
        """The strategy, unless it can be drawn from R again."""
        return int(self.immediate)

    def __post_init__(self) -> None:
        ALPHA.check(self.alpha)
        BETA.check(self.beta)
        check_flag("floor", self.floor)
        check_flag("immediate", self.immediate)

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """The factors of positive and of negative regret after iteration t; 1 after iteration 0."""
        return _discount(ALPHA.at(self.alpha, t, n), t), _discount(BETA.at(self.beta, t, n), t)


def _discount(exponent: Floats, t: Floats) -> Floats:
    """t^exponent / (t^exponent + 1), infinities included."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        logit = np.where(np.isinf(exponent), exponent, exponent * np.log(t))
        factor: Floats = 1.0 / (1.0 + np.exp(-logit))
    return np.where(t > 0, factor, 1.0)


@dataclass(frozen=True)
class Exponential(Accumulate):
    """R[a] += e^L1[a] r[a] where r[a] > 0, else e^L1[a] b with b = factor * t^t_power * r^power (ecfr).

    The paper's b = -r^2 is the default. `scale` multiplies the payoffs, on whose unit exp() depends.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("ecfr", Exponential(power=3), ExponentialMatching()).accumulate
    Exponential(factor=-1.0, t_power=0, power=3, scale=1.0)
    """

    factor: float = -1.0
    t_power: int = 0
    power: int = 2
    scale: float = 1.0
    code: ClassVar[int] = kernel.EXPONENTIAL
    stored: ClassVar[int] = 2

    def __post_init__(self) -> None:
        for what, number in (("the factor of b", self.factor), ("scale", self.scale)):
            constant(number, what)
        if self.scale <= 0.0:
            raise RueError(f"scale must be positive, not {self.scale:g}")
        for power in (self.t_power, self.power):
            if type(power) is not int or abs(power) >= LARGEST_POWER:
                raise RueError(f"the powers of t and r must be whole and below {LARGEST_POWER}, not {shown(power)}")


@dataclass(frozen=True)
class Custom(Accumulate):
    """A user's own rule in place of accumulate and match: see `rue.rule`."""

    function: Any
    memory: int = 0
    code: ClassVar[int] = kernel.CUSTOM

    @property
    def stored(self) -> int:  # type: ignore[override]
        """The strategy and its memory."""
        return 1 + self.memory


@dataclass(frozen=True)
class RegretMatching(Match):
    """sigma[a] proportional to R+[a]^exponent: exponent 1 is regret matching, others are trm's.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> from rue.names import Linear
    >>> Algorithm("mine", match=RegretMatching(exponent=Linear(1.005, 0.995))).needs_horizon
    True
    """

    exponent: Schedule = 1.0

    def __post_init__(self) -> None:
        EXPONENT.check(self.exponent)
        if self.exponent == 0:
            raise RueError("the exponent must be positive, not 0")

    @property
    def code(self) -> int:  # type: ignore[override]
        """The kernel's number: plain regret matching when the exponent is the number 1."""
        return kernel.REGRET_MATCHING if self.exponent == 1 else kernel.TEMPERATURE

    @property
    def nanoseconds(self) -> float:  # type: ignore[override]
        """Powers take their time."""
        return 3.0 if self.exponent == 1 else 9.0


@dataclass(frozen=True)
class NormalHedge(Match):
    """sigma[a] proportional to (R+/c) exp(R+^2/(2c)), c such that the mean of exp(R+^2/(2c)) is e (dcfr).

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("mine", accumulate=Discount(1.5, 0), match=NormalHedge()).match
    NormalHedge()
    """

    code: ClassVar[int] = kernel.NORMAL_HEDGE
    nanoseconds: ClassVar[float] = 12.0


@dataclass(frozen=True)
class ExponentialMatching(Match):
    """sigma[a] proportional to e^L1[a] R+[a] (ecfr eq. 9); goes with `Exponential`.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("mine", match=ExponentialMatching())
    Traceback (most recent call last):
    ...
    rue.errors.RueError: the exponential rule accumulates and matches together: use both of its parts or neither
    """

    code: ClassVar[int] = kernel.EXPONENTIAL_MATCHING
    nanoseconds: ClassVar[float] = 8.0


@dataclass(frozen=True)
class Anytime(Steps):
    """Step sizes sqrt(8 log A / t) / (2 * largest payoff): Hedge without a horizon.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("hedge", match=Softmax(Anytime())).needs_horizon
    False
    """


@dataclass(frozen=True)
class Fixed(Steps):
    """One step size for all infosets, a number or a schedule.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("hedge", match=Softmax(Fixed(0.1))).steps
    Fixed(step=0.1)
    """

    step: Schedule

    def __post_init__(self) -> None:
        STEP.check(self.step)

    def for_payoffs(self, times: float) -> Self:
        """Steps that fall as the payoffs grow."""
        return replace(self, step=divided(self.step, times))


@dataclass(frozen=True)
class Theory(Steps):
    """The step sizes of spcfr (eq. 14 to 16), times `factor`; kappa is the stability wanted, default n^(-1/4).

    factor None means: tuned, picked among 10, 100 and 1000 by a short run of each. Losses are divided by three times
    the largest that an infoset can see, as the theory wants; or, if `unit` is given, by that many payoffs and by the
    chance to be dealt what the player holds: with unit 1 they are chips per own hand, as spcfr's figures seem to have
    them.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("ftrl", match=Softmax(Theory(kappa=0.1))).needs_horizon
    False
    """

    kappa: float | None = None
    factor: float | None = 1.0
    unit: float | None = None

    def __post_init__(self) -> None:
        for what, number in (("kappa", self.kappa), ("factor", self.factor), ("unit", self.unit)):
            if number is not None and constant(number, what) <= 0.0:
                raise RueError(f"{what} must be positive, not {number:g}")

    def for_payoffs(self, times: float) -> Self:
        """A unit that grows with the payoffs."""
        return self if self.unit is None else replace(self, unit=times * self.unit)


@dataclass(frozen=True)
class Softmax(Match):
    """sigma[a] proportional to exp(step * R[a]): Hedge; (O)FTRL with the entropy regulariser.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("oftrl", match=Softmax(Theory()), prediction="propagated").steps
    Theory(kappa=None, factor=1.0, unit=None)
    """

    steps: Steps = field(default_factory=Anytime)
    code: ClassVar[int] = kernel.SOFTMAX
    nanoseconds: ClassVar[float] = 7.5

    def __post_init__(self) -> None:
        self.check_steps()


@dataclass(frozen=True)
class Projection(Match):
    """sigma = the point of the simplex nearest to step * R: (O)FTRL with the Euclidean regulariser.

    >>> from rue.algorithms.algorithm import Algorithm
    >>> Algorithm("oftrl", match=Projection(Fixed(0.1)), prediction="propagated").match
    Projection(steps=Fixed(step=0.1))
    """

    steps: Steps = field(default_factory=Anytime)
    code: ClassVar[int] = kernel.PROJECTION
    nanoseconds: ClassVar[float] = 20.0

    def __post_init__(self) -> None:
        self.check_steps()
