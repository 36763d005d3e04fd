"""What a paper says of a figure, as statements that the numbers decide.

Each claim has the paper's words in short and a test on the curves; it holds, does not hold, is not judged because the
runs were too short for it, or there is no difference: less than a change of rounding makes (the same runs with payoffs
times 1.1, 3, 7.3 and so on), or than repeats can tell. Where a run stands is the geometric mean of its last third in
log t, not its last point. Nothing is asserted: the verdict is printed with the figures that show it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from rue.papers.spans import (
    Number,
    Span,
    Word,
    band,
    beside,
    judged,
    ratios,
    span_of,
    times_lower,
    together,
    windows,
)
from rue.papers.traces import BYTES, Trace
from rue.records import dataclass

Lines = Mapping[str, Trace]
"""Label -> curve."""
Traces = Mapping[str, Lines]
"""Panel -> label -> curve."""
Found = tuple[Word, str]
"""The verdict, and the figures."""


@dataclass(frozen=True)
class Verdict:
    """A claim's text, the verdict on it in a word, and the figures that show it."""

    claim: str
    word: Word
    shown: str


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
    beside: tuple[str, ...] = ()
    """Other panels whose curves of the same labels it looks at."""

    def judge(self, traces: Traces) -> Verdict:
        """The verdict on the curves."""
        named = self.labels or tuple(traces[self.panel])
        lines = [(panel, label) for panel in (self.panel, *self.beside) for label in named]
        missing = [
            f"{label} of {panel}" if self.beside else label for panel, label in lines if label not in traces[panel]
        ]
        if missing or not named:
            return Verdict(self.text, "not judged", f"{missing[0] if missing else 'nothing'} was not run")
        reached = min(traces[panel][label].last for panel, label in lines)
        if reached < self.needs:
            return Verdict(self.text, "not judged", f"needs {self.needs:,.0f}, the runs end at {reached:,.0f}")
        return Verdict(self.text, *self.decide(traces))


class Pair(NamedTuple):
    """Two curves of a panel: the one that is said to be better, and the other."""

    panel: str
    better: str
    worse: str

    def claim(self, text: str, needs: float, decide: Callable[[Trace, Trace], Found]) -> Claim:
        """A claim that the two decide."""
        return _claim(text, self.panel, (self.better, self.worse), needs, decide)


def _claim(text: str, panel: str, labels: tuple[str, ...], needs: float, decide: Callable[..., Found]) -> Claim:
    """A claim that some curves of its panel decide."""
    return Claim(text, panel, labels, needs, lambda traces: decide(*(traces[panel][label] for label in labels)))


def _asked(text: str, least: float, most: float = math.inf) -> str:
    """A claim with the number that decides it, where the paper's words have none.

    >>> _asked("far ahead", 10), _asked("alike", 0.5, 2), _asked("worse", 1)
    ('far ahead (at least 10 times)', 'alike (within 2 times)', 'worse')
    """
    if most < math.inf:
        return f"{text} (within {most:g} times)" if most > 1 else text
    return f"{text} (at least {least:g} times)" if least != 1 else text


def lower(text: str, pair: Pair, first: float = 1, share: float = 1.0, factor: float = 1.0, needs: float = 1) -> Claim:
    """One curve is at or below another at a share of the points from `first` on.

    `factor` is how far below: y(better) * factor <= y(worse); less than 1 leaves room for a tie. Where the bands
    overlap a point counts for neither.
    """

    def decide(one: Trace, two: Trace) -> Found:
        end = min(one.last, two.last)
        points = one.between(min(first, end), end) or [end]
        (one_low, one_high), (two_low, two_high) = one.edges(), two.edges()
        below = sum(one.at(x) * factor <= two.at(x) for x in points)
        surely = sum(one_high.at(x) * factor <= two_low.at(x) for x in points)
        perhaps = sum(one_low.at(x) * factor <= two_high.at(x) for x in points)
        told = "" if factor == 1 else f" (with a factor of {factor:g})"
        where = f"{one.label} is below {two.label} at {below} of {len(points)} points{told}"
        shown = f"{where}; {ratios(one, two, points)}"
        return Span(surely, below, perhaps).word(share * len(points)), shown

    return pair.claim(text, needs, decide)


def ends_lower(text: str, pair: Pair, factor: float = 1.0, needs: float = 1, first: float | None = None) -> Claim:
    """One curve is below another, by a factor, over the last third of log t, or from `first` on."""

    def decide(one: Trace, two: Trace) -> Found:
        found = times_lower(one, two, first)
        return found.above(factor), f"{beside(one, two, found)}: {windows(one, two, first)}"

    return pair.claim(_asked(text, factor), needs, decide)


def gain(text: str, pair: Pair, least: float, most: float = math.inf, last: float = math.inf) -> Claim:
    """How many times lower one curve is, on (geometric) average over log t from 100 to `last`, lies between two
    numbers."""
    first = 100.0

    def decide(one: Trace, two: Trace) -> Found:
        found = times_lower(one, two, first, last)
        points = one.between(first, min(one.last, two.last, last))
        word = found.word(least, most) if most < math.inf else found.above(least)
        return word, f"{beside(one, two, found)} on average; {ratios(one, two, points)}"

    return pair.claim(_asked(text, least, most), first, decide)


def alike(text: str, pair: Pair, within: float, needs: float = 100) -> Claim:
    """Two curves are at most so many times apart over the last third of log t."""

    def decide(first: Trace, second: Trace) -> Found:
        found = times_lower(first, second)
        return found.word(1 / within, within), f"{beside(first, second, found)}: {windows(first, second)}"

    return pair.claim(_asked(text, 1 / within, within), needs, decide)


def larger_gain(text: str, pair: Pair, second: str, needs: float = 1) -> Claim:
    """One curve's gain over another is larger in this panel than in a second one."""

    def decide(traces: Traces) -> Found:
        here, there = (
            times_lower(traces[each][pair.better], traces[each][pair.worse]) for each in (pair.panel, second)
        )
        more = Span(here.low / there.high, here.middle / there.middle, here.high / there.low)
        where = f"{pair.better} is {here.told} than {pair.worse} in {pair.panel}, {there.told} in {second}"
        return more.above(1), where

    return Claim(text, pair.panel, pair[1:], needs, decide, (second,))


def overtakes(text: str, pair: Pair, earliest: float, latest: float) -> Claim:
    """One curve is above another at first and below it from some point on, which lies in a span."""

    def last_above(one: Trace, two: Trace) -> float:
        above = [x for x in one.between(1, min(one.last, two.last)) if one.at(x) > two.at(x)]
        return above[-1] if above else 1.0

    def decide(one: Trace, two: Trace) -> Found:
        end = min(one.last, two.last)
        here = last_above(one, two)
        found = [here, *(last_above(a, b) for a, b in zip(one.each(), two.each(), strict=False))]
        words: list[Word] = ["holds" if earliest <= x <= latest and x < end else "does not hold" for x in found]
        if here >= end:
            return together(words), f"{one.label} is still above {two.label} at {end:,.0f}: {ratios(one, two, [end])}"
        why = "in single runs" if one.repeats > 1 else "by rounding"
        others = "" if len(set(found)) == 1 else f" ({why} {min(found):,.0f} to {max(found):,.0f})"
        below = f"{one.label} is below {two.label} for good after {here:,.0f}{others}"
        return together(words), f"{below}; {ratios(one, two, [here, end])}"

    return pair.claim(text, latest, decide)


def faster(text: str, pair: Pair, times: float, needs: float = 1) -> Claim:
    """One curve reaches what another ends with so many times sooner, in each of the runs."""

    def decide(one: Trace, two: Trace) -> Found:
        sooner = one.first_below(two.end)
        if sooner is None:
            return "does not hold", f"{pair.better} never reaches {two.end:.3g}, where {pair.worse} ends"
        found = [
            goal.last / (run.first_below(goal.end) or run.last)
            for run, goal in zip(one.each(), two.each(), strict=False)
        ]
        span = band(two.last / sooner, found, repeated=one.repeats > 1)
        return span.above(times), f"{two.end:.3g} at {sooner:,.0f} instead of {two.last:,.0f}: {span} times"

    return pair.claim(text, needs, decide)


def costs(text: str, pair: Pair, times: float, within: float) -> Claim:
    """An iteration of one curve's run takes so many times as long as one of another's, within a factor."""

    def decide(one: Trace, two: Trace) -> Found:
        found = _times_as_long(one, two)
        alike = times / within <= found <= times * within
        return "holds" if alike else "does not hold", f"{found:.2g} times as long"

    return pair.claim(_asked(text, 1 / within, within), 1, decide)


def lower_by_time(text: str, pair: Pair, needs: float = 1) -> Claim:
    """One curve is below another where both have run for the same time, over the last third of log t."""

    def decide(one: Trace, two: Trace) -> Found:
        longer = _times_as_long(two, one)
        later = replace(two, x=tuple(longer * x for x in two.x))
        found = times_lower(one, later)
        shown = f"{beside(one, two, found)}, whose iterations take {longer:.2g} times as long: {windows(one, later)}"
        return found.above(1), shown

    return pair.claim(text, needs, decide)


def _times_as_long(one: Trace, two: Trace) -> float:
    """How many times as long an iteration of one line takes as one of another."""
    longer, shorter = (line.seconds / max(line.repeats, len(line.runs)) / line.last for line in (one, two))
    return longer / max(shorter, 1e-12)


def no_more_bytes(text: str, pair: Pair) -> Claim:
    """One line's solver takes no more memory than another's, with all that its walk needs."""

    def decide(one: Trace, two: Trace) -> Found:
        found, other = one.notes.get(BYTES, math.nan), two.notes.get(BYTES, math.nan)
        if math.isnan(found + other):
            return "not judged", "it was not measured"
        return "holds" if found <= other else "does not hold", f"{found:,.0f} bytes against {other:,.0f}"

    return pair.claim(text, 1, decide)


def spike(text: str, panel: str, line: str, times: float = 2.0, first: float = 10) -> Claim:
    """A curve rises at some point to at least `times` what it was before."""

    def highest(trace: Trace) -> tuple[float, float]:
        lowest, rise, where = math.inf, 1.0, trace.last
        for x, y in zip(trace.x, trace.y, strict=True):
            if x >= first and y / lowest > rise:
                rise, where = y / lowest, x
            lowest = min(lowest, y)
        return rise, where

    def decide(trace: Trace) -> Found:
        found = span_of(trace, lambda run: highest(run)[0])
        return found.word(times), f"rises at most {found} times above what it had reached, at {highest(trace)[1]:,.0f}"

    return _claim(text, panel, (line,), 10 * first, decide)


def slope(
    text: str, panel: str, line: str, least: float = -math.inf, most: float = math.inf, first: float = 100
) -> Claim:
    """The slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    def decide(trace: Trace) -> Found:
        found = span_of(trace, _slope(first))
        return found.word(least, most), f"fitted slope {found} from {first:,.0f} on"

    return _claim(text, panel, (line,), 10 * first, decide)


def steeper(text: str, pair: Pair, first: float = 1_000) -> Claim:
    """One curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    def decide(one: Trace, two: Trace) -> Found:
        fast, slow = span_of(one, _slope(first)), span_of(two, _slope(first))
        more = Span(slow.low - fast.high, slow.middle - fast.middle, slow.high - fast.low)
        return more.above(
            0
        ), f"{one.label} has the slope {fast}, {two.label} {slow}; {ratios(one, two, [min(one.last, two.last)])}"

    return pair.claim(text, 10 * first, decide)


def _slope(first: float) -> Number:
    """The slope of a curve from a point on, by those of its points that have logarithms."""
    return lambda run: fitted_slope([(x, y) for x, y in zip(run.x, run.y, strict=True) if x >= first and y > 0])


def fitted_slope(pairs: list[tuple[float, float]]) -> float:
    """The slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fitted_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    return statistics.linear_regression([math.log(x) for x, _ in pairs], [math.log(y) for _, y in pairs]).slope


def lowest(text: str, panel: str, among: tuple[str, ...], needs: float = 1, first: float | None = None) -> Claim:
    """One of some curves is the lowest of all over the last third of log t, or from `first` on."""

    def decide(traces: Traces) -> Found:
        order = sorted(traces[panel].values(), key=lambda trace: judged(trace, first))
        since = "" if first is None else f" from {first:,.0f} on"
        shown = f"lowest first{since}: " + ", ".join(f"{trace.label} {judged(trace, first):.3g}" for trace in order[:4])
        best = next(trace for trace in order if trace.label in among)
        other = next((trace for trace in order if trace.label not in among), None)
        if other is None:
            return "holds", shown
        found = times_lower(best, other, first)
        return found.above(1), f"{beside(best, other, found)}; {shown}"

    return Claim(text, panel, among, needs, decide)


def paired(
    text: str, panel: str, better: tuple[str, ...], worse: tuple[str, ...], share: float, needs: float = 1
) -> Claim:
    """Of pairs of curves one is below the other over the last third of log t in a share of the pairs."""

    def decide(traces: Traces) -> Found:
        lines = traces[panel]
        found = [times_lower(lines[one], lines[two]) for one, two in zip(better, worse, strict=True)]
        counts = [sum(getattr(each, edge) > 1 for each in found) for edge in ("low", "middle", "high")]
        times = statistics.geometric_mean(each.middle for each in found)
        shown = f"lower in {counts[1]} of {len(found)} pairs, {times:.3g} times on average"
        return Span(*counts).word(share * len(found)), shown

    return Claim(text, panel, (*better, *worse), needs, decide)


def falls(text: str, panel: str, fraction: float, needs: float = 1_000) -> Claim:
    """Every curve comes, over the last third of log t, to a fraction of the highest that it has been: it converges,
    also if it starts near the goal."""

    def decide(traces: Traces) -> Found:
        left = {label: span_of(trace, lambda run: run.average() / max(run.y)) for label, trace in traces[panel].items()}
        worst = max(left, key=lambda label: left[label].middle)
        trace = traces[panel][worst]
        where = f"{judged(trace):.3g} from {trace.first_judged:,.0f} to {trace.last:,.0f}"
        shown = f"the slowest is {worst}: {max(trace.y):.3g} at its highest, {where}"
        return max(left.values(), key=lambda span: span.high).word(-math.inf, fraction), shown

    return Claim(text, panel, (), needs, decide)


def reaches(text: str, panel: str, line: str, x: float, expected: float, within: float) -> Claim:
    """A curve is at a point what the paper says, within a factor."""

    def decide(trace: Trace) -> Found:
        found = span_of(trace, lambda run: run.at(x))
        return found.word(expected / within, expected * within), f"{found} at {x:,.0f}, {expected:g} in the paper"

    return _claim(text, panel, (line,), x, decide)


def note(text: str, panel: str, line: str, name: str, expected: float, within: float = 0.0) -> Claim:
    """A number that a run notes is what the paper says, within a fraction."""

    def decide(trace: Trace) -> Found:
        found = trace.notes.get(name)
        if found is not None:
            return "holds" if abs(found - expected) <= within * expected else "does not hold", f"{found:,.0f}"
        if trace.last < expected:
            return "not judged", f"needs {expected:,.0f}, the run ends at {trace.last:,.0f}"
        return "does not hold", "it did not happen in the run"

    return _claim(text, panel, (line,), 0.0, decide)
