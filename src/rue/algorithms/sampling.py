"""What a sampled walk leaves to chance, and when it discounts: an algorithm's seventh choice (Lanctot et al. 2009).

A full traversal visits every history once an iteration. A sampled one visits a few, drawn so that the counterfactual
values are right in expectation. Its clock is nodes touched: every node that a walk enters counts, chance moves and ends
included, and regret and average are discounted when a period of them is over (dcfr, "Discounted Monte Carlo CFR").
"""

from __future__ import annotations

import math
from typing import ClassVar

from rue.algorithms.choice import Choice
from rue.algorithms.schedules import constant
from rue.errors import RueError
from rue.records import dataclass

PERIOD = 10**7
"""Nodes touched in a period, as in the dcfr paper."""


@dataclass(frozen=True, kw_only=True)
class Periods(Choice):
    """After period n the regret is discounted as after iteration n of a full traversal, and so is the average.

    `Discount` and `Power` are read with t = n, so `Discount(1, 1)` and `Power(1)` multiply by n/(n+1). `initial`
    multiplies both once more, after the first period.
    """

    period: float = PERIOD
    initial: float = 1.0

    def __post_init__(self) -> None:
        if constant(self.period, "period") < 1 or self.period != int(self.period):
            raise RueError(f"period must be a whole number of nodes, at least 1, not {self.period:g}")
        if not 0.0 <= constant(self.initial, "the factor of the first period") <= 1.0:
            raise RueError(f"the factor of the first period must be between 0 and 1, not {self.initial:g}")

    def count(self, nodes: float | None) -> int:
        """How many periods a run of so many nodes has; 1 if its end is not known.

        >>> ExternalSampling(period=10).count(95), ExternalSampling().count(None)
        (10, 1)
        """
        return 1 if nodes is None else max(1, math.ceil(nodes / self.period))


@dataclass(frozen=True, kw_only=True)
class ExternalSampling(Periods):
    """External sampling: one action of the opponent and of chance, all actions of the player who learns.

    >>> ExternalSampling(period=1e6)
    ExternalSampling(period=1000000.0, initial=1.0)
    """

    code: ClassVar[int] = 0


@dataclass(frozen=True, kw_only=True)
class OutcomeSampling(Periods):
    """Outcome sampling: one action everywhere. The player who learns takes a uniform one with probability `explore`.

    With `baseline`, every action keeps a running mean of its sampled values with this step, and what a sample says is
    the difference from it (VR-MCCFR, Schmid et al. 2019).

    >>> OutcomeSampling(explore=0.4).baseline is None
    True
    """

    explore: float = 0.6
    baseline: float | None = None
    code: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < constant(self.explore, "explore") <= 1.0:
            raise RueError(f"explore must be above 0 and at most 1, not {self.explore:g}")
        if self.baseline is not None and not 0.0 < constant(self.baseline, "the step of the baseline") <= 1.0:
            raise RueError(f"the step of the baseline must be above 0 and at most 1, not {self.baseline:g}")


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(Periods):
    """Chance sampling: one outcome of every chance move, all actions of both players (Zinkevich et al. 2007).

    >>> ChanceSampling().period == 1e7
    True
    """

    code: ClassVar[int] = 2


@dataclass(frozen=True, kw_only=True)
class PublicChanceSampling(Periods):
    """Public chance sampling: one board, all private cards and all actions (Johanson et al. 2012). For card games.

    >>> PublicChanceSampling(initial=0.1).initial
    0.1
    """

    code: ClassVar[int] = 3


Sampling = ExternalSampling | OutcomeSampling | ChanceSampling | PublicChanceSampling
