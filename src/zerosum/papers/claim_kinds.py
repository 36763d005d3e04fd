"""The kinds of claims, each built by a function: about two curves, one against others, or the course of one."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

from zerosum.papers.claim import (
    Claim,
    CurveNumber,
    Interval,
    Pair,
    VerdictWithEvidence,
    VerdictWord,
    add_threshold,
    build_interval,
    compute_window_mean,
    describe_heights,
    describe_ratio,
    describe_window,
    measure_interval,
    measure_ratio,
)
from zerosum.papers.curve import BYTES, Curve


def is_lower(
    text: str, pair: Pair, first: float = 1, share: float = 1.0, factor: float = 1.0, needs: float = 1
) -> Claim:
    """Claim that a curve is at or below another at a share of the points from `first` on.

    factor: how far below: y(better) * factor <= y(worse); less than 1 leaves room for a tie. A point where the bands
    overlap counts for neither.
    """

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        end = min(better.last_x, worse.last_x)
        points = better.list_points_between(min(first, end), end) or [end]
        (better_low, better_high), (worse_low, worse_high) = better.split_band(), worse.split_band()
        below = sum(better.height_at(x) * factor <= worse.height_at(x) for x in points)
        surely = sum(better_high.height_at(x) * factor <= worse_low.height_at(x) for x in points)
        perhaps = sum(better_low.height_at(x) * factor <= worse_high.height_at(x) for x in points)
        with_factor = "" if factor == 1 else f" (with a factor of {factor:g})"
        where = f"{better.label} is below {worse.label} at {below} of {len(points)} points{with_factor}"
        verdict = Interval(surely, below, perhaps).judge_between(share * len(points))
        return verdict, f"{where}; {describe_heights(better, worse, points)}"

    return pair.build_claim(text, needs, decide)


def is_lower_at_end(text: str, pair: Pair, factor: float = 1.0, needs: float = 1, first: float | None = None) -> Claim:
    """Claim that a curve is below another, by a factor, over the last third of log t, or from `first` on."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        times = measure_ratio(better, worse, first)
        evidence = f"{describe_ratio(better, worse, times)}: {describe_window(better, worse, first)}"
        return times.judge_above(factor), evidence

    return pair.build_claim(add_threshold(text, factor), needs, decide)


def is_lower_on_average(text: str, pair: Pair, least: float, most: float = math.inf, last: float = math.inf) -> Claim:
    """Claim that a curve is lower by a factor between two numbers, by its geometric mean from 100 to `last`."""
    first = 100.0

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        times = measure_ratio(better, worse, first, last)
        points = better.list_points_between(first, min(better.last_x, worse.last_x, last))
        verdict = times.judge_between(least, most) if most < math.inf else times.judge_above(least)
        return verdict, f"{describe_ratio(better, worse, times)} on average; {describe_heights(better, worse, points)}"

    return pair.build_claim(add_threshold(text, least, most), first, decide)


def are_alike(text: str, pair: Pair, within: float, needs: float = 100) -> Claim:
    """Claim that two curves differ by at most a factor over the last third of log t."""

    def decide(first: Curve, second: Curve) -> VerdictWithEvidence:
        times = measure_ratio(first, second)
        evidence = f"{describe_ratio(first, second, times)}: {describe_window(first, second)}"
        return times.judge_between(1 / within, within), evidence

    return pair.build_claim(add_threshold(text, 1 / within, within), needs, decide)


def gains_more(text: str, pair: Pair, other_panel: str, needs: float = 1) -> Claim:
    """Claim that a curve's gain over another is larger in this panel than in another one."""

    def decide(better: Curve, worse: Curve, other_better: Curve, other_worse: Curve) -> VerdictWithEvidence:
        ratio, other_ratio = measure_ratio(better, worse), measure_ratio(other_better, other_worse)
        texts = f"{ratio.ratio_text} than {pair.worse} in {pair.panel}, {other_ratio.ratio_text} in {other_panel}"
        return (ratio / other_ratio).judge_above(1), f"{pair.better} is {texts}"

    return Claim(text, pair.panel, pair[1:], needs, decide, (other_panel,))


def overtakes(text: str, pair: Pair, earliest: float, latest: float) -> Claim:
    """Claim that a curve is above another at first and below it from some point on, which lies in a span."""

    def find_last_above(better: Curve, worse: Curve) -> float:
        above = [
            x
            for x in better.list_points_between(1, min(better.last_x, worse.last_x))
            if better.height_at(x) > worse.height_at(x)
        ]
        return above[-1] if above else 1.0

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        end = min(better.last_x, worse.last_x)
        crossing = find_last_above(better, worse)
        single_runs = zip(better.single_runs(), worse.single_runs(), strict=False)
        crossings = [crossing, *(find_last_above(first, second) for first, second in single_runs)]
        are_in_span = [earliest <= x <= latest and x < end for x in crossings]
        word: VerdictWord = "holds" if all(are_in_span) else "no difference" if any(are_in_span) else "does not hold"
        if crossing >= end:
            evidence = f"{better.label} is still above {worse.label} at {end:,.0f}: "
            return word, evidence + describe_heights(better, worse, [end])
        why = "in single runs" if better.repeats > 1 else "by rounding"
        span = "" if len(set(crossings)) == 1 else f" ({why} {min(crossings):,.0f} to {max(crossings):,.0f})"
        evidence = f"{better.label} is below {worse.label} for good after {crossing:,.0f}{span}; "
        return word, evidence + describe_heights(better, worse, [crossing, end])

    return pair.build_claim(text, latest, decide)


def is_faster(text: str, pair: Pair, times: float, needs: float = 1) -> Claim:
    """Claim that a curve reaches the end height of another a given number of times sooner, in each of the runs."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        reached_at = better.find_first_below(worse.last_y)
        if reached_at is None:
            return "does not hold", f"{pair.better} never reaches {worse.last_y:.3g}, where {pair.worse} ends"
        ratios = [
            goal.last_x / (run.find_first_below(goal.last_y) or run.last_x)
            for run, goal in zip(better.single_runs(), worse.single_runs(), strict=False)
        ]
        ratio = build_interval(ratios, better.repeats > 1)
        evidence = f"{worse.last_y:.3g} at {reached_at:,.0f} instead of {worse.last_x:,.0f}: {ratio} times"
        return ratio.judge_above(times), evidence

    return pair.build_claim(text, needs, decide)


def has_iteration_cost(text: str, pair: Pair, times: float, within: float) -> Claim:
    """Claim that an iteration of one line takes a given number of times as long as one of another, within a factor."""

    def decide(slower: Curve, quicker: Curve) -> VerdictWithEvidence:
        ratio = _compare_iteration_times(slower, quicker)
        holds = times / within <= ratio <= times * within
        return "holds" if holds else "does not hold", f"{ratio:.2g} times as long"

    return pair.build_claim(add_threshold(text, 1 / within, within), 1, decide)


def is_lower_by_time(text: str, pair: Pair, needs: float = 1) -> Claim:
    """Claim that a curve is below another after the same time, over the last third of log t."""

    def decide(better: Curve, worse: Curve) -> VerdictWithEvidence:
        ratio = _compare_iteration_times(worse, better)
        stretched = replace(worse, x=tuple(ratio * x for x in worse.x))
        times = measure_ratio(better, stretched)
        evidence = f"{describe_ratio(better, worse, times)}, whose iterations take {ratio:.2g} times as long: "
        return times.judge_above(1), evidence + describe_window(better, stretched)

    return pair.build_claim(text, needs, decide)


def _compare_iteration_times(first: Curve, second: Curve) -> float:
    """Return how many times as long an iteration of the first line takes as one of the second."""
    longer, shorter = (line.seconds / max(line.repeats, len(line.runs)) / line.last_x for line in (first, second))
    return longer / max(shorter, 1e-12)


def needs_no_more_bytes(text: str, pair: Pair) -> Claim:
    """Claim that the solver of one line takes no more memory than that of another, with all that its walk needs."""

    def decide(smaller: Curve, larger: Curve) -> VerdictWithEvidence:
        bytes_used, limit = smaller.notes.get(BYTES, math.nan), larger.notes.get(BYTES, math.nan)
        if math.isnan(bytes_used + limit):
            return "not judged", "it was not measured"
        return "holds" if bytes_used <= limit else "does not hold", f"{bytes_used:,.0f} bytes against {limit:,.0f}"

    return pair.build_claim(text, 1, decide)


def is_lowest(text: str, panel: str, among: tuple[str, ...], needs: float = 1, first: float | None = None) -> Claim:
    """Claim that one of some curves is the lowest of all over the last third of log t, or from `first` on."""

    def decide(*curves: Curve) -> VerdictWithEvidence:
        order = sorted(curves, key=lambda curve: compute_window_mean(curve, first))
        since = "" if first is None else f" from {first:,.0f} on"
        ranking = ", ".join(f"{curve.label} {compute_window_mean(curve, first):.3g}" for curve in order[:4])
        evidence = f"lowest first{since}: {ranking}"
        best = next(curve for curve in order if curve.label in among)
        rival = next((curve for curve in order if curve.label not in among), None)
        if rival is None:
            return "holds", evidence
        times = measure_ratio(best, rival, first)
        return times.judge_above(1), f"{describe_ratio(best, rival, times)}; {evidence}"

    return Claim(text, panel, among, needs, decide, has_rivals=True)


def are_lower_in_pairs(
    text: str, panel: str, better: tuple[str, ...], worse: tuple[str, ...], share: float, needs: float = 1
) -> Claim:
    """Claim that in a share of the pairs the first curve is below the second over the last third of log t."""

    def decide(*curves: Curve) -> VerdictWithEvidence:
        ratios = list(map(measure_ratio, curves[: len(better)], curves[len(better) :]))
        counts = [sum(getattr(ratio, edge) > 1 for ratio in ratios) for edge in ("low", "middle", "high")]
        mean = statistics.geometric_mean(ratio.middle for ratio in ratios)
        evidence = f"lower in {counts[1]} of {len(ratios)} pairs, {mean:.3g} times on average"
        return Interval(*counts).judge_between(share * len(ratios)), evidence

    return Claim(text, panel, (*better, *worse), needs, decide)


def has_spike(text: str, panel: str, line: str, times: float = 2.0, first: float = 10) -> Claim:
    """Claim that a curve rises at some point to at least `times` what it was before."""

    def find_highest_rise(curve: Curve) -> tuple[float, float]:
        lowest, rise, rise_at = math.inf, 1.0, curve.last_x
        for x, y in zip(curve.x, curve.y, strict=True):
            if x >= first and y / lowest > rise:
                rise, rise_at = y / lowest, x
            lowest = min(lowest, y)
        return rise, rise_at

    def decide(curve: Curve) -> VerdictWithEvidence:
        rise = measure_interval(curve, lambda run: find_highest_rise(run)[0])
        evidence = f"rises at most {rise} times above what it had reached, at {find_highest_rise(curve)[1]:,.0f}"
        return rise.judge_between(times), evidence

    return Claim(text, panel, (line,), 10 * first, decide)


def has_slope(
    text: str, panel: str, line: str, least: float = -math.inf, most: float = math.inf, first: float = 100
) -> Claim:
    """Claim that the slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        fitted = measure_interval(curve, _make_slope_function(first))
        return fitted.judge_between(least, most), f"fitted slope {fitted} from {first:,.0f} on"

    return Claim(text, panel, (line,), 10 * first, decide)


def is_steeper(text: str, pair: Pair, first: float = 1_000) -> Claim:
    """Claim that a curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    def decide(fast: Curve, slow: Curve) -> VerdictWithEvidence:
        fast_slope, slow_slope = (measure_interval(curve, _make_slope_function(first)) for curve in (fast, slow))
        end = describe_heights(fast, slow, [min(fast.last_x, slow.last_x)])
        evidence = f"{fast.label} has the slope {fast_slope}, {slow.label} {slow_slope}; {end}"
        return (slow_slope - fast_slope).judge_above(0), evidence

    return pair.build_claim(text, 10 * first, decide)


def _make_slope_function(first: float) -> CurveNumber:
    """Return a function that fits the slope of a curve from a point on, by its points that have logarithms."""
    return lambda run: fit_slope([(x, y) for x, y in zip(run.x, run.y, strict=True) if x >= first and y > 0])


def fit_slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fit_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    return statistics.linear_regression([math.log(x) for x, _ in points], [math.log(y) for _, y in points]).slope


def all_fall(text: str, panel: str, fraction: float, needs: float = 1_000) -> Claim:
    """Claim that every curve of a panel falls, over the last third of log t, to a fraction of its maximum.

    It then converges, even if it starts near the goal.
    """

    def decide(*curves: Curve) -> VerdictWithEvidence:
        shares = [measure_interval(curve, lambda run: run.compute_mean_height() / max(run.y)) for curve in curves]
        slowest = curves[max(range(len(curves)), key=lambda number: shares[number].middle)]
        where = f"{compute_window_mean(slowest):.3g} from {slowest.window_start:,.0f} to {slowest.last_x:,.0f}"
        evidence = f"the slowest is {slowest.label}: {max(slowest.y):.3g} at its highest, {where}"
        return max(shares, key=lambda share: share.high).judge_between(-math.inf, fraction), evidence

    return Claim(text, panel, (), needs, decide)


def reaches(text: str, panel: str, line: str, x: float, expected: float, within: float) -> Claim:
    """Claim that a curve has the paper's height at a point, within a factor."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        height = measure_interval(curve, lambda run: run.height_at(x))
        evidence = f"{height} at {x:,.0f}, {expected:g} in the paper"
        return height.judge_between(expected / within, expected * within), evidence

    return Claim(text, panel, (line,), x, decide)


def notes_number(text: str, panel: str, line: str, name: str, expected: float, within: float = 0.0) -> Claim:
    """Claim that a number that a run notes is the paper's, within a fraction."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        number = curve.notes.get(name)
        if number is not None:
            holds = abs(number - expected) <= within * expected
            return "holds" if holds else "does not hold", f"{number:,.0f}"
        if curve.last_x < expected:
            return "not judged", f"needs {expected:,.0f}, the run ends at {curve.last_x:,.0f}"
        return "does not hold", "it did not happen in the run"

    return Claim(text, panel, (line,), 0.0, decide)
