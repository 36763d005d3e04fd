"""The points of a curve: how good the average strategy was after some iterations, and the mean of many seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rue.words import short

X = Literal["iterations", "seconds", "nodes"]
"""What a curve may run along."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Point:
    """The quality of the average strategy after some iterations.

    >>> import rue
    >>> [point.iteration for point in rue.solve("kuhn", iterations=5).curve]
    [1, 2, 3, 4, 5]
    """

    iteration: int
    seconds: float
    exploitability: float
    nash_conv: float
    value: float
    nodes: int | None = None
    """The nodes touched, where they are counted: chance moves and ends included, for both players' walks together."""

    @property
    def band(self) -> str:
        """Where the mean of many seeds lies, in words; nothing for a single run."""
        return ""

    def along(self, x: X) -> float | None:
        """Where the point lies on an axis; None where its nodes were not counted."""
        return {"iterations": self.iteration, "seconds": self.seconds, "nodes": self.nodes}[x]


@dataclass(frozen=True)
class MeanPoint(Point):
    """The mean of many seeds; the mean exploitability lies between `low` and `high` with 95% confidence.

    >>> import rue
    >>> point = rue.repeat("kuhn", "mccfr", seeds=4, nodes=10_000).curve[-1]
    >>> point.low < point.exploitability < point.high
    True
    """

    low: float = 0.0
    high: float = 0.0

    @property
    def band(self) -> str:
        return f"{short(max(0.0, self.low))} to {short(self.high)}"


def mean_and_margin(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95% interval by Student's t; 0 for a single number.

    >>> mean_and_margin([1.0, 3.0])[0], round(mean_and_margin([1.0, 3.0])[1], 3), mean_and_margin([2.0])
    (2.0, 12.706, (2.0, 0.0))
    """
    count = len(numbers)
    middle = math.fsum(numbers) / count
    if count == 1:
        return middle, 0.0
    from scipy.special import stdtrit

    spread = math.fsum((number - middle) ** 2 for number in numbers) / (count - 1)
    return middle, float(stdtrit(count - 1, 0.5 + CONFIDENCE / 2)) * math.sqrt(spread / count)
