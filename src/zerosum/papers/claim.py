"""A claim about the curves of a figure, and the verdict on it.

A claim has the paper's words in short and a test on the curves. It holds, it does not hold, it is not judged because
the runs were too short, or there is no difference: less than rounding causes (the same runs with payoffs times 1.1, 3,
7.3 and so on), or than repeats can distinguish. A run is judged by the geometric mean of its last third in log t, not
by its last point. The verdict is printed with its evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from zerosum.papers.curve import Curve
from zerosum.results.curve import compute_mean_and_margin

VerdictWord = Literal["holds", "does not hold", "no difference", "not judged"]
"""No difference: less than rounding causes, or than the 95% interval of repeats can distinguish."""
SINGLE_RUN_MARGIN = 0.25
"""A line that was run once has no band: a difference of less than this share counts as none. On rivers, most lines
differ by as much between runs that differ by the scale of the payoffs alone."""
VerdictWithEvidence = tuple[VerdictWord, str]
CurvesByPanel = Mapping[str, Mapping[str, Curve]]
"""Panel -> label -> curve."""
CurveNumber = Callable[[Curve], float]
"""A number of the curve of a single run."""


@dataclass(frozen=True)
class Verdict:
    """The text of a claim, the verdict on it, and the numbers that show it."""

    claim: str
    word: VerdictWord
    evidence: str


@dataclass(frozen=True)
class Claim:
    """A statement about the curves of a panel, which `decide` tests.

    `labels` are the curves that `decide` gets, () for all; `needs` is the length that they must have for a verdict.
    """

    text: str
    panel: str
    labels: tuple[str, ...]
    needs: float
    decide: Callable[..., VerdictWithEvidence]
    other_panels: tuple[str, ...] = ()
    """Panels whose curves with the same labels `decide` gets after those of `panel`."""
    has_rivals: bool = False
    """Whether `decide` gets the other curves of the panel too, as far as they were run, after those with the labels."""

    def judge(self, curves: CurvesByPanel) -> Verdict:
        """Return the verdict."""
        labels = self.labels or tuple(curves[self.panel])
        lines = [(panel, label) for panel in (self.panel, *self.other_panels) for label in labels]
        missing = [
            f"{label} of {panel}" if self.other_panels else label
            for panel, label in lines
            if label not in curves[panel]
        ]
        if missing or not labels:
            return Verdict(self.text, "not judged", f"{missing[0] if missing else 'nothing'} was not run")
        chosen = [curves[panel][label] for panel, label in lines]
        reached = min(curve.last_x for curve in chosen)
        if reached < self.needs:
            return Verdict(self.text, "not judged", f"needs {self.needs:,.0f}, the runs end at {reached:,.0f}")
        if self.has_rivals:
            chosen += [curve for label, curve in curves[self.panel].items() if label not in labels]
        return Verdict(self.text, *self.decide(*chosen))


class Pair(NamedTuple):
    """Two curves of a panel: the one that is said to be better, and the other."""

    panel: str
    better: str
    worse: str

    def build_claim(self, text: str, needs: float, decide: Callable[[Curve, Curve], VerdictWithEvidence]) -> Claim:
        """Return a claim that the two curves decide."""
        return Claim(text, self.panel, (self.better, self.worse), needs, decide)


def add_threshold(text: str, least: float, most: float = math.inf) -> str:
    """Return the text of a claim with the number that decides it, where the paper's words have none.

    >>> add_threshold("far ahead", 10), add_threshold("alike", 0.5, 2), add_threshold("worse", 1)
    ('far ahead (at least 10 times)', 'alike (within 2 times)', 'worse')
    """
    if most < math.inf:
        return f"{text} (within {most:g} times)" if most > 1 else text
    return f"{text} (at least {least:g} times)" if least != 1 else text


class Interval(NamedTuple):
    """A number and its interval: from the lowest to the highest of runs that differ by the scale of the payoffs alone,
    or the 95% interval of repeats."""

    low: float
    middle: float
    high: float

    def judge_between(self, least: float, most: float = math.inf) -> VerdictWord:
        """Return the verdict on the claim that the number lies between two others.

        >>> [Interval(*numbers).judge_between(1) for numbers in ((1.1, 1.2, 1.3), (0.9, 1.2, 1.3), (0.7, 0.8, 0.9))]
        ['holds', 'no difference', 'does not hold']
        """
        if least <= self.low and self.high <= most:
            return "holds"
        return "does not hold" if self.high < least or most < self.low else "no difference"

    def judge_above(self, least: float) -> VerdictWord:
        """Return the verdict on the claim that the number is larger than another.

        >>> [Interval(*numbers).judge_above(1) for numbers in ((1.0, 1.0, 1.0), (1.01, 1.01, 1.01), (1.01, 1.02, 1.03))]
        ['no difference', 'no difference', 'holds']
        """
        is_close = self.low == self.high and abs(self.middle - least) <= SINGLE_RUN_MARGIN * abs(least)
        return "no difference" if is_close else self.judge_between(least)

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

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.middle - other.middle, self.high - other.low)

    def __truediv__(self, other: Interval) -> Interval:
        return Interval(self.low / other.high, self.middle / other.middle, self.high / other.low)

    def __str__(self) -> str:
        low, middle, high = (f"{number:.5g}" if abs(number - 1.0) < 0.005 else f"{number:.3g}" for number in self)
        return middle if self.low == self.high else f"{middle} ({low} to {high})"


def measure_interval(curve: Curve, number: CurveNumber) -> Interval:
    """Return a number of a line, with the interval of its runs."""
    return build_interval([number(run) for run in curve.single_runs()], curve.repeats > 1)


def build_interval(numbers: Sequence[float], are_repeats: bool = False) -> Interval:
    """Return the first number with the range of all; of repeats, their mean with its 95% interval."""
    if are_repeats:
        middle, margin = compute_mean_and_margin(numbers)
        return Interval(middle - margin, middle, middle + margin)
    return Interval(min(numbers), numbers[0], max(numbers))


def measure_ratio(better: Curve, worse: Curve, first: float | None = None, last: float = math.inf) -> Interval:
    """Return how many times lower one line is than another, by their geometric means over a span of log x.

    By default the span is the last third of the logarithm of their common length. Repeats, which start alike, are
    compared run by run; other lines, every run with every other.
    """
    start, end = find_common_window(better, worse, first, last)
    better_logs, worse_logs = (
        [math.log(run.compute_mean_height(start, end)) for run in line.single_runs()] for line in (better, worse)
    )
    if better.repeats > 1 and len(better_logs) == len(worse_logs):
        differences = [high - low for low, high in zip(better_logs, worse_logs, strict=True)]
        logs = build_interval(differences, are_repeats=True)
    else:
        logs = build_interval(worse_logs) - build_interval(better_logs)
    return Interval(*map(math.exp, logs))


def find_common_window(better: Curve, worse: Curve, first: float | None, last: float = math.inf) -> tuple[float, float]:
    """Return the span of x over which two lines are compared: from `first` on, or the last third of log x."""
    end = min(better.last_x, worse.last_x, last)
    return end ** (2 / 3) if first is None else min(first, end), end


def compute_window_mean(curve: Curve, first: float | None = None, last: float = math.inf) -> float:
    """Return the number that a line is judged by: its geometric mean over a span, by default the last third of log x;
    for repeats, the mean of theirs."""
    return measure_interval(curve, lambda run: run.compute_mean_height(first, last)).middle


def describe_ratio(better: Curve, worse: Curve, ratio: Interval) -> str:
    """Return how far apart two lines are, as text."""
    if ratio.ratio_text == "equal":
        return f"{better.label} and {worse.label} are equal"
    return f"{better.label} is {ratio.ratio_text} than {worse.label}"


def describe_window(better: Curve, worse: Curve, first: float | None = None) -> str:
    """Return the numbers that both curves are judged by, as text."""
    start, end = find_common_window(better, worse, first)
    means = [compute_window_mean(curve, start, end) for curve in (better, worse)]
    where = f"from {start:,.0f} to {end:,.0f}" if start < end else f"at {end:,.0f}"
    return f"{means[0]:.3g} against {means[1]:.3g} {where}"


def describe_heights(better: Curve, worse: Curve, points: list[float]) -> str:
    """Return the heights of both curves at the first, the middle and the last of some points, as text."""
    chosen = sorted({points[0], points[len(points) // 2], points[-1]})
    return ", ".join(f"{better.height_at(x):.3g} against {worse.height_at(x):.3g} at {x:,.0f}" for x in chosen)
