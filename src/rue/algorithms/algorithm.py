"""An algorithm is data: a choice at each of six points of one loop.

order        whose turn it is: alternating or simultaneous updates
gradient     against the opponent's current plan, or the current and the previous one
accumulate   how the iteration's regret r enters R and how R is discounted
match        how R, and a prediction, becomes the next strategy
instant      whether the value passed up comes from the old strategy or from the one just updated
average      the weight of an iteration in the average, and which iterations are left out

A seventh, `sampling`, walks a sample of the histories instead of all of them. The choices are in `choices`.
"""

from __future__ import annotations

from dataclasses import field, replace
from numbers import Integral
from typing import Any, Literal

import numpy as np

from rue.algorithms.averages import POWER, Average, Power, Weighted
from rue.algorithms.choice import Choice
from rue.algorithms.choices import (
    EXPONENT,
    STEP,
    Accumulate,
    Anytime,
    Custom,
    Discount,
    Exponential,
    ExponentialMatching,
    Fixed,
    Match,
    Projection,
    RegretMatching,
    Softmax,
    Steps,
    Theory,
)
from rue.algorithms.sampling import ExternalSampling, Sampling
from rue.algorithms.schedules import Floats, moves
from rue.checked import check_flag, shown
from rue.errors import RueError
from rue.records import dataclass
from rue.regret import rule as kernel

STORED_NANOSECONDS = 6.5
"""What an infoset-action takes at least where the strategy is stored."""
KINDS: dict[str, tuple[Any, str]] = {
    "name": (str, "a text"),
    "accumulate": (Accumulate, "a choice like Discount()"),
    "match": (Match, "a choice like RegretMatching()"),
    "sampling": (Sampling | None, "a choice like ExternalSampling()"),
}
FLAGS = ("prediction_discounted", "both_plans", "instant", "exact")
Order = Literal["alternating", "simultaneous"]
Prediction = Literal["none", "last", "propagated"]


@dataclass(frozen=True)
class Algorithm(Choice):
    """A combination of choices; what means nothing is refused when it is built.

    >>> dcfr = Algorithm("mine", accumulate=Discount(1.5, 0.0), average=Power(2))
    >>> dcfr.coefficients(1, 3, 100)[:, :3].round(3).tolist()
    [[1.0, 1.0, 0.0], [0.5, 0.5, 0.25], [0.739, 0.5, 0.444]]
    """

    name: str = "custom"
    accumulate: Accumulate = field(default_factory=Discount)
    match: Match = field(default_factory=RegretMatching)
    average: Average = field(default_factory=Power)
    """A function of t in its place is `Weighted` by it."""
    order: Order = "alternating"
    prediction: Prediction = "none"
    prediction_discounted: bool = False
    """Whether R is discounted before the prediction is added (PDCFR+), or not (optimistic RM)."""
    both_plans: bool = False
    instant: bool = False
    sampling: Sampling | None = None
    """What is left to chance; None walks every history."""
    exact: bool = False
    """The exact solution by linear programming: no other choice means anything."""
    first: int = 1
    """The player who updates first, where updates alternate: 1 or 2."""

    def __post_init__(self) -> None:
        for what, (kind, known) in KINDS.items():
            if not isinstance(getattr(self, what), kind):
                raise RueError(f"{what} must be {known}, not {shown(getattr(self, what))}")
        for what in FLAGS:
            check_flag(what, getattr(self, what))
        if not isinstance(self.average, Average):
            object.__setattr__(self, "average", Weighted(self.average))
        if self.order not in ("alternating", "simultaneous"):
            raise RueError(f"order must be alternating or simultaneous, not {shown(self.order)}")
        if self.prediction not in ("none", "last", "propagated"):
            raise RueError(f"prediction must be none, last or propagated, not {shown(self.prediction)}")
        if isinstance(self.first, bool) or not isinstance(self.first, Integral) or self.first not in (1, 2):
            raise RueError(f"first must be 1 or 2, the player who updates first, not {shown(self.first)}")
        object.__setattr__(self, "first", int(self.first))
        if self.first == 2 and self.order == "simultaneous":
            raise RueError("nobody updates first where both update at once: first goes with alternating updates")
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
        if not isinstance(self.accumulate, Discount) or self.accumulate.immediate:
            raise RueError("a sampled walk adds regret, which is discounted or not")
        if not isinstance(self.match, RegretMatching):
            raise RueError("a sampled walk uses regret matching, plain or with an exponent (trm-)")
        if callable(self.match.exponent):
            raise RueError("the exponent of a sampled walk is a number or goes from one to another (trm-mccfr(1, 0.9))")
        if self.prediction != "none" or self.instant:
            raise RueError("a sampled regret predicts nothing: predictions and instant updates need full walks")
        if self.both_plans and not isinstance(self.sampling, ExternalSampling):
            raise RueError("a walk against the last two plans (rtrm-) samples externally, as in rtrm-mccfr")
        if self.order != "alternating":
            raise RueError("a sampled walk updates the players in turn: order must be alternating")
        if self.first != 1:
            raise RueError("a sampled walk is made for player 1 first: first goes with walks over every history")
        if not isinstance(self.average, Power) or self.average.skip:
            why = "skips nothing and is weighted by no function of t"
            raise RueError(f"a sampled average {why}: discount it by periods, as in linear-mccfr")

    def check_histories(self) -> None:
        """Refuse what samples with exponents or against the last two plans: only walks over histories know how."""
        if self.sampling is not None and (self.match != RegretMatching() or self.both_plans):
            raise RueError(f"{self.name} walks histories: it is for games that are enumerated (kuhn, leduc, ...)")

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
            first=self.first - 1,
            both_plans=int(self.both_plans),
            power=self.accumulate.power if isinstance(self.accumulate, Exponential) else 0,
        )

    @property
    def stored(self) -> int:
        """How many numbers more than regret and average an infoset-action has: one more where the strategy is stored
        for a prediction, one for the gradient of the last iteration."""
        return self.accumulate.stored + int(self.prediction != "none") + int(self.both_plans)

    @property
    def nanoseconds(self) -> float:
        """About what an infoset-action takes in an iteration on a hold'em spot, of one thread."""
        return max(STORED_NANOSECONDS if self.stored else 0.0, self.match.nanoseconds)

    @property
    def steps(self) -> Steps | None:
        """The step sizes, for the rules that have any."""
        return self.match.steps

    @property
    def needs_horizon(self) -> bool:
        """Whether some number depends on how many iterations the run has."""
        schedules: list[object] = []
        if isinstance(self.accumulate, Discount):
            schedules += [self.accumulate.alpha, self.accumulate.beta]
        if isinstance(self.match, RegretMatching):
            schedules.append(self.match.exponent)
        if isinstance(self.steps, Fixed):
            schedules.append(self.steps.step)
        theory = isinstance(self.steps, Theory) and (self.steps.kappa is None or self.steps.factor is None)
        return theory or self.average.needs_horizon or any(moves(schedule) for schedule in schedules)

    def check_horizon(self, n: int) -> None:
        """Refuse a number of iterations that is none, or that the average skips altogether."""
        if not isinstance(n, int | float | np.number) or n < 1 or n % 1 != 0:
            raise RueError(f"the number of iterations must be a whole number of at least 1, not {n!r}")
        self.average.check(n)

    def coefficients(self, first: int, last: int, n: int) -> Floats:
        """The numbers of the iterations first..last of a run of n, a row each, for the kernels."""
        if last < first - 1 or last % 1 != 0:
            raise RueError(f"a run goes on for a whole number of iterations, not for {last - first + 1}")
        t = np.arange(first, last + 1, dtype=np.float64)
        c = np.ones((len(t), kernel.COEFFICIENTS))
        c[:, kernel.ITERATION] = t
        c[:, kernel.KEEP], c[:, kernel.WEIGHT] = self.average.factors(t, n)
        if isinstance(self.accumulate, Discount):
            discounted = t if self.accumulate.immediate else t - 1.0
            c[:, kernel.POSITIVE], c[:, kernel.NEGATIVE] = self.accumulate.factors(discounted, n)
            if self.prediction_discounted:
                factors = self.accumulate.factors(t, n)
                c[:, kernel.PREDICT_POSITIVE], c[:, kernel.PREDICT_NEGATIVE] = factors
        elif isinstance(self.accumulate, Exponential):
            c[:, kernel.FACTOR] = self.accumulate.factor * t**self.accumulate.t_power
            c[:, kernel.SCALE] = self.accumulate.scale
        if isinstance(self.match, RegretMatching):
            c[:, kernel.EXPONENT] = EXPONENT.at(self.match.exponent, t, n)
        if isinstance(self.steps, Anytime):
            c[:, kernel.STEP] = 1.0 / np.sqrt(t)
        elif isinstance(self.steps, Fixed):
            c[:, kernel.STEP] = STEP.at(self.steps.step, t, n)
        return c

    def after_period(self, n: int, periods: int) -> tuple[float, float, float]:
        """The factors of positive regret, negative regret and the average after period n of a sampled run.

        >>> from rue.algorithms.sampling import ExternalSampling
        >>> Algorithm(sampling=ExternalSampling(initial=0.1)).after_period(1, 5)
        (0.1, 0.1, 0.1)
        """
        if self.sampling is None or not isinstance(self.accumulate, Discount) or not isinstance(self.average, Power):
            raise RueError(f"{self.name} does not sample: it discounts by iterations, not by periods")
        t = np.array([float(n)])
        first = self.sampling.initial if n == 1 else 1.0
        positive, negative = (float(factor[0]) for factor in self.accumulate.factors(t, periods))
        average = float(((t / (t + 1.0)) ** POWER.at(self.average.power, t, periods))[0])
        return first * positive, first * negative, first * average

    def with_factor(self, factor: float) -> Algorithm:
        """The same with its step sizes of theory multiplied by another factor."""
        if not isinstance(self.match, Softmax | Projection) or not isinstance(self.match.steps, Theory):
            raise RueError(f"{self.name} has no step sizes of theory to multiply")
        return replace(self, match=replace(self.match, steps=replace(self.match.steps, factor=factor)))

    def for_payoffs(self, times: float) -> Algorithm:
        """The same algorithm where every payoff is so many times as large: what depends on their unit is adapted.

        >>> Algorithm("hedge", match=Softmax(Fixed(0.1))).for_payoffs(2.0).steps
        Fixed(step=0.05)
        """
        if times == 1.0:
            return self
        found = self
        if isinstance(self.accumulate, Exponential):
            found = replace(found, accumulate=replace(self.accumulate, scale=self.accumulate.scale / times))
        if isinstance(self.match, Softmax | Projection):
            found = replace(found, match=replace(self.match, steps=self.match.steps.for_payoffs(times)))
        return found

    def __str__(self) -> str:
        return self.name
