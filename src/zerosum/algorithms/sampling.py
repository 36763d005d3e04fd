"""Sampling, the seventh choice: which moves are sampled, and when regret is discounted (Lanctot et al. 2009).

A full traversal visits every history in every iteration. A sampled walk visits a few, drawn so that the expected
counterfactual values are right. Its clock counts the nodes touched, including chance nodes and terminal nodes; regret
and average are discounted after each period, such as 10^7 nodes (dcfr, "Discounted Monte Carlo CFR").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from zerosum.algorithms.schedules import Choice, check_constant
from zerosum.support.errors import ZerosumError

PERIOD = 10**7
"""Nodes touched in a period, as in the dcfr paper."""


@dataclass(frozen=True, kw_only=True)
class Sampling(Choice):
    """What a walk samples. Regret and average are discounted after each period, as full traversals do by iterations.

    `Discount` and `Power` are read with t = n after period n, so `Discount(1, 1)` and `Power(1)` multiply by n/(n+1).
    `initial` is another factor of both, after the first period only.
    """

    code: ClassVar[int]
    """The number by which kernels distinguish the classes."""

    period: float = PERIOD
    initial: float = 1.0

    def __post_init__(self) -> None:
        if check_constant(self.period, "period") < 1 or self.period != int(self.period):
            raise ZerosumError(f"period must be a whole number of nodes, at least 1, not {self.period:g}")
        if not 0.0 <= check_constant(self.initial, "the factor of the first period") <= 1.0:
            raise ZerosumError(f"the factor of the first period must be between 0 and 1, not {self.initial:g}")

    def n_periods(self, nodes: float | None) -> int:
        """Return the number of periods in a run of `nodes` nodes; 1 if it has no limit of nodes.

        >>> ExternalSampling(period=10).n_periods(95), ExternalSampling().n_periods(None)
        (10, 1)
        """
        return 1 if nodes is None else max(1, math.ceil(nodes / self.period))


@dataclass(frozen=True, kw_only=True)
class ExternalSampling(Sampling):
    """External sampling: one action of the opponent and of chance, all actions of the player who is updated.

    >>> ExternalSampling(period=1e6)
    ExternalSampling(period=1000000.0, initial=1.0)
    """

    code: ClassVar[int] = 0


@dataclass(frozen=True, kw_only=True)
class OutcomeSampling(Sampling):
    """Outcome sampling: one action at every node; the updated player's is uniform with probability `explore`.

    With `baseline`, the value of every action is estimated by a running mean of its samples with this step size, which
    each sample corrects by its difference. This reduces the variance (VR-MCCFR, Schmid et al. 2019).

    >>> OutcomeSampling(explore=0.4).baseline is None
    True
    """

    explore: float = 0.6
    baseline: float | None = None
    code: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < check_constant(self.explore, "explore") <= 1.0:
            raise ZerosumError(f"explore must be above 0 and at most 1, not {self.explore:g}")
        if self.baseline is not None and not 0.0 < check_constant(self.baseline, "the step of the baseline") <= 1.0:
            raise ZerosumError(f"the step of the baseline must be above 0 and at most 1, not {self.baseline:g}")


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(Sampling):
    """Chance sampling: one outcome of every chance move, all actions of both players (Zinkevich et al. 2007).

    >>> ChanceSampling().period == 1e7
    True
    """

    code: ClassVar[int] = 2


@dataclass(frozen=True, kw_only=True)
class PublicChanceSampling(Sampling):
    """Public chance sampling: one board, all private cards and all actions (Johanson et al. 2012). For card games.

    >>> PublicChanceSampling(initial=0.1).initial
    0.1
    """

    code: ClassVar[int] = 3
