"""The points of a curve: how good the average strategy was after some iterations, and the mean of many seeds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zerosum.support.text import format_number
from zerosum.support.validation import decode_count, decode_number

X = Literal["iterations", "seconds", "nodes"]
"""What a curve may run along."""
CONFIDENCE = 0.95
ROUNDING = 1e-9
"""Of an exploitability that is nothing but rounding, beside a value."""


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
    """The nodes touched, where they are counted: chance moves and ends included, for both players' walks together."""

    @property
    def band(self) -> str:
        """Where the mean of many seeds lies, in words; nothing for a single run."""
        return ""

    def along(self, x: X) -> float | None:
        """Where the point lies on an axis; None where its nodes were not counted."""
        return {"iterations": self.iteration, "seconds": self.seconds, "nodes": self.nodes}[x]


@dataclass(frozen=True)
class RakedPoint(Point):
    """The same where the house takes a rake, as much as this on average."""

    rake: float = 0.0


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
    """A point of a file: counts are counts, and nothing is negative but a value and what rounding makes of zero."""
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
    """Check the points of a file and their order.

    >>> check_curve([Point(2, 0.1, 0.0, 0.0, 0.5), Point(1, 0.2, 0.0, 0.0, 0.5)])
    Traceback (most recent call last):
    ValueError: the curve has iteration 1 after iteration 2
    """
    curve = tuple(map(check_point, points))
    for point, following in itertools.pairwise(curve):
        if point.iteration > following.iteration:
            raise ValueError(f"the curve has iteration {following.iteration} after iteration {point.iteration}")
    return curve


def point_of(row: Sequence[Any]) -> Point:
    """A point of a file: its numbers in order, that of a rake last if there is one."""
    return Point(*row) if len(row) < len(RakedPoint.__dataclass_fields__) else RakedPoint(*row)


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
