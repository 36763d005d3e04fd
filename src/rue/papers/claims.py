"""What a paper says of a figure, as statements that the numbers decide.

Each claim has the paper's words in short and a test on the curves; it holds, does not hold, or is not judged because
the runs were too short for it. Nothing is asserted: the verdict is printed with the figures that show it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from rue.papers.traces import Trace

Traces = Mapping[str, Mapping[str, Trace]]
"""Panel -> label -> curve."""


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
class Claim(ABC):
    """A statement about the curves of one panel; `needs` is how far they must go for a verdict."""

    text: str
    panel: str

    needs = 0.0

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
        return Verdict(self.text, *self.decide(lines))

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The curves it speaks of; none stands for all."""

    @abstractmethod
    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        """Whether it holds, and the figures."""


@dataclass(frozen=True)
class Pair(Claim):
    """A claim about two curves, one of them better."""

    better: str
    worse: str

    @property
    def labels(self) -> tuple[str, ...]:
        return self.better, self.worse


@dataclass(frozen=True)
class Lower(Pair):
    """One curve is at or below another at a share of the points from `first` to `last` (the end, if none is given).

    `factor` is how far below: y(better) * factor <= y(worse); less than 1 leaves room for a tie.
    """

    first: float = 1
    last: float = math.inf
    share: float = 1.0
    factor: float = 1.0
    needs: float = 1

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        better, worse = lines[self.better], lines[self.worse]
        end = min(better.last, worse.last, self.last)
        points = better.between(min(self.first, end), end) or [end]
        below = sum(better.at(x) * self.factor <= worse.at(x) for x in points)
        told = "" if self.factor == 1 else f" (with a factor of {self.factor:g})"
        shown = f"below at {below} of {len(points)} points{told}; {ratios(better, worse, points)}"
        return below >= self.share * len(points), shown


@dataclass(frozen=True)
class EndsLower(Pair):
    """One curve ends below another, by a factor."""

    factor: float = 1.0
    needs: float = 1

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        better, worse = lines[self.better], lines[self.worse]
        end = min(better.last, worse.last)
        return better.at(end) * self.factor <= worse.at(end), ratios(better, worse, [end])


@dataclass(frozen=True)
class Gain(Pair):
    """How many times lower one curve is, on (geometric) average from `first` to `last`, lies between two numbers."""

    least: float
    most: float = math.inf
    first: float = 100
    last: float = math.inf

    @property
    def needs(self) -> float:  # type: ignore[override]
        return self.first

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        better, worse = lines[self.better], lines[self.worse]
        points = better.between(self.first, min(better.last, worse.last, self.last))
        logs = [math.log(worse.at(x) / better.at(x)) for x in points if better.at(x) > 0 < worse.at(x)]
        gain = math.exp(math.fsum(logs) / len(logs))
        return self.least <= gain <= self.most, f"{gain:.3g} times lower on average; {ratios(better, worse, points)}"


@dataclass(frozen=True)
class LargerGain(Pair):
    """One curve's gain over another at the end is larger in this panel than in a second one."""

    second: str
    needs: float = 1

    def judge(self, traces: Traces) -> Verdict:
        plain = super().judge(traces)
        if plain.holds is None:
            return plain
        gains = [_gain(traces[name][self.better], traces[name][self.worse]) for name in (self.panel, self.second)]
        shown = f"{gains[0]:.2f} times lower in {self.panel}, {gains[1]:.2f} times in {self.second}"
        return Verdict(self.text, gains[0] > gains[1], shown)

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        return True, ""


def _gain(better: Trace, worse: Trace) -> float:
    end = min(better.last, worse.last)
    return worse.at(end) / better.at(end)


@dataclass(frozen=True)
class Overtakes(Pair):
    """One curve is above another at first and below it from some point on, which lies in a span."""

    earliest: float
    latest: float

    @property
    def needs(self) -> float:  # type: ignore[override]
        return self.latest

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        better, worse = lines[self.better], lines[self.worse]
        end = min(better.last, worse.last)
        above = [x for x in better.between(1, end) if better.at(x) > worse.at(x)]
        when = above[-1] if above else 1.0
        if when >= end:
            return False, f"still above at {end:,.0f}: {ratios(better, worse, [end])}"
        shown = f"below for good after {when:,.0f}; {ratios(better, worse, [when, end])}"
        return self.earliest <= when <= self.latest, shown


@dataclass(frozen=True)
class Faster(Pair):
    """One curve reaches what another ends with so many times sooner."""

    times: float
    needs: float = 1

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        better, worse = lines[self.better], lines[self.worse]
        sooner = better.first_below(worse.end)
        if sooner is None:
            return False, f"{self.better} never reaches {worse.end:.3g}, where {self.worse} ends"
        gain = worse.last / sooner
        return gain >= self.times, f"{worse.end:.3g} at {sooner:,.0f} instead of {worse.last:,.0f}: {gain:.1f} times"


@dataclass(frozen=True)
class Spike(Claim):
    """A curve rises at some point to at least `times` what it was before."""

    line: str
    times: float = 2.0
    first: float = 10

    @property
    def needs(self) -> float:  # type: ignore[override]
        return 10 * self.first

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.line,)

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        trace = lines[self.line]
        lowest, rise, where = math.inf, 1.0, trace.last
        for x, y in zip(trace.x, trace.y, strict=True):
            if x >= self.first and y / lowest > rise:
                rise, where = y / lowest, x
            lowest = min(lowest, y)
        return rise >= self.times, f"rises at most {rise:.2f} times above what it had reached, at {where:,.0f}"


@dataclass(frozen=True)
class Slope(Claim):
    """The slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    line: str
    least: float = -math.inf
    most: float = math.inf
    first: float = 100

    @property
    def needs(self) -> float:  # type: ignore[override]
        return 10 * self.first

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.line,)

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        trace = lines[self.line]
        slope = fitted_slope(_pairs(trace, self.first))
        return self.least <= slope <= self.most, f"fitted slope {slope:.3f} from {self.first:,.0f} on"


@dataclass(frozen=True)
class Steeper(Pair):
    """One curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    first: float = 1_000

    @property
    def needs(self) -> float:  # type: ignore[override]
        return 10 * self.first

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        traces = lines[self.better], lines[self.worse]
        slopes = [fitted_slope(_pairs(trace, self.first)) for trace in traces]
        shown = f"slopes {slopes[0]:.2f} and {slopes[1]:.2f}; {ratios(*traces, [min(t.last for t in traces)])}"
        return slopes[0] < slopes[1], shown


def _pairs(trace: Trace, first: float) -> list[tuple[float, float]]:
    """The points of a curve that have logarithms."""
    return [(x, y) for x, y in zip(trace.x, trace.y, strict=True) if x >= first and y > 0]


def fitted_slope(pairs: list[tuple[float, float]]) -> float:
    """The slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fitted_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    across = [math.log(x) for x, _ in pairs]
    up = [math.log(y) for _, y in pairs]
    a, b = math.fsum(across) / len(pairs), math.fsum(up) / len(pairs)
    above = math.fsum((x - a) * (y - b) for x, y in zip(across, up, strict=True))
    return above / math.fsum((x - a) ** 2 for x in across)


@dataclass(frozen=True)
class Lowest(Claim):
    """One of some curves is the lowest of all at the end."""

    among: tuple[str, ...]
    needs: float = 1

    @property
    def labels(self) -> tuple[str, ...]:
        return self.among

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        order = sorted(lines.values(), key=lambda trace: trace.end)
        shown = ", ".join(f"{trace.label} {trace.end:.3g}" for trace in order[:4])
        return order[0].label in self.among, f"lowest first: {shown}"


@dataclass(frozen=True)
class Falls(Claim):
    """Every curve ends at a fraction of the highest that it has been: it converges, also if it starts near the goal."""

    fraction: float
    needs: float = 1_000

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        left = {label: trace.end / max(trace.y) for label, trace in lines.items()}
        worst = max(left, key=lambda label: left[label])
        shown = f"the slowest is {worst}: {max(lines[worst].y):.3g} at its highest, {lines[worst].end:.3g}"
        return left[worst] <= self.fraction, f"{shown} at {lines[worst].last:,.0f}"


@dataclass(frozen=True)
class Note(Claim):
    """A number that a run notes is what the paper says, within a fraction."""

    line: str
    name: str
    expected: float
    within: float = 0.0

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.line,)

    def decide(self, lines: Mapping[str, Trace]) -> tuple[bool, str]:
        found = lines[self.line].notes.get(self.name)
        if found is None:
            return False, "it did not happen in the run"
        return abs(found - self.expected) <= self.within * self.expected, f"{found:,.0f}"

    def judge(self, traces: Traces) -> Verdict:
        trace = traces[self.panel].get(self.line)
        if trace is not None and self.name not in trace.notes and trace.last < self.expected:
            return Verdict(self.text, None, f"needs {self.expected:,.0f}, the run ends at {trace.last:,.0f}")
        return super().judge(traces)


def ratios(better: Trace, worse: Trace, points: list[float]) -> str:
    """Both curves at a few points, in words."""
    chosen = sorted({points[0], points[len(points) // 2], points[-1]})
    told = [f"{better.at(x):.3g} against {worse.at(x):.3g} at {x:,.0f}" for x in chosen]
    return ", ".join(told)
