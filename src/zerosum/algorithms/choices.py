"""How regret is accumulated and matched, and step sizes.

Each choice is a small class that contains everything about a rule: its parameters, which it checks and whose columns of
the coefficients it fills; its `formula`, the name of a function in `engine/updates/accumulation.py` or
`engine/updates/matching.py`; and its cost. `cost_ns` is the time in nanoseconds of an infoset-action in an iteration
on a hold'em spot in one thread, as measured by `benchmarks/pick.py`; `extra_arrays` is the number of values
that it stores for each infoset-action besides regret and average.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from zerosum.algorithms import kernel_rule as kernel
from zerosum.algorithms.schedules import Choice, Floats, Parameter, Schedule, check_constant, divide_schedule
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_bool, short_repr

MAX_POWER = 10
ALPHA, BETA = Parameter("alpha", infinite=True), Parameter("beta", infinite=True)
EXPONENT, STEP = Parameter("the exponent", least=0.0), Parameter("the step size", least=0.0)


class Accumulate(Choice):
    """How an iteration's regret r enters the accumulated regret R."""

    formula: ClassVar[str]
    extra_arrays: ClassVar[int] = 0
    weighted: ClassVar[bool] = False
    """Whether the rule stores a weight for each action, which also weighs the average."""
    floor: bool = False
    """Whether R is kept at zero or above."""


class Match(Choice):
    """How R becomes the next strategy."""

    formula: ClassVar[str]
    cost_ns: ClassVar[float]
    steps: Steps | None = None
    """The step sizes, if the formula has any."""


class Steps(Choice):
    """The step sizes of Hedge and FTRL."""


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
    def formula(self) -> str:  # type: ignore[override]
        return "accumulate_immediate" if self.immediate else "accumulate_discounted"

    @property
    def extra_arrays(self) -> int:  # type: ignore[override]
        """One for the strategy, unless it can be computed from R again."""
        return int(self.immediate)

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        """Discount what iterations 1 to t - 1 have added, or what iteration t adds."""
        c[:, kernel.POSITIVE], c[:, kernel.NEGATIVE] = self.factors(t if self.immediate else t - 1.0, n)

    def __post_init__(self) -> None:
        ALPHA.check_schedule(self.alpha)
        BETA.check_schedule(self.beta)
        check_bool("floor", self.floor)
        check_bool("immediate", self.immediate)

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """Return the factors of positive and of negative regret after iteration t; 1 after iteration 0."""
        alpha, beta = ALPHA.evaluate(self.alpha, t, n), BETA.evaluate(self.beta, t, n)
        return _discount_factor(alpha, t), _discount_factor(beta, t)


def _discount_factor(exponent: Floats, t: Floats) -> Floats:
    """Return t^exponent / (t^exponent + 1), where exponents may be infinite."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        logit = np.where(np.isinf(exponent), exponent, exponent * np.log(t))
        factor: Floats = 1.0 / (1.0 + np.exp(-logit))
    return np.where(t > 0, factor, 1.0)


@dataclass(frozen=True)
class Exponential(Accumulate):
    """R[a] += e^L1[a] r[a] where r[a] > 0, else e^L1[a] b with b = factor * t^t_power * r^power (ecfr).

    The paper's b = -r^2 is the default. `scale` multiplies the payoffs, on whose unit exp() depends.

    >>> Exponential(power=3)
    Exponential(factor=-1.0, t_power=0, power=3, scale=1.0)
    """

    factor: float = -1.0
    t_power: int = 0
    power: int = 2
    scale: float = 1.0
    formula: ClassVar[str] = "accumulate_exponential"
    extra_arrays: ClassVar[int] = 2
    weighted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, number in (("the factor of b", self.factor), ("scale", self.scale)):
            check_constant(number, name)
        if self.scale <= 0.0:
            raise ZerosumError(f"scale must be positive, not {self.scale:g}")
        for power in (self.t_power, self.power):
            if type(power) is not int or abs(power) >= MAX_POWER:
                raise ZerosumError(
                    f"the powers of t and r must be whole and below {MAX_POWER}, not {short_repr(power)}"
                )

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        c[:, kernel.PARAMETER_1] = self.factor * t**self.t_power
        c[:, kernel.PARAMETER_2] = self.scale
        c[:, kernel.PARAMETER_3] = self.power

    def rescale(self, factor: float) -> Self:
        """Divide the scale, so that exp() sees the same numbers."""
        return replace(self, scale=self.scale / factor)


@dataclass(frozen=True)
class CustomRule(Accumulate):
    """A user-defined rule in place of accumulate and match: see `zerosum.rule`."""

    function: Any
    memory: int = 0
    formula: ClassVar[str] = "custom"
    needs_horizon = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ZerosumError(f"a rule must be a function, not {self.function!r}")
        if isinstance(self.memory, bool) or not isinstance(self.memory, int) or self.memory < 0:
            raise ZerosumError(f"memory must be a whole number of arrays, not {self.memory!r}")

    @property
    def extra_arrays(self) -> int:  # type: ignore[override]
        return 1 + self.memory


@dataclass(frozen=True)
class RegretMatching(Match):
    """sigma[a] proportional to R+[a]^exponent: exponent 1 is regret matching, others are trm's.

    >>> from zerosum.support.call_syntax import Linear
    >>> RegretMatching(exponent=Linear(1.005, 0.995)).needs_horizon
    True
    """

    exponent: Schedule = 1.0

    def __post_init__(self) -> None:
        EXPONENT.check_schedule(self.exponent)
        if self.exponent == 0:
            raise ZerosumError("the exponent must be positive, not 0")

    @property
    def formula(self) -> str:  # type: ignore[override]
        """Plain regret matching when the exponent is the number 1."""
        return "regret_matching" if self.exponent == 1 else "temperature_matching"

    @property
    def cost_ns(self) -> float:  # type: ignore[override]
        """Plain regret matching takes a third of the time of powers."""
        return 3.0 if self.exponent == 1 else 9.0

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        c[:, kernel.EXPONENT] = EXPONENT.evaluate(self.exponent, t, n)


@dataclass(frozen=True)
class NormalHedge(Match):
    """sigma[a] proportional to (R+/c) exp(R+^2/(2c)), c such that the mean of exp(R+^2/(2c)) is e (dcfr).

    >>> NormalHedge().cost_ns
    12.0
    """

    formula: ClassVar[str] = "normal_hedge"
    cost_ns: ClassVar[float] = 12.0


@dataclass(frozen=True)
class ExponentialMatching(Match):
    """sigma[a] proportional to e^L1[a] R+[a] (ecfr eq. 9), the other half of `Exponential`.

    >>> from zerosum.algorithms.algorithm import Algorithm
    >>> Algorithm("mine", match=ExponentialMatching())
    Traceback (most recent call last):
    zerosum.ZerosumError: the exponential rule accumulates and matches together: use both of its parts or neither
    """

    formula: ClassVar[str] = "exponential_matching"
    cost_ns: ClassVar[float] = 8.0


@dataclass(frozen=True)
class Anytime(Steps):
    """Step sizes sqrt(8 log A / t) / (2 * largest payoff): Hedge without a horizon.

    >>> Anytime().needs_horizon
    False
    """

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        c[:, kernel.STEP] = 1.0 / np.sqrt(t)


@dataclass(frozen=True)
class Fixed(Steps):
    """One step size for all infosets, a number or a schedule.

    >>> Fixed(0.1).rescale(2.0)
    Fixed(step=0.05)
    """

    step: Schedule

    def __post_init__(self) -> None:
        STEP.check_schedule(self.step)

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        c[:, kernel.STEP] = STEP.evaluate(self.step, t, n)

    def rescale(self, factor: float) -> Self:
        return replace(self, step=divide_schedule(self.step, factor))


@dataclass(frozen=True)
class Theory(Steps):
    """The step sizes of spcfr (eq. 14 to 16), times `factor`; kappa is the stability, n^(-1/4) by default.

    With factor None, it is tuned: powers of 10 are tried for a tenth of the run each, as long as they improve. Losses
    are divided by three times the largest possible loss at an infoset, as the theory requires. With a `unit`, they are
    divided by that number of chips and by the probability that the player is dealt the hand, and the factors tried are
    10, 100 and 1000; with unit 1, losses are chips per hand, as they seem to be in spcfr's figures.

    >>> Theory(kappa=0.1).needs_horizon, Theory().needs_horizon
    (False, True)
    """

    kappa: float | None = None
    factor: float | None = 1.0
    unit: float | None = None

    def __post_init__(self) -> None:
        for name, number in (("kappa", self.kappa), ("factor", self.factor), ("unit", self.unit)):
            if number is not None and check_constant(number, name) <= 0.0:
                raise ZerosumError(f"{name} must be positive, not {number:g}")

    @property
    def needs_horizon(self) -> bool:
        return self.kappa is None or self.factor is None

    def rescale(self, factor: float) -> Self:
        """Multiply the unit, if it is given."""
        return self if self.unit is None else replace(self, unit=factor * self.unit)


@dataclass(frozen=True)
class RegularisedLeader(Match):
    """Hedge and (O)FTRL: sigma maximises step * R less a regulariser."""

    steps: Steps = field(default_factory=Anytime)

    def __post_init__(self) -> None:
        if not isinstance(self.steps, Steps):
            raise ZerosumError(f"steps must be step sizes like Anytime() or Fixed(0.1), not {short_repr(self.steps)}")

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        self.steps.fill_coefficients(c, t, n)

    def rescale(self, factor: float) -> Self:
        return replace(self, steps=self.steps.rescale(factor))


@dataclass(frozen=True)
class Softmax(RegularisedLeader):
    """sigma[a] proportional to exp(step * R[a]): Hedge; (O)FTRL with the entropy regulariser.

    >>> Softmax(Theory())
    Softmax(steps=Theory(kappa=None, factor=1.0, unit=None))
    """

    formula: ClassVar[str] = "softmax"
    cost_ns: ClassVar[float] = 7.5


@dataclass(frozen=True)
class Projection(RegularisedLeader):
    """sigma = the point of the simplex nearest to step * R: (O)FTRL with the Euclidean regulariser.

    >>> Projection(Fixed(0.1))
    Projection(steps=Fixed(step=0.1))
    """

    formula: ClassVar[str] = "projection"
    cost_ns: ClassVar[float] = 20.0
