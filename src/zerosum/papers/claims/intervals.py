"""A number with its interval, and whether two curves differ by more than rounding or chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from zerosum.papers.curve import Curve
from zerosum.results.curve import mean_and_margin

VerdictWord = Literal["holds", "does not hold", "no difference", "not judged"]
"""A verdict. No difference: less than rounding makes, or than the 95% interval of repeats can distinguish."""
SINGLE_RUN_MARGIN = 0.25
"""A line that was run once has no band: a difference of less than this share is none. Most lines on rivers differ by as
much between runs that differ by the scale of the payoffs alone."""
CurveNumber = Callable[[Curve], float]
"""A number of the curve of a single run."""


class Interval(NamedTuple):
    """A number and its interval: from the lowest to the highest of runs that differ by the scale of the payoffs alone,
    or the 95% interval of repeats."""

    low: float
    middle: float
    high: float

    def verdict(self, least: float, most: float = math.inf) -> VerdictWord:
        """Return the verdict on the claim that the number lies between two others.

        >>> Interval(1.1, 1.2, 1.3).verdict(1), Interval(0.9, 1.2, 1.3).verdict(1), Interval(0.7, 0.8, 0.9).verdict(1)
        ('holds', 'no difference', 'does not hold')
        """
        if least <= self.low and self.high <= most:
            return "holds"
        return "does not hold" if self.high < least or most < self.low else "no difference"

    def exceeds(self, least: float) -> VerdictWord:
        """Return the verdict on the claim that the number is larger than another.

        >>> [Interval(*numbers).exceeds(1) for numbers in ((1.0, 1.0, 1.0), (1.01, 1.01, 1.01), (1.01, 1.02, 1.03))]
        ['no difference', 'no difference', 'holds']
        """
        close = self.low == self.high and abs(self.middle - least) <= SINGLE_RUN_MARGIN * abs(least)
        return "no difference" if close else self.verdict(least)

    @property
    def ratio_text(self) -> str:
        """The number as text: how many times lower, or higher.

        >>> Interval(2.0, 2.0, 2.0).ratio_text, Interval(0.4, 0.5, 0.5).ratio_text, Interval(1.0, 1.0, 1.0).ratio_text
        ('2 times lower', '2 (2 to 2.5) times higher', 'equal')
        """
        if self.low == self.high == 1.0:
            return "equal"
        if self.middle >= 1.0:
            return f"{self} times lower"
        return f"{Interval(1 / self.high, 1 / self.middle, 1 / self.low)} times higher"

    def __str__(self) -> str:
        band = "" if self.low == self.high else f" ({_short(self.low)} to {_short(self.high)})"
        return f"{_short(self.middle)}{band}"


def _short(number: float) -> str:
    """Return a number with three digits, or five where three would make it 1.

    >>> _short(1.2345), _short(1.00321)
    ('1.23', '1.0032')
    """
    return f"{number:.5g}" if abs(number - 1.0) < 0.005 else f"{number:.3g}"


def common_verdict(verdicts: Sequence[VerdictWord]) -> VerdictWord:
    """Return the verdict that several runs share; no difference if they disagree.

    >>> common_verdict(["holds", "holds"]), common_verdict(["holds", "does not hold"])
    ('holds', 'no difference')
    """
    return verdicts[0] if len(set(verdicts)) == 1 else "no difference"


def interval_of(curve: Curve, number: CurveNumber) -> Interval:
    """Return a number of a line, with the interval of its runs."""
    numbers = [number(run) for run in curve.single_runs()]
    return interval_of_runs(numbers[0], numbers, curve.repeats > 1)


def interval_of_runs(first: float, numbers: Sequence[float], repeated: bool) -> Interval:
    """Return a number with the range of its runs; for repeats their mean with its 95% interval."""
    if repeated:
        middle, margin = mean_and_margin(numbers)
        return Interval(middle - margin, middle, middle + margin)
    return Interval(min(numbers), first, max(numbers))


def times_lower(better: Curve, worse: Curve, first: float | None = None, last: float = math.inf) -> Interval:
    """Return how many times lower one line is than another, by their geometric means over a span of log x.

    By default the span is the last third of the logarithm of their common length. Repeats, which start alike, are
    compared run by run; other lines, every run with every other.
    """
    end = min(better.last, worse.last, last)
    start = end ** (2 / 3) if first is None else min(first, end)
    better_logs, worse_logs = (
        [math.log(run.average(start, end)) for run in line.single_runs()] for line in (better, worse)
    )
    if better.repeats > 1 and len(better_logs) == len(worse_logs):
        middle, margin = mean_and_margin([high - low for low, high in zip(better_logs, worse_logs, strict=True)])
        logs = middle - margin, middle, middle + margin
    else:
        logs = min(worse_logs) - max(better_logs), worse_logs[0] - better_logs[0], max(worse_logs) - min(better_logs)
    return Interval(*map(math.exp, logs))


def window_mean(curve: Curve, first: float | None = None, last: float = math.inf) -> float:
    """Return the number that a line is judged by: its geometric mean over a span, by default the last third of log x;
    for repeats, the mean of theirs."""
    return interval_of(curve, lambda run: run.average(first, last)).middle


def ratio_sentence(better: Curve, worse: Curve, times: Interval) -> str:
    """Return how far apart two lines are, as text."""
    if times.ratio_text == "equal":
        return f"{better.label} and {worse.label} are equal"
    return f"{better.label} is {times.ratio_text} than {worse.label}"


def window_text(better: Curve, worse: Curve, first: float | None = None) -> str:
    """Return the numbers that both curves are judged by, as text."""
    end = min(better.last, worse.last)
    start = end ** (2 / 3) if first is None else min(first, end)
    means = [window_mean(curve, start, end) for curve in (better, worse)]
    where = f"from {start:,.0f} to {end:,.0f}" if start < end else f"at {end:,.0f}"
    return f"{means[0]:.3g} against {means[1]:.3g} {where}"


def heights_text(better: Curve, worse: Curve, points: list[float]) -> str:
    """Return the heights of both curves at the first, the middle and the last of some points, as text."""
    chosen = sorted({points[0], points[len(points) // 2], points[-1]})
    return ", ".join(f"{better.at(x):.3g} against {worse.at(x):.3g} at {x:,.0f}" for x in chosen)
