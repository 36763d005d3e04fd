"""An algorithm is data: a choice at each of six points of one loop.

order        whose turn it is: alternating or simultaneous updates
gradient     against the opponent's current plan, or the current and the previous one
accumulate   how the iteration's regret r enters R and how R is discounted
match        how R, and a prediction, becomes the next strategy
instant      whether the value passed up comes from the old strategy or from the one just updated
average      the weight of an iteration in the average, and which iterations are left out

A seventh, `sampling`, walks a sample of the histories instead of all of them. Each choice is a small class that knows
its formula as numbers of t; the kernels in `rue.regret` and `rue.solve` do the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from rue.algorithms.sampling import Sampling, first_factor
from rue.algorithms.schedules import Floats, Schedule, Uniform, at, checked, constant
from rue.errors import RueError
from rue.names import Linear
from rue.regret import update as kernel

Order = Literal["alternating", "simultaneous"]
Prediction = Literal["none", "last", "propagated"]


@dataclass(frozen=True)
class Discount:
    """R = d R + r with d = t^alpha/(t^alpha+1) where R > 0, t^beta/(t^beta+1) elsewhere (dcfr).

    alpha = inf means no discount, beta = -inf forgets negative regret; `floor` keeps R at zero or above (RM+).

    >>> Discount(alpha=1.5, beta=0).factors(np.array([4.0]), 100)
    (array([0.88888889]), array([0.5]))
    """

    alpha: Schedule = math.inf
    beta: Schedule = math.inf
    floor: bool = False
    code: ClassVar[int] = kernel.DISCOUNTED

    def __post_init__(self) -> None:
        checked(self.alpha, "alpha", infinite=True)
        checked(self.beta, "beta", infinite=True)

    def factors(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """The factors of positive and of negative regret after iteration t; 1 after iteration 0."""
        return _discount(at(self.alpha, t, n), t), _discount(at(self.beta, t, n), t)


def _discount(exponent: Floats, t: Floats) -> Floats:
    """t^exponent / (t^exponent + 1), infinities included."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        logit = np.where(np.isinf(exponent), exponent, exponent * np.log(t))
        factor: Floats = 1.0 / (1.0 + np.exp(-logit))
    return np.where(t > 0, factor, 1.0)


@dataclass(frozen=True)
class Exponential:
    """R[a] += e^L1[a] r[a] where r[a] > 0, else e^L1[a] b with b = factor * t^t_power * r^power (ecfr).

    The paper's b = -r^2 is the default. `scale` multiplies the payoffs, on whose unit exp() depends.

    >>> Algorithm("ecfr", Exponential(power=3), ExponentialMatching()).accumulate
    Exponential(factor=-1.0, t_power=0, power=3, scale=1.0)
    """

    factor: float = -1.0
    t_power: int = 0
    power: int = 2
    scale: float = 1.0
    code: ClassVar[int] = kernel.EXPONENTIAL
    floor: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for what, number in (("the factor of b", self.factor), ("scale", self.scale)):
            constant(number, what)
        if self.scale <= 0.0:
            raise RueError(f"scale must be positive, not {self.scale:g}")


@dataclass(frozen=True)
class Custom:
    """A user's own rule in place of accumulate and match: see `rue.rule`."""

    function: Any
    memory: int = 0
    code: ClassVar[int] = kernel.CUSTOM
    floor: ClassVar[bool] = False


@dataclass(frozen=True)
class RegretMatching:
    """sigma[a] proportional to R+[a]^exponent: exponent 1 is regret matching, others are trm's.

    >>> Algorithm("mine", match=RegretMatching(exponent=Linear(1.005, 0.995))).needs_horizon
    True
    """

    exponent: Schedule = 1.0

    def __post_init__(self) -> None:
        checked(self.exponent, "the exponent", least=0.0)
        if self.exponent == 0:
            raise RueError("the exponent must be positive, not 0")

    @property
    def code(self) -> int:
        """The kernel's number: plain regret matching when the exponent is the number 1."""
        return kernel.REGRET_MATCHING if self.exponent == 1 else kernel.TEMPERATURE


@dataclass(frozen=True)
class NormalHedge:
    """sigma[a] proportional to (R+/c) exp(R+^2/(2c)), c such that the mean of exp(R+^2/(2c)) is e (dcfr).

    >>> Algorithm("mine", accumulate=Discount(1.5, 0), match=NormalHedge(), average=Power(2)).match
    NormalHedge()
    """

    code: ClassVar[int] = kernel.NORMAL_HEDGE


@dataclass(frozen=True)
class ExponentialMatching:
    """sigma[a] proportional to e^L1[a] R+[a] (ecfr eq. 9); goes with `Exponential`.

    >>> Algorithm("mine", match=ExponentialMatching())
    Traceback (most recent call last):
    ...
    rue.errors.RueError: the exponential rule accumulates and matches together: use both of its parts or neither
    """

    code: ClassVar[int] = kernel.EXPONENTIAL_MATCHING


@dataclass(frozen=True)
class Anytime:
    """Step sizes sqrt(8 log A / t) / (2 * largest payoff): Hedge without a horizon.

    >>> Algorithm("hedge", match=Softmax(Anytime())).needs_horizon
    False
    """


@dataclass(frozen=True)
class Fixed:
    """One step size for all infosets, a number or a schedule.

    >>> Algorithm("hedge", match=Softmax(Fixed(0.1))).steps
    Fixed(step=0.1)
    """

    step: Schedule

    def __post_init__(self) -> None:
        checked(self.step, "the step size", least=0.0)


@dataclass(frozen=True)
class Theory:
    """The step sizes of spcfr (eq. 14 to 16), times `factor`; kappa is the stability wanted, default n^(-1/4).

    factor None means: tuned, picked among 10, 100 and 1000 by a short run of each.

    >>> Algorithm("ftrl", match=Softmax(Theory(kappa=0.1))).needs_horizon
    False
    """

    kappa: float | None = None
    factor: float | None = 1.0

    def __post_init__(self) -> None:
        for what, number in (("kappa", self.kappa), ("factor", self.factor)):
            if number is not None and constant(number, what) <= 0.0:
                raise RueError(f"{what} must be positive, not {number:g}")


Steps = Anytime | Fixed | Theory


@dataclass(frozen=True)
class Softmax:
    """sigma[a] proportional to exp(step * R[a]): Hedge; (O)FTRL with the entropy regulariser.

    >>> Algorithm("oftrl", match=Softmax(Theory()), prediction="propagated").steps
    Theory(kappa=None, factor=1.0)
    """

    steps: Steps = field(default_factory=Anytime)
    code: ClassVar[int] = kernel.SOFTMAX


@dataclass(frozen=True)
class Projection:
    """sigma = the point of the simplex nearest to step * R: (O)FTRL with the Euclidean regulariser.

    >>> Algorithm("oftrl", match=Projection(Fixed(0.1)), prediction="propagated").match
    Projection(steps=Fixed(step=0.1))
    """

    steps: Steps = field(default_factory=Anytime)
    code: ClassVar[int] = kernel.PROJECTION


@dataclass(frozen=True)
class Power:
    """Iteration t has weight t^power in the average, and the first ones are skipped.

    Done as a factor (t/(t+1))^power on what was accumulated. `skip` is a fraction of the run (below 1) or a number
    of iterations; until then the average is that of all iterations, then it starts anew.

    >>> Power(2).keep(np.array([1.0, 2.0, 3.0]), 100).round(3)
    array([0.   , 0.25 , 0.444])
    >>> Power(1, skip=0.5).first(100)
    51
    """

    power: Schedule = 0.0
    skip: float = 0

    def __post_init__(self) -> None:
        checked(self.power, "the power of the average", least=0.0)
        if constant(self.skip, "skip") < 0:
            raise RueError(f"skip must be at least 0, not {self.skip:g}")
        if self.skip >= 1 and self.skip != int(self.skip):
            raise RueError(f"skip must be a fraction below 1 or a whole number of iterations, not {self.skip:g}")

    def first(self, n: int) -> int:
        """The first iteration that counts."""
        return 1 + (min(round(self.skip * n), n - 1) if self.skip < 1 else int(self.skip))

    def keep(self, t: Floats, n: int) -> Floats:
        """The factor of the average before iteration t is added."""
        factor: Floats = ((t - 1.0) / t) ** at(self.power, t - 1.0, n)
        return np.where(t == self.first(n), 0.0, factor)


Accumulate = Discount | Exponential | Custom
Match = RegretMatching | NormalHedge | Softmax | Projection | ExponentialMatching


@dataclass(frozen=True)
class Algorithm:
    """A combination of choices; what means nothing is refused when it is built.

    >>> dcfr = Algorithm("mine", accumulate=Discount(1.5, 0.0), average=Power(2))
    >>> dcfr.coefficients(1, 3, 100)[:, :3].round(3).tolist()
    [[1.0, 1.0, 0.0], [0.5, 0.5, 0.25], [0.739, 0.5, 0.444]]
    """

    name: str = "custom"
    accumulate: Accumulate = field(default_factory=Discount)
    match: Match = field(default_factory=RegretMatching)
    average: Power = field(default_factory=Power)
    order: Order = "alternating"
    prediction: Prediction = "none"
    prediction_discounted: bool = False
    """Whether R is discounted before the prediction is added (PDCFR+), or not (optimistic RM)."""
    both_plans: bool = False
    instant: bool = False
    sampling: Sampling | None = None
    """What is left to chance; None walks every history."""

    def __post_init__(self) -> None:
        if self.order not in ("alternating", "simultaneous"):
            raise RueError(f"order must be alternating or simultaneous, not {self.order!r}")
        if self.prediction not in ("none", "last", "propagated"):
            raise RueError(f"prediction must be none, last or propagated, not {self.prediction!r}")
        exponential = isinstance(self.accumulate, Exponential)
        if exponential != isinstance(self.match, ExponentialMatching):
            raise RueError("the exponential rule accumulates and matches together: use both of its parts or neither")
        if exponential and self.prediction != "none":
            raise RueError("the exponential rule weighs by the last regret already: it takes no prediction")
        if self.accumulate.floor and isinstance(self.match, Softmax | Projection):
            raise RueError("a floor on regret means nothing to Hedge and FTRL, which also use negative regret")
        if isinstance(self.accumulate, Custom) and self.prediction != "none":
            raise RueError("a rule of one's own makes its own prediction: leave prediction at none")
        if self.sampling is not None:
            self._check_sampled()

    def _check_sampled(self) -> None:
        """Refuse what a sample of the histories cannot do."""
        if not isinstance(self.accumulate, Discount) or self.match != RegretMatching():
            raise RueError("a sampled walk adds regret, discounted or not, and uses plain regret matching")
        if self.prediction != "none" or self.both_plans or self.instant:
            raise RueError("a sampled regret predicts nothing: predictions, rtrm- and instant updates need full walks")
        if self.order != "alternating":
            raise RueError("a sampled walk updates the players in turn: order must be alternating")
        if self.average.skip:
            raise RueError("a sampled average skips nothing: discount it by periods, as in linear-mccfr")

    @property
    def rule(self) -> kernel.Rule:
        """The choices as integers for the kernels."""
        return kernel.Rule(
            accumulate=self.accumulate.code,
            match=self.match.code,
            predict=("none", "last", "propagated").index(self.prediction),
            floor=int(self.accumulate.floor),
            instant=int(self.instant),
            simultaneous=int(self.order == "simultaneous"),
            both_plans=int(self.both_plans),
            power=self.accumulate.power if isinstance(self.accumulate, Exponential) else 0,
        )

    @property
    def steps(self) -> Steps | None:
        """The step sizes, for the rules that have any."""
        return self.match.steps if isinstance(self.match, Softmax | Projection) else None

    @property
    def needs_horizon(self) -> bool:
        """Whether some number depends on how many iterations the run has."""
        schedules: list[object] = [self.average.power]
        if isinstance(self.accumulate, Discount):
            schedules += [self.accumulate.alpha, self.accumulate.beta]
        if isinstance(self.match, RegretMatching):
            schedules.append(self.match.exponent)
        if isinstance(self.steps, Fixed):
            schedules.append(self.steps.step)
        moving = any(isinstance(s, Linear) or (callable(s) and not isinstance(s, Uniform)) for s in schedules)
        theory = isinstance(self.steps, Theory) and (self.steps.kappa is None or self.steps.factor is None)
        return moving or theory or 0 < self.average.skip < 1

    def check_horizon(self, n: int) -> None:
        """Refuse a number of iterations that is none, or that the average skips altogether."""
        if n < 1:
            raise RueError(f"the number of iterations must be at least 1, not {n}")
        if self.average.first(n) > n:
            raise RueError(f"{self.name} skips {self.average.skip:g}, which leaves none of {n} iterations")

    def coefficients(self, first: int, last: int, n: int) -> Floats:
        """The numbers of the iterations first..last of a run of n, a row each, for the kernels."""
        t = np.arange(first, last + 1, dtype=np.float64)
        c = np.ones((len(t), kernel.COEFFICIENTS))
        c[:, kernel.ITERATION] = t
        c[:, kernel.KEEP] = self.average.keep(t, n)
        if isinstance(self.accumulate, Discount):
            c[:, kernel.POSITIVE], c[:, kernel.NEGATIVE] = self.accumulate.factors(t - 1.0, n)
            if self.prediction_discounted:
                factors = self.accumulate.factors(t, n)
                c[:, kernel.PREDICT_POSITIVE], c[:, kernel.PREDICT_NEGATIVE] = factors
        elif isinstance(self.accumulate, Exponential):
            c[:, kernel.FACTOR] = self.accumulate.factor * t**self.accumulate.t_power
            c[:, kernel.SCALE] = self.accumulate.scale
        if isinstance(self.match, RegretMatching):
            c[:, kernel.EXPONENT] = at(self.match.exponent, t, n)
        if isinstance(self.steps, Anytime):
            c[:, kernel.STEP] = 1.0 / np.sqrt(t)
        elif isinstance(self.steps, Fixed):
            c[:, kernel.STEP] = at(self.steps.step, t, n)
        return c

    def after_period(self, n: int, periods: int) -> tuple[float, float, float]:
        """The factors of positive regret, negative regret and the average after period n of a sampled run.

        >>> from rue.algorithms.sampling import ExternalSampling
        >>> Algorithm(sampling=ExternalSampling(initial=0.1)).after_period(1, 5)
        (0.1, 0.1, 0.1)
        """
        if self.sampling is None or not isinstance(self.accumulate, Discount):
            raise RueError(f"{self.name} does not sample: it discounts by iterations, not by periods")
        t = np.array([float(n)])
        first = first_factor(self.sampling, n)
        positive, negative = (float(factor[0]) for factor in self.accumulate.factors(t, periods))
        average = float(((t / (t + 1.0)) ** at(self.average.power, t, periods))[0])
        return first * positive, first * negative, first * average

    def with_factor(self, factor: float) -> Algorithm:
        """The same with its step sizes of theory multiplied by another factor."""
        if not isinstance(self.match, Softmax | Projection) or not isinstance(self.match.steps, Theory):
            raise RueError(f"{self.name} has no step sizes of theory to multiply")
        return replace(self, match=replace(self.match, steps=replace(self.match.steps, factor=factor)))

    def __str__(self) -> str:
        return self.name
