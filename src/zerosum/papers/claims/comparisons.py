"""Claims about two curves, or about one against others."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

from zerosum.papers.claims.claim import Claim, CurvesByPanel, Pair, VerdictWithEvidence, with_threshold
from zerosum.papers.claims.intervals import (
    Interval,
    VerdictWord,
    common_verdict,
    heights_text,
    interval_of_runs,
    ratio_sentence,
    times_lower,
    window_mean,
    window_text,
)
from zerosum.papers.curve import BYTES, Curve


def lower(text: str, pair: Pair, first: float = 1, share: float = 1.0, factor: float = 1.0, needs: float = 1) -> Claim:
    """A curve is at or below another at a share of the points from `first` on.

    `factor` is how far below: y(better) * factor <= y(worse); less than 1 leaves room for a tie. A point where the
    bands overlap counts for neither.
    """

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        end = min(better.last, worse.last)
        points = better.between(min(first, end), end) or [end]
        (better_low, better_high), (worse_low, worse_high) = better.edges(), worse.edges()
        below = sum(better.at(x) * factor <= worse.at(x) for x in points)
        surely = sum(better_high.at(x) * factor <= worse_low.at(x) for x in points)
        perhaps = sum(better_low.at(x) * factor <= worse_high.at(x) for x in points)
        with_factor = "" if factor == 1 else f" (with a factor of {factor:g})"
        where = f"{better.label} is below {worse.label} at {below} of {len(points)} points{with_factor}"
        verdict = Interval(surely, below, perhaps).verdict(share * len(points))
        return verdict, f"{where}; {heights_text(better, worse, points)}"

    return pair.claim(text, needs, decide)


def lower_at_end(text: str, pair: Pair, factor: float = 1.0, needs: float = 1, first: float | None = None) -> Claim:
    """A curve is below another, by a factor, over the last third of log t, or from `first` on."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        times = times_lower(better, worse, first)
        return times.exceeds(factor), f"{ratio_sentence(better, worse, times)}: {window_text(better, worse, first)}"

    return pair.claim(with_threshold(text, factor), needs, decide)


def gain(text: str, pair: Pair, least: float, most: float = math.inf, last: float = math.inf) -> Claim:
    """A curve is lower by a factor between two numbers, on (geometric) average over log t from 100 to `last`."""
    first = 100.0

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        times = times_lower(better, worse, first, last)
        points = better.between(first, min(better.last, worse.last, last))
        verdict = times.verdict(least, most) if most < math.inf else times.exceeds(least)
        return verdict, f"{ratio_sentence(better, worse, times)} on average; {heights_text(better, worse, points)}"

    return pair.claim(with_threshold(text, least, most), first, decide)


def alike(text: str, pair: Pair, within: float, needs: float = 100) -> Claim:
    """Two curves differ by at most a factor over the last third of log t."""

    def decide(first: Curve, second: Curve) -> VerdictWithEvidence:
        times = times_lower(first, second)
        return times.verdict(
            1 / within, within
        ), f"{ratio_sentence(first, second, times)}: {window_text(first, second)}"

    return pair.claim(with_threshold(text, 1 / within, within), needs, decide)


def larger_gain(text: str, pair: Pair, other_panel: str, needs: float = 1) -> Claim:
    """A curve's gain over another is larger in this panel than in another one."""

    def decide(curves: CurvesByPanel) -> VerdictWithEvidence:
        first, second = (
            times_lower(curves[panel][pair.better], curves[panel][pair.worse]) for panel in (pair.panel, other_panel)
        )
        ratio = Interval(first.low / second.high, first.middle / second.middle, first.high / second.low)
        evidence = (
            f"{pair.better} is {first.ratio_text} than {pair.worse} in {pair.panel}, {second.ratio_text} in "
            f"{other_panel}"
        )
        return ratio.exceeds(1), evidence

    return Claim(text, pair.panel, pair[1:], needs, decide, (other_panel,))


def overtakes(text: str, pair: Pair, earliest: float, latest: float) -> Claim:
    """A curve is above another at first and below it from some point on, which lies in a span."""

    def last_above(better: Curve, worse: Curve) -> float:
        above = [x for x in better.between(1, min(better.last, worse.last)) if better.at(x) > worse.at(x)]
        return above[-1] if above else 1.0

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        end = min(better.last, worse.last)
        crossing = last_above(better, worse)
        single_runs = zip(better.single_runs(), worse.single_runs(), strict=False)
        crossings = [crossing, *(last_above(first, second) for first, second in single_runs)]
        verdicts: list[VerdictWord] = [
            "holds" if earliest <= x <= latest and x < end else "does not hold" for x in crossings
        ]
        if crossing >= end:
            evidence = f"{better.label} is still above {worse.label} at {end:,.0f}: "
            return common_verdict(verdicts), evidence + heights_text(better, worse, [end])
        why = "in single runs" if better.repeats > 1 else "by rounding"
        span = "" if len(set(crossings)) == 1 else f" ({why} {min(crossings):,.0f} to {max(crossings):,.0f})"
        evidence = f"{better.label} is below {worse.label} for good after {crossing:,.0f}{span}; "
        return common_verdict(verdicts), evidence + heights_text(better, worse, [crossing, end])

    return pair.claim(text, latest, decide)


def faster(text: str, pair: Pair, times: float, needs: float = 1) -> Claim:
    """A curve reaches the end height of another a given number of times sooner, in each of the runs."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        reached_at = better.first_below(worse.end)
        if reached_at is None:
            return "does not hold", f"{pair.better} never reaches {worse.end:.3g}, where {pair.worse} ends"
        ratios = [
            goal.last / (run.first_below(goal.end) or run.last)
            for run, goal in zip(better.single_runs(), worse.single_runs(), strict=False)
        ]
        ratio = interval_of_runs(worse.last / reached_at, ratios, repeated=better.repeats > 1)
        evidence = f"{worse.end:.3g} at {reached_at:,.0f} instead of {worse.last:,.0f}: {ratio} times"
        return ratio.exceeds(times), evidence

    return pair.claim(text, needs, decide)


def iteration_cost(text: str, pair: Pair, times: float, within: float) -> Claim:
    """An iteration of one line takes a given number of times as long as one of another, within a factor."""

    def decide(slower: Curve, quicker: Curve) -> VerdictWithEvidence:
        ratio = _iteration_time_ratio(slower, quicker)
        holds = times / within <= ratio <= times * within
        return "holds" if holds else "does not hold", f"{ratio:.2g} times as long"

    return pair.claim(with_threshold(text, 1 / within, within), 1, decide)


def lower_by_time(text: str, pair: Pair, needs: float = 1) -> Claim:
    """A curve is below another where both have run for the same time, over the last third of log t."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        ratio = _iteration_time_ratio(worse, better)
        stretched = replace(worse, x=tuple(ratio * x for x in worse.x))
        times = times_lower(better, stretched)
        evidence = f"{ratio_sentence(better, worse, times)}, whose iterations take {ratio:.2g} times as long: "
        return times.exceeds(1), evidence + window_text(better, stretched)

    return pair.claim(text, needs, decide)


def _iteration_time_ratio(first: Curve, second: Curve) -> float:
    """Return how many times as long an iteration of the first line takes as one of the second."""
    longer, shorter = (line.seconds / max(line.repeats, len(line.runs)) / line.last for line in (first, second))
    return longer / max(shorter, 1e-12)


def no_more_bytes(text: str, pair: Pair) -> Claim:
    """The solver of one line takes no more memory than that of another, with all that its walk needs."""

    def decide(smaller: Curve, larger: Curve) -> VerdictWithEvidence:
        bytes_used, limit = smaller.notes.get(BYTES, math.nan), larger.notes.get(BYTES, math.nan)
        if math.isnan(bytes_used + limit):
            return "not judged", "it was not measured"
        return "holds" if bytes_used <= limit else "does not hold", f"{bytes_used:,.0f} bytes against {limit:,.0f}"

    return pair.claim(text, 1, decide)


def lowest(text: str, panel: str, among: tuple[str, ...], needs: float = 1, first: float | None = None) -> Claim:
    """One of some curves is the lowest of all over the last third of log t, or from `first` on."""

    def decide(curves: CurvesByPanel) -> VerdictWithEvidence:
        order = sorted(curves[panel].values(), key=lambda curve: window_mean(curve, first))
        since = "" if first is None else f" from {first:,.0f} on"
        ranking = ", ".join(f"{curve.label} {window_mean(curve, first):.3g}" for curve in order[:4])
        evidence = f"lowest first{since}: {ranking}"
        best = next(curve for curve in order if curve.label in among)
        rival = next((curve for curve in order if curve.label not in among), None)
        if rival is None:
            return "holds", evidence
        times = times_lower(best, rival, first)
        return times.exceeds(1), f"{ratio_sentence(best, rival, times)}; {evidence}"

    return Claim(text, panel, among, needs, decide)


def lower_in_pairs(
    text: str, panel: str, better: tuple[str, ...], worse: tuple[str, ...], share: float, needs: float = 1
) -> Claim:
    """Of pairs of curves, the first is below the second over the last third of log t in a share of the pairs."""

    def decide(curves: CurvesByPanel) -> VerdictWithEvidence:
        lines = curves[panel]
        ratios = [times_lower(lines[first], lines[second]) for first, second in zip(better, worse, strict=True)]
        counts = [sum(getattr(ratio, edge) > 1 for ratio in ratios) for edge in ("low", "middle", "high")]
        mean = statistics.geometric_mean(ratio.middle for ratio in ratios)
        evidence = f"lower in {counts[1]} of {len(ratios)} pairs, {mean:.3g} times on average"
        return Interval(*counts).verdict(share * len(ratios)), evidence

    return Claim(text, panel, (*better, *worse), needs, decide)
