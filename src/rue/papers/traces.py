"""What a run leaves for a picture: a curve, or those of many runs with their band."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict, field, replace
from itertools import pairwise
from typing import Any

from rue.records import dataclass
from rue.results.points import mean_and_margin

SHARE = 2 / 3
"""Where the window begins that runs are judged by: at this share of the logarithm of their length."""
BYTES = "bytes"
"""The note of the memory that a solver takes, with all that its walk needs."""
DIGITS = 5
"""Of the curves of single runs as they are kept."""


@dataclass(frozen=True)
class Trace:
    """The curve of a line: x, y, its band, and what it took.

    Repeated runs (other seeds or other spots) give their mean with its 95% interval. A run that was made once, and once
    more with each of some other scales of the payoffs, gives its own curve and the lowest and highest of all: what
    rounding makes of it.

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
    """Of computing, the sum over all runs."""
    repeats: int = 1
    notes: dict[str, float] = field(default_factory=dict)
    runs: tuple[tuple[float, ...], ...] = ()
    """The heights of every run, if there are several; those of repeats in their order, else that of the payoffs as they
    are first."""
    run: str = ""
    """What was asked for: an algorithm on a game ..."""
    length: int = 0
    """... for so many iterations or nodes."""
    rue: str = ""
    """The version that computed it."""

    @property
    def last(self) -> float:
        """How far the run went."""
        return self.x[-1]

    @property
    def end(self) -> float:
        """What it reached."""
        return self.y[-1]

    @property
    def first_judged(self) -> float:
        """Where the window begins that it is judged by: the last third of the logarithm of its length."""
        return float(self.last**SHARE)

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON; without the band where there is none."""
        content = asdict(self)
        if self.low == self.high == self.y:
            del content["low"], content["high"]
        return content

    def edges(self) -> tuple[Trace, Trace]:
        """The lower and the upper edge of its band as curves."""
        return replace(self, y=self.low), replace(self, y=self.high)

    def each(self) -> Iterator[Trace]:
        """The curve of every run alone."""
        for heights in self.runs or (self.y,):
            yield replace(self, y=heights, low=heights, high=heights, repeats=1, runs=())

    def average(self, first: float | None = None, last: float = math.inf) -> float:
        """The geometric mean of the curve over a span of log x; by default the window that it is judged by.

        >>> x = tuple(float(number) for number in range(1, 1001))
        >>> y = tuple(1 / number for number in x)
        >>> round(Trace("cfr", "cfr", x, y, y, y).average(), 6) == round(1 / math.sqrt(100 * 1000), 6)
        True
        """
        first, last = self.first_judged if first is None else first, min(last, self.last)
        points = sorted({min(first, last), *self.between(first, last), last})
        heights = [math.log(max(self.at(x), 5e-324)) for x in points]
        if len(points) == 1:
            return math.exp(heights[0])
        steps = [math.log(b / a) for a, b in pairwise(points)]
        middles = [(a + b) / 2 for a, b in pairwise(heights)]
        weighed = math.fsum(step * height for step, height in zip(steps, middles, strict=True))
        return math.exp(weighed / math.fsum(steps))

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
        runs=_kept(runs, count),
    )


def rounded(label: str, runs: Sequence[Trace]) -> Trace:
    """The first run, with what other scales of the payoffs make of it as its band."""
    if len(runs) == 1:
        return replace(runs[0], label=label)
    count = min(len(run.x) for run in runs)
    heights = [[run.y[i] for run in runs] for i in range(count)]
    return replace(
        runs[0],
        label=label,
        x=runs[0].x[:count],
        y=runs[0].y[:count],
        low=tuple(map(min, heights)),
        high=tuple(map(max, heights)),
        seconds=sum(run.seconds for run in runs),
        runs=_kept(runs, count),
    )


def of_runs(label: str, runs: Sequence[Trace], scaled: bool) -> Trace:
    """The curve of a line from those of its runs: repeats, or one with several scales of its payoffs."""
    return rounded(label, runs) if scaled else mean(label, runs)


def _kept(runs: Sequence[Trace], count: int) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(f"{y:.{DIGITS}g}") for y in run.y[:count]) for run in runs)
