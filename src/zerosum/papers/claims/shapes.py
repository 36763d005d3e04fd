"""Claims about the course of one curve."""

from __future__ import annotations

import math
import statistics

from zerosum.papers.claims.claim import (
    Claim,
    CurveNumber,
    Pair,
    VerdictWithEvidence,
    compute_window_mean,
    describe_heights,
    measure_interval,
)
from zerosum.papers.curve import Curve


def spike(text: str, panel: str, line: str, times: float = 2.0, first: float = 10) -> Claim:
    """Claim that a curve rises at some point to at least `times` what it was before."""

    def find_highest_rise(curve: Curve) -> tuple[float, float]:
        lowest, rise, rise_at = math.inf, 1.0, curve.last
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


def slope(
    text: str, panel: str, line: str, least: float = -math.inf, most: float = math.inf, first: float = 100
) -> Claim:
    """Claim that the slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        fitted = measure_interval(curve, _slope_from(first))
        return fitted.judge_between(least, most), f"fitted slope {fitted} from {first:,.0f} on"

    return Claim(text, panel, (line,), 10 * first, decide)


def steeper(text: str, pair: Pair, first: float = 1_000) -> Claim:
    """Claim that a curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    def decide(fast: Curve, slow: Curve) -> VerdictWithEvidence:
        fast_slope, slow_slope = (measure_interval(curve, _slope_from(first)) for curve in (fast, slow))
        end = describe_heights(fast, slow, [min(fast.last, slow.last)])
        evidence = f"{fast.label} has the slope {fast_slope}, {slow.label} {slow_slope}; {end}"
        return (slow_slope - fast_slope).judge_above(0), evidence

    return pair.claim(text, 10 * first, decide)


def _slope_from(first: float) -> CurveNumber:
    """Return a function that fits the slope of a curve from a point on, by its points that have logarithms."""
    return lambda run: fit_slope([(x, y) for x, y in zip(run.x, run.y, strict=True) if x >= first and y > 0])


def fit_slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fit_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    return statistics.linear_regression([math.log(x) for x, _ in points], [math.log(y) for _, y in points]).slope


def falls(text: str, panel: str, fraction: float, needs: float = 1_000) -> Claim:
    """Claim that every curve of a panel falls, over the last third of log t, to a fraction of its maximum.

    It then converges, even if it starts near the goal.
    """

    def decide(*curves: Curve) -> VerdictWithEvidence:
        shares = [measure_interval(curve, lambda run: run.average() / max(run.y)) for curve in curves]
        slowest = curves[max(range(len(curves)), key=lambda number: shares[number].middle)]
        where = f"{compute_window_mean(slowest):.3g} from {slowest.window_start:,.0f} to {slowest.last:,.0f}"
        evidence = f"the slowest is {slowest.label}: {max(slowest.y):.3g} at its highest, {where}"
        return max(shares, key=lambda share: share.high).judge_between(-math.inf, fraction), evidence

    return Claim(text, panel, (), needs, decide)


def reaches(text: str, panel: str, line: str, x: float, expected: float, within: float) -> Claim:
    """Claim that a curve has the paper's height at a point, within a factor."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        height = measure_interval(curve, lambda run: run.at(x))
        evidence = f"{height} at {x:,.0f}, {expected:g} in the paper"
        return height.judge_between(expected / within, expected * within), evidence

    return Claim(text, panel, (line,), x, decide)


def noted_number(text: str, panel: str, line: str, name: str, expected: float, within: float = 0.0) -> Claim:
    """Claim that a number that a run notes is the paper's, within a fraction."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        number = curve.notes.get(name)
        if number is not None:
            holds = abs(number - expected) <= within * expected
            return "holds" if holds else "does not hold", f"{number:,.0f}"
        if curve.last < expected:
            return "not judged", f"needs {expected:,.0f}, the run ends at {curve.last:,.0f}"
        return "does not hold", "it did not happen in the run"

    return Claim(text, panel, (line,), 0.0, decide)
