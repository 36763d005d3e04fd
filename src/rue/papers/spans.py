"""How far apart two curves are, and whether that is more than rounding or the luck of repeats makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from rue.papers.traces import Trace
from rue.results.points import mean_and_margin

Word = Literal["holds", "does not hold", "no difference", "not judged"]
"""A verdict. No difference: less than rounding, or the 95% interval of repeats, can tell apart."""
ONCE = 0.25
"""A line that was run once has no band: less than this share apart is no difference. So far apart come runs of most
lines on rivers that differ by the scale of the payoffs alone."""
Number = Callable[[Trace], float]
"""A number of a single run."""


class Span(NamedTuple):
    """A number and where it lies: between the lowest and the highest of runs that only differ by the scale of the
    payoffs, or in the 95% interval of repeats."""

    low: float
    middle: float
    high: float

    def word(self, least: float, most: float = math.inf) -> Word:
        """The verdict on the claim that the number lies between two others.

        >>> Span(1.1, 1.2, 1.3).word(1), Span(0.9, 1.2, 1.3).word(1), Span(0.7, 0.8, 0.9).word(1)
        ('holds', 'no difference', 'does not hold')
        """
        if least <= self.low and self.high <= most:
            return "holds"
        return "does not hold" if self.high < least or most < self.low else "no difference"

    def above(self, least: float) -> Word:
        """The verdict on the claim that the number is larger than another.

        >>> Span(1.0, 1.0, 1.0).above(1), Span(1.01, 1.01, 1.01).above(1), Span(1.01, 1.02, 1.03).above(1)
        ('no difference', 'no difference', 'holds')
        """
        close = self.low == self.high and abs(self.middle - least) <= ONCE * abs(least)
        return "no difference" if close else self.word(least)

    @property
    def told(self) -> str:
        """How many times lower, or higher, in words.

        >>> Span(2.0, 2.0, 2.0).told, Span(0.4, 0.5, 0.5).told, Span(1.0, 1.0, 1.0).told
        ('2 times lower', '2 (2 to 2.5) times higher', 'equal')
        """
        if self.low == self.high == 1.0:
            return "equal"
        if self.middle >= 1.0:
            return f"{self} times lower"
        return f"{Span(1 / self.high, 1 / self.middle, 1 / self.low)} times higher"

    def __str__(self) -> str:
        band = "" if self.low == self.high else f" ({_short(self.low)} to {_short(self.high)})"
        return f"{_short(self.middle)}{band}"


def _short(number: float) -> str:
    """Three digits, or five where three would call it 1.

    >>> _short(1.2345), _short(1.00321)
    ('1.23', '1.0032')
    """
    return f"{number:.5g}" if abs(number - 1.0) < 0.005 else f"{number:.3g}"


def together(words: Sequence[Word]) -> Word:
    """The verdict that several runs share; no difference if they disagree.

    >>> together(["holds", "holds"]), together(["holds", "does not hold"])
    ('holds', 'no difference')
    """
    return words[0] if len(set(words)) == 1 else "no difference"


def span_of(trace: Trace, number: Number) -> Span:
    """A number of the runs of a line."""
    found = [number(run) for run in trace.each()]
    return band(found[0], found, trace.repeats > 1)


def band(first: float, found: Sequence[float], repeated: bool) -> Span:
    """A number of a line and where that of its runs lies: of repeats the mean and its interval."""
    if repeated:
        middle, margin = mean_and_margin(found)
        return Span(middle - margin, middle, middle + margin)
    return Span(min(found), first, max(found))


def times_lower(better: Trace, worse: Trace, first: float | None = None, last: float = math.inf) -> Span:
    """How many times lower one line is than another by the geometric means over a span of log x, by default the last
    third of the logarithm of their common length.

    Repeats are compared run by run, which start alike; what else is compared is every run with every other.
    """
    end = min(better.last, worse.last, last)
    start = end ** (2 / 3) if first is None else min(first, end)
    one, two = ([math.log(run.average(start, end)) for run in line.each()] for line in (better, worse))
    if better.repeats > 1 and len(one) == len(two):
        middle, margin = mean_and_margin([b - a for a, b in zip(one, two, strict=True)])
        found = middle - margin, middle, middle + margin
    else:
        found = min(two) - max(one), two[0] - one[0], max(two) - min(one)
    return Span(*map(math.exp, found))


def judged(trace: Trace, first: float | None = None, last: float = math.inf) -> float:
    """What a line is judged by: its geometric mean over a span, by default the last third in log x; the mean of that of
    its repeats."""
    return span_of(trace, lambda run: run.average(first, last)).middle


def beside(better: Trace, worse: Trace, times: Span) -> str:
    """How far apart two lines are, in words."""
    if times.told == "equal":
        return f"{better.label} and {worse.label} are equal"
    return f"{better.label} is {times.told} than {worse.label}"


def windows(better: Trace, worse: Trace, first: float | None = None) -> str:
    """What both curves are judged by, in words."""
    end = min(better.last, worse.last)
    start = end ** (2 / 3) if first is None else min(first, end)
    means = [judged(trace, start, end) for trace in (better, worse)]
    where = f"from {start:,.0f} to {end:,.0f}" if start < end else f"at {end:,.0f}"
    return f"{means[0]:.3g} against {means[1]:.3g} {where}"


def ratios(better: Trace, worse: Trace, points: list[float]) -> str:
    """Both curves at a few points, in words."""
    chosen = sorted({points[0], points[len(points) // 2], points[-1]})
    told = [f"{better.at(x):.3g} against {worse.at(x):.3g} at {x:,.0f}" for x in chosen]
    return ", ".join(told)
