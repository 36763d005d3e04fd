"""An algorithm as data: a choice at each of six points of one loop.

order        who updates when: alternating or simultaneous updates
gradient     against the opponent's current plan, or the current and the previous one
accumulate   how the iteration's regret r enters R and how R is discounted
match        how R, and a prediction, becomes the next strategy
instant      whether the value passed up comes from the old strategy or from the one just updated
average      the weight of an iteration in the average, and which iterations are left out

A seventh, `sampling`, walks a sample of the histories instead of all of them. The classes of the choices are in
`choices`, `averages` and `sampling`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np

from zerosum.algorithms import kernel_rule as kernel
from zerosum.algorithms.averages import POWER, Average, Power, Weighted
from zerosum.algorithms.choices import (
    Accumulate,
    CustomRule,
    Discount,
    Exponential,
    ExponentialMatching,
    Match,
    RegretMatching,
    RegularisedLeader,
    Steps,
    Theory,
)
from zerosum.algorithms.sampling import ExternalSampling, Sampling
from zerosum.algorithms.schedules import Choice, Floats
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_bool, short_repr

STORED_STRATEGY_NS = 6.5
"""The shortest time in nanoseconds for an infoset-action whose strategy is stored."""
ACCUMULATE_CODES = {
    "accumulate_discounted": kernel.DISCOUNTED,
    "accumulate_immediate": kernel.IMMEDIATE,
    "custom": kernel.CUSTOM,
}
"""The numbers of the formulas that the kernels contain."""
CHOICE_TYPES: dict[str, tuple[Any, str]] = {
    "name": (str, "a string"),
    "accumulate": (Accumulate, "a choice like Discount()"),
    "match": (Match, "a choice like RegretMatching()"),
    "sampling": (Sampling | None, "a choice like ExternalSampling()"),
}
FLAGS = ("prediction_discounted", "both_plans", "instant", "exact")
Order = Literal["alternating", "simultaneous"]
Prediction = Literal["none", "last", "propagated"]


@dataclass(frozen=True)
class Algorithm(Choice):
    """An algorithm: a choice at each point of its loop. Choices that cannot be combined raise an error.

    - `name`: the name in tables and plots
    - `accumulate`: how regret is accumulated, `Discount` or `Exponential`
    - `match`: how regret becomes a strategy, such as `RegretMatching` or `NormalHedge`
    - `average`: the weights of the iterations in the average, `Power`, `Weighted` or a function of t
    - `order`: `"alternating"` or `"simultaneous"` updates
    - `first`: the player who updates first, 1 or 2, if updates alternate
    - `prediction`: the prediction that is added to regret: `"none"`, `"last"` (the last regret), or `"propagated"` (the
      last gradient through the new strategies)
    - `prediction_discounted`: whether it is added to the discounted regret (PDCFR+) or to regret itself (optimistic RM)
    - `both_plans`: whether regret is against the opponent's last two plans or the current one only
    - `instant`: whether the value passed up comes from the strategy just updated or from the old one
    - `sampling`: the choices that a walk samples, such as `ExternalSampling()`; None visits every history
    - `exact`: the exact solution by linear programming, which ignores all other choices

    >>> dcfr = Algorithm("mine", accumulate=Discount(1.5, 0.0), average=Power(2))
    >>> dcfr.coefficients(1, 3, 100)[:, :3].round(3).tolist()
    [[1.0, 1.0, 0.0], [0.5, 0.5, 0.25], [0.739, 0.5, 0.444]]
    """

    name: str = "custom"
    accumulate: Accumulate = field(default_factory=Discount)
    match: Match = field(default_factory=RegretMatching)
    average: Average = field(default_factory=Power)
    order: Order = "alternating"
    prediction: Prediction = "none"
    prediction_discounted: bool = False
    both_plans: bool = False
    instant: bool = False
    sampling: Sampling | None = None
    exact: bool = False
    first: int = 1

    def __post_init__(self) -> None:
        for name, (kind, description) in CHOICE_TYPES.items():
            if not isinstance(getattr(self, name), kind):
                raise ZerosumError(f"{name} must be {description}, not {short_repr(getattr(self, name))}")
        for name in FLAGS:
            check_bool(name, getattr(self, name))
        if not isinstance(self.average, Average):
            object.__setattr__(self, "average", Weighted(self.average))
        if self.order not in ("alternating", "simultaneous"):
            raise ZerosumError(f"order must be alternating or simultaneous, not {short_repr(self.order)}")
        if self.prediction not in ("none", "last", "propagated"):
            raise ZerosumError(f"prediction must be none, last or propagated, not {short_repr(self.prediction)}")
        if isinstance(self.first, bool) or not isinstance(self.first, Integral) or self.first not in (1, 2):
            raise ZerosumError(f"first must be 1 or 2, the player who updates first, not {short_repr(self.first)}")
        object.__setattr__(self, "first", int(self.first))
        if self.first == 2 and self.order == "simultaneous":
            raise ZerosumError("simultaneous updates have no player who updates first: first needs alternating updates")
        exponential = isinstance(self.accumulate, Exponential)
        if exponential != isinstance(self.match, ExponentialMatching):
            raise ZerosumError(
                "the exponential rule accumulates and matches together: use both of its parts or neither"
            )
        if exponential and self.prediction != "none":
            raise ZerosumError("the exponential rule already weights by the last regret: leave prediction at none")
        if self.accumulate.floor and isinstance(self.match, RegularisedLeader):
            raise ZerosumError("Hedge and FTRL use negative regret, too: leave out the floor")
        if isinstance(self.accumulate, CustomRule) and self.prediction != "none":
            raise ZerosumError("a user-defined rule does its own prediction: leave prediction at none")
        if self.sampling is not None:
            self._check_sampling()

    def _check_sampling(self) -> None:
        """Refuse choices that cannot be combined with sampling."""
        if not isinstance(self.accumulate, Discount) or self.accumulate.immediate:
            raise ZerosumError("a sampled walk accumulates regret with Discount(): use it, without immediate")
        if not isinstance(self.match, RegretMatching):
            raise ZerosumError(
                "a sampled walk needs regret matching: use RegretMatching(), with an exponent (trm-) if you like"
            )
        if callable(self.match.exponent):
            raise ZerosumError(
                "the exponent of a sampled walk cannot be a function: use a number, or two as in trm-mccfr(1, 0.9)"
            )
        if self.prediction != "none" or self.instant:
            raise ZerosumError(
                "predictions and instant updates need walks over every history: leave them out, or do not sample"
            )
        if self.both_plans and not isinstance(self.sampling, ExternalSampling):
            raise ZerosumError("regret against the last two plans (rtrm-) needs external sampling, as in rtrm-mccfr")
        if self.order != "alternating":
            raise ZerosumError("a sampled walk updates the players in turn: order must be alternating")
        if self.first != 1:
            raise ZerosumError("sampled walks always update player 1 first: leave out first, or do not sample")
        if not isinstance(self.average, Power) or self.average.skip:
            raise ZerosumError(
                "a sampled average cannot skip iterations or weight them by a function of t: discount it by periods, "
                "as in linear-mccfr"
            )

    def check_without_enumeration(self) -> None:
        """Refuse sampling with exponents or against the last two plans, for games that are not enumerated."""
        if self.sampling is not None and (self.match != RegretMatching() or self.both_plans):
            raise ZerosumError(f"{self.name} walks histories: use it on games that are enumerated (kuhn, leduc, ...)")

    @property
    def kernel_rule(self) -> kernel.KernelRule:
        """The choices as integers for the kernels; rare formulas get their numbers when they are compiled."""
        return kernel.KernelRule(
            accumulate=ACCUMULATE_CODES.get(self.accumulate.formula, kernel.OTHER),
            match=kernel.REGRET_MATCHING if self.match.formula == "regret_matching" else kernel.OTHER,
            predict=("none", "last", "propagated").index(self.prediction),
            floor=int(self.accumulate.floor),
            instant=int(self.instant),
            simultaneous=int(self.order == "simultaneous"),
            first=self.first - 1,
            both_plans=int(self.both_plans),
            weighted=int(self.accumulate.weighted),
            has_steps=int(self.steps is not None),
        )

    @property
    def extra_arrays(self) -> int:
        """The values stored for each infoset-action besides regret and average: those of the rule, the strategy
        if there is a prediction, and the last gradient if both plans are used."""
        return self.accumulate.extra_arrays + int(self.prediction != "none") + int(self.both_plans)

    @property
    def cost_ns(self) -> float:
        """The approximate time in nanoseconds of an infoset-action in an iteration on a hold'em spot, in one thread."""
        return max(STORED_STRATEGY_NS if self.extra_arrays else 0.0, self.match.cost_ns)

    @property
    def steps(self) -> Steps | None:
        """The step sizes, for the rules that have any."""
        return self.match.steps

    def check_horizon(self, n: int) -> None:
        """Refuse a number of iterations that is invalid, or of which the average skips all."""
        if not isinstance(n, int | float | np.number) or n < 1 or n % 1 != 0:
            raise ZerosumError(f"the number of iterations must be a whole number of at least 1, not {n!r}")
        self.average.check_length(n)

    def coefficients(self, first: int, last: int, n: int) -> Floats:
        """Return the coefficients of the iterations first..last of a run of n, a row for each iteration."""
        if last < first - 1 or last % 1 != 0:
            raise ZerosumError(f"the number of iterations must be whole, not {last - first + 1}")
        t = np.arange(first, last + 1, dtype=np.float64)
        c = np.ones((len(t), kernel.N_COEFFICIENTS))
        c[:, kernel.ITERATION] = t
        c[:, kernel.AVERAGE_FACTOR], c[:, kernel.ITERATION_WEIGHT] = self.average.factors(t, n)
        self.accumulate.fill_coefficients(c, t, n)
        self.match.fill_coefficients(c, t, n)
        if self.prediction_discounted and isinstance(self.accumulate, Discount):
            c[:, kernel.PREDICT_POSITIVE], c[:, kernel.PREDICT_NEGATIVE] = self.accumulate.factors(t, n)
        return c

    def period_factors(self, n: int, periods: int) -> tuple[float, float, float]:
        """Return the factors of positive regret, negative regret and the average after period n of a sampled run.

        >>> from zerosum.algorithms.sampling import ExternalSampling
        >>> Algorithm(sampling=ExternalSampling(initial=0.1)).period_factors(1, 5)
        (0.1, 0.1, 0.1)
        """
        if self.sampling is None or not isinstance(self.accumulate, Discount) or not isinstance(self.average, Power):
            raise ZerosumError(f"{self.name} does not sample: it discounts by iterations, not by periods")
        t = np.array([float(n)])
        first = self.sampling.initial if n == 1 else 1.0
        positive, negative = (float(factor[0]) for factor in self.accumulate.factors(t, periods))
        average = float(((t / (t + 1.0)) ** POWER.evaluate(self.average.power, t, periods))[0])
        return first * positive, first * negative, first * average

    def with_step_factor(self, factor: float) -> Algorithm:
        """Return the same algorithm with its theoretical step sizes multiplied by a factor."""
        if not isinstance(self.match, RegularisedLeader) or not isinstance(self.match.steps, Theory):
            raise ZerosumError(f"{self.name} has no theoretical step sizes to multiply")
        return replace(self, match=replace(self.match, steps=replace(self.match.steps, factor=factor)))

    def rescale(self, factor: float) -> Self:
        """Return the same algorithm where every payoff is `factor` times as large.

        >>> from zerosum.algorithms.choices import Fixed, Softmax
        >>> Algorithm("hedge", match=Softmax(Fixed(0.1))).rescale(2.0).steps
        Fixed(step=0.05)
        """
        if factor == 1.0:
            return self
        return replace(self, accumulate=self.accumulate.rescale(factor), match=self.match.rescale(factor))

    def __str__(self) -> str:
        return self.name
