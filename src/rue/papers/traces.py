"""What a run leaves for a picture: a curve, or the mean of many with its band."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rue.results.points import mean_and_margin


@dataclass(frozen=True)
class Trace:
    """The curve of a line: x, y, the 95% band of the mean where runs were repeated, and what it took.

    >>> round(Trace("cfr", "cfr", (1, 100), (1.0, 0.01), (1.0, 0.01), (1.0, 0.01)).at(10), 9)
    0.1
    """

    label: str
    algorithm: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    seconds: float = 0.0
    """Of computing, the sum over repeats."""
    repeats: int = 1
    notes: dict[str, float] = field(default_factory=dict)

    @property
    def last(self) -> float:
        """How far the run went."""
        return self.x[-1]

    @property
    def end(self) -> float:
        """What it reached."""
        return self.y[-1]

    def at(self, x: float) -> float:
        """The height of the curve at a point, between its points by the logarithms of both axes."""
        after = bisect_left(self.x, x)
        if after in (0, len(self.x)):
            return self.y[min(after, len(self.x) - 1)]
        (a, b), (one, two) = self.x[after - 1 : after + 1], self.y[after - 1 : after + 1]
        share = math.log(x / a) / math.log(b / a)
        if one <= 0 or two <= 0:
            return one + share * (two - one)
        return math.exp(math.log(one) + share * math.log(two / one))

    def between(self, first: float, last: float) -> list[float]:
        """The points of x in a span."""
        return [x for x in self.x if first <= x <= last]

    def first_below(self, y: float) -> float | None:
        """The first point of x at which the curve is at or below a height."""
        return next((x for x, height in zip(self.x, self.y, strict=True) if height <= y), None)


def mean(label: str, runs: Sequence[Trace]) -> Trace:
    """The mean of repeats at the points that all of them have; sampled runs pass them at slightly different nodes."""
    if len(runs) == 1:
        return replace(runs[0], label=label)
    count = min(len(run.x) for run in runs)
    points = [mean_and_margin([run.y[i] for run in runs]) for i in range(count)]
    return Trace(
        label,
        runs[0].algorithm,
        tuple(math.fsum(run.x[i] for run in runs) / len(runs) for i in range(count)),
        tuple(middle for middle, _ in points),
        tuple(middle - margin for middle, margin in points),
        tuple(middle + margin for middle, margin in points),
        sum(run.seconds for run in runs),
        len(runs),
    )
