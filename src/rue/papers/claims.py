"""What a paper says of a figure, as statements that the numbers decide.

Each claim has the paper's words in short and a test on the curves; it holds, does not hold, or is not judged because
the runs were too short for it. Nothing is asserted: the verdict is printed with the figures that show it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rue.papers.traces import Trace

Lines = Mapping[str, Trace]
"""Label -> curve."""
Traces = Mapping[str, Lines]
"""Panel -> label -> curve."""
Found = tuple[bool | None, str]
"""Whether a claim holds, and the figures."""


@dataclass(frozen=True)
class Verdict:
    """A claim's text, whether it holds (None: the runs are too short to tell), and the figures that show it."""

    claim: str
    holds: bool | None
    shown: str

    @property
    def word(self) -> str:
        """The verdict in words."""
        return {True: "holds", False: "does not hold", None: "not judged"}[self.holds]


@dataclass(frozen=True)
class Claim:
    """A statement about the curves of one panel that `decide` looks at.

    `labels` are the curves it speaks of, none stands for all; `needs` is how far they must go for a verdict.
    """

    text: str
    panel: str
    labels: tuple[str, ...]
    needs: float
    decide: Callable[[Traces], Found]

    def judge(self, traces: Traces) -> Verdict:
        """The verdict on the curves."""
        lines = traces[self.panel]
        named = self.labels or tuple(lines)
        missing = [label for label in named if label not in lines]
        if missing or not named:
            return Verdict(self.text, None, f"{missing[0] if missing else 'nothing'} was not run")
        reached = min(lines[label].last for label in named)
        if reached < self.needs:
            return Verdict(self.text, None, f"needs {self.needs:,.0f}, the runs end at {reached:,.0f}")
        return Verdict(self.text, *self.decide(traces))


def _claim(text: str, panel: str, labels: tuple[str, ...], needs: float, decide: Callable[..., Found]) -> Claim:
    """A claim that some curves of its panel decide."""
    return Claim(text, panel, labels, needs, lambda traces: decide(*(traces[panel][label] for label in labels)))


def lower(
    text: str,
    panel: str,
    better: str,
    worse: str,
    first: float = 1,
    share: float = 1.0,
    factor: float = 1.0,
    needs: float = 1,
) -> Claim:
    """One curve is at or below another at a share of the points from `first` on.

    `factor` is how far below: y(better) * factor <= y(worse); less than 1 leaves room for a tie.
    """

    def decide(one: Trace, two: Trace) -> Found:
        end = min(one.last, two.last)
        points = one.between(min(first, end), end) or [end]
        below = sum(one.at(x) * factor <= two.at(x) for x in points)
        told = "" if factor == 1 else f" (with a factor of {factor:g})"
        shown = f"below at {below} of {len(points)} points{told}; {ratios(one, two, points)}"
        return below >= share * len(points), shown

    return _claim(text, panel, (better, worse), needs, decide)


def ends_lower(text: str, panel: str, better: str, worse: str, factor: float = 1.0, needs: float = 1) -> Claim:
    """One curve ends below another, by a factor."""

    def decide(one: Trace, two: Trace) -> Found:
        end = min(one.last, two.last)
        return one.at(end) * factor <= two.at(end), ratios(one, two, [end])

    return _claim(text, panel, (better, worse), needs, decide)


def gain(
    text: str, panel: str, better: str, worse: str, least: float, most: float = math.inf, last: float = math.inf
) -> Claim:
    """How many times lower one curve is, on (geometric) average from 100 to `last`, lies between two numbers."""
    first = 100.0

    def decide(one: Trace, two: Trace) -> Found:
        points = one.between(first, min(one.last, two.last, last))
        times = statistics.geometric_mean(two.at(x) / one.at(x) for x in points if one.at(x) > 0 < two.at(x))
        return least <= times <= most, f"{times:.3g} times lower on average; {ratios(one, two, points)}"

    return _claim(text, panel, (better, worse), first, decide)


def larger_gain(text: str, panel: str, better: str, worse: str, second: str, needs: float = 1) -> Claim:
    """One curve's gain over another at the end is larger in this panel than in a second one."""

    def times(lines: Lines) -> float:
        end = min(lines[better].last, lines[worse].last)
        return lines[worse].at(end) / lines[better].at(end)

    def decide(traces: Traces) -> Found:
        here, there = times(traces[panel]), times(traces[second])
        return here > there, f"{here:.2f} times lower in {panel}, {there:.2f} times in {second}"

    return Claim(text, panel, (better, worse), needs, decide)


def overtakes(text: str, panel: str, better: str, worse: str, earliest: float, latest: float) -> Claim:
    """One curve is above another at first and below it from some point on, which lies in a span."""

    def decide(one: Trace, two: Trace) -> Found:
        end = min(one.last, two.last)
        above = [x for x in one.between(1, end) if one.at(x) > two.at(x)]
        when = above[-1] if above else 1.0
        if when >= end:
            return False, f"still above at {end:,.0f}: {ratios(one, two, [end])}"
        return earliest <= when <= latest, f"below for good after {when:,.0f}; {ratios(one, two, [when, end])}"

    return _claim(text, panel, (better, worse), latest, decide)


def faster(text: str, panel: str, better: str, worse: str, times: float, needs: float = 1) -> Claim:
    """One curve reaches what another ends with so many times sooner."""

    def decide(one: Trace, two: Trace) -> Found:
        sooner = one.first_below(two.end)
        if sooner is None:
            return False, f"{better} never reaches {two.end:.3g}, where {worse} ends"
        found = two.last / sooner
        return found >= times, f"{two.end:.3g} at {sooner:,.0f} instead of {two.last:,.0f}: {found:.1f} times"

    return _claim(text, panel, (better, worse), needs, decide)


def spike(text: str, panel: str, line: str, times: float = 2.0, first: float = 10) -> Claim:
    """A curve rises at some point to at least `times` what it was before."""

    def decide(trace: Trace) -> Found:
        lowest, rise, where = math.inf, 1.0, trace.last
        for x, y in zip(trace.x, trace.y, strict=True):
            if x >= first and y / lowest > rise:
                rise, where = y / lowest, x
            lowest = min(lowest, y)
        return rise >= times, f"rises at most {rise:.2f} times above what it had reached, at {where:,.0f}"

    return _claim(text, panel, (line,), 10 * first, decide)


def slope(
    text: str, panel: str, line: str, least: float = -math.inf, most: float = math.inf, first: float = 100
) -> Claim:
    """The slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    def decide(trace: Trace) -> Found:
        found = _slope(trace, first)
        return least <= found <= most, f"fitted slope {found:.3f} from {first:,.0f} on"

    return _claim(text, panel, (line,), 10 * first, decide)


def steeper(text: str, panel: str, better: str, worse: str, first: float = 1_000) -> Claim:
    """One curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    def decide(one: Trace, two: Trace) -> Found:
        fast, slow = _slope(one, first), _slope(two, first)
        return fast < slow, f"slopes {fast:.2f} and {slow:.2f}; {ratios(one, two, [min(one.last, two.last)])}"

    return _claim(text, panel, (better, worse), 10 * first, decide)


def _slope(trace: Trace, first: float) -> float:
    """The slope of a curve from a point on, by those of its points that have logarithms."""
    return fitted_slope([(x, y) for x, y in zip(trace.x, trace.y, strict=True) if x >= first and y > 0])


def fitted_slope(pairs: list[tuple[float, float]]) -> float:
    """The slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fitted_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    return statistics.linear_regression([math.log(x) for x, _ in pairs], [math.log(y) for _, y in pairs]).slope


def lowest(text: str, panel: str, among: tuple[str, ...], needs: float = 1) -> Claim:
    """One of some curves is the lowest of all at the end."""

    def decide(traces: Traces) -> Found:
        order = sorted(traces[panel].values(), key=lambda trace: trace.end)
        shown = ", ".join(f"{trace.label} {trace.end:.3g}" for trace in order[:4])
        return order[0].label in among, f"lowest first: {shown}"

    return Claim(text, panel, among, needs, decide)


def falls(text: str, panel: str, fraction: float, needs: float = 1_000) -> Claim:
    """Every curve ends at a fraction of the highest that it has been: it converges, also if it starts near the goal."""

    def decide(traces: Traces) -> Found:
        left = {label: trace.end / max(trace.y) for label, trace in traces[panel].items()}
        worst = max(left, key=lambda label: left[label])
        trace = traces[panel][worst]
        shown = f"the slowest is {worst}: {max(trace.y):.3g} at its highest, {trace.end:.3g} at {trace.last:,.0f}"
        return left[worst] <= fraction, shown

    return Claim(text, panel, (), needs, decide)


def note(text: str, panel: str, line: str, name: str, expected: float, within: float = 0.0) -> Claim:
    """A number that a run notes is what the paper says, within a fraction."""

    def decide(trace: Trace) -> Found:
        found = trace.notes.get(name)
        if found is not None:
            return abs(found - expected) <= within * expected, f"{found:,.0f}"
        if trace.last < expected:
            return None, f"needs {expected:,.0f}, the run ends at {trace.last:,.0f}"
        return False, "it did not happen in the run"

    return _claim(text, panel, (line,), 0.0, decide)


def ratios(better: Trace, worse: Trace, points: list[float]) -> str:
    """Both curves at a few points, in words."""
    chosen = sorted({points[0], points[len(points) // 2], points[-1]})
    told = [f"{better.at(x):.3g} against {worse.at(x):.3g} at {x:,.0f}" for x in chosen]
    return ", ".join(told)
