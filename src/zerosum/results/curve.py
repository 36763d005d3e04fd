"""The points of a curve: the quality of the average strategy after some iterations, also averaged over many seeds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zerosum.support.text import format_number
from zerosum.support.validation import decode_count, decode_number

X = Literal["iterations", "seconds", "nodes"]
"""The horizontal axis of a curve."""
CONFIDENCE = 0.95
ROUNDING = 1e-9
"""The exploitability that rounding alone can cause, relative to the value."""


@dataclass(frozen=True)
class Point:
    """The quality of the average strategy after some iterations.

    >>> import zerosum
    >>> [point.iteration for point in zerosum.solve("kuhn", iterations=5).curve]
    [1, 2, 3, 4, 5]
    """

    iteration: int
    seconds: float
    exploitability: float
    nash_conv: float
    value: float
    nodes: int | None = None
    """The nodes touched, where they are counted, of both players' walks, chance nodes and ends included."""

    @property
    def band(self) -> str:
        """The confidence interval of a mean as text; empty for a single run."""
        return ""

    def get_coordinate(self, x: X) -> float | None:
        """Return the position on a horizontal axis; None if nodes were not counted."""
        return {"iterations": self.iteration, "seconds": self.seconds, "nodes": self.nodes}[x]


@dataclass(frozen=True)
class RakedPoint(Point):
    """A point of a game with a rake."""

    rake: float = 0.0
    """The mean rake."""


@dataclass(frozen=True)
class MeanPoint(Point):
    """The mean of many seeds; the mean exploitability lies between `low` and `high` with 95% confidence.

    >>> import zerosum
    >>> point = zerosum.repeat("kuhn", "mccfr", seeds=4, nodes=10_000).curve[-1]
    >>> point.low < point.exploitability < point.high
    True
    """

    low: float = 0.0
    high: float = 0.0

    @property
    def band(self) -> str:
        return f"{format_number(max(0.0, self.low))} to {format_number(self.high)}"


def check_point(point: Point) -> Point:
    """Return a point from a file; refuse counts that are none, and negative numbers that rounding does not explain."""
    decode_count(point.iteration)
    if point.nodes is not None:
        decode_count(point.nodes)
    least = -ROUNDING * max(1.0, abs(decode_number(point.value)))
    for name in ("seconds", "exploitability", "nash_conv"):
        if decode_number(getattr(point, name)) < least:
            raise ValueError(f"{name} is {getattr(point, name)}, which is less than nothing")
    if not math.isclose(point.nash_conv, 2 * point.exploitability, rel_tol=ROUNDING, abs_tol=-least):
        raise ValueError(f"nash_conv is {point.nash_conv}, which is not twice the exploitability")
    return point


def check_curve(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the points from a file as a curve; refuse points that are damaged or out of order.

    >>> check_curve([Point(2, 0.1, 0.0, 0.0, 0.5), Point(1, 0.2, 0.0, 0.0, 0.5)])
    Traceback (most recent call last):
    ValueError: the curve has iteration 1 after iteration 2
    """
    curve = tuple(map(check_point, points))
    for point, following in itertools.pairwise(curve):
        if point.iteration > following.iteration:
            raise ValueError(f"the curve has iteration {following.iteration} after iteration {point.iteration}")
    return curve


def decode_point(row: Sequence[Any]) -> Point:
    """Return a point from its numbers in order, the rake last if there is one."""
    return Point(*row) if len(row) < len(RakedPoint.__dataclass_fields__) else RakedPoint(*row)


def compute_mean_and_margin(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half the width of its 95% interval by Student's t; 0 for a single number.

    >>> mean, margin = compute_mean_and_margin([1.0, 3.0])
    >>> mean, round(margin, 3), compute_mean_and_margin([2.0])
    (2.0, 12.706, (2.0, 0.0))
    """
    count = len(numbers)
    middle = math.fsum(numbers) / count
    if count == 1:
        return middle, 0.0
    from scipy.special import stdtrit

    spread = math.fsum((number - middle) ** 2 for number in numbers) / (count - 1)
    return middle, float(stdtrit(count - 1, 0.5 + CONFIDENCE / 2)) * math.sqrt(spread / count)
