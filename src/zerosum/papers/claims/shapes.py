"""Claims about the course of one curve."""

from __future__ import annotations

import math
import statistics

from zerosum.papers.claims.claim import Claim, CurvesByPanel, Pair, VerdictWithEvidence, claim_about
from zerosum.papers.claims.intervals import CurveNumber, Interval, heights_text, interval_of, window_mean
from zerosum.papers.curve import Curve


def spike(text: str, panel: str, line: str, times: float = 2.0, first: float = 10) -> Claim:
    """A curve rises at some point to at least `times` what it was before."""

    def highest_rise(curve: Curve) -> tuple[float, float]:
        lowest, rise, rise_at = math.inf, 1.0, curve.last
        for x, y in zip(curve.x, curve.y, strict=True):
            if x >= first and y / lowest > rise:
                rise, rise_at = y / lowest, x
            lowest = min(lowest, y)
        return rise, rise_at

    def decide(curve: Curve) -> VerdictWithEvidence:
        rise = interval_of(curve, lambda run: highest_rise(run)[0])
        evidence = f"rises at most {rise} times above what it had reached, at {highest_rise(curve)[1]:,.0f}"
        return rise.verdict(times), evidence

    return claim_about(text, panel, (line,), 10 * first, decide)


def slope(
    text: str, panel: str, line: str, least: float = -math.inf, most: float = math.inf, first: float = 100
) -> Claim:
    """The slope of a curve on logarithmic axes, fitted from `first` on, lies between two numbers."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        fitted = interval_of(curve, _slope_from(first))
        return fitted.verdict(least, most), f"fitted slope {fitted} from {first:,.0f} on"

    return claim_about(text, panel, (line,), 10 * first, decide)


def steeper(text: str, pair: Pair, first: float = 1_000) -> Claim:
    """A curve falls faster than another from `first` on, by the slopes fitted on logarithmic axes."""

    def decide(fast: Curve, slow: Curve) -> VerdictWithEvidence:
        fast_slope, slow_slope = interval_of(fast, _slope_from(first)), interval_of(slow, _slope_from(first))
        difference = Interval(
            slow_slope.low - fast_slope.high,
            slow_slope.middle - fast_slope.middle,
            slow_slope.high - fast_slope.low,
        )
        end = heights_text(fast, slow, [min(fast.last, slow.last)])
        return difference.exceeds(0), f"{fast.label} has the slope {fast_slope}, {slow.label} {slow_slope}; {end}"

    return pair.claim(text, 10 * first, decide)


def _slope_from(first: float) -> CurveNumber:
    """Return a function that fits the slope of a curve from a point on, by its points that have logarithms."""
    return lambda run: fitted_slope([(x, y) for x, y in zip(run.x, run.y, strict=True) if x >= first and y > 0])


def fitted_slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the straight line through points on logarithmic axes, by least squares.

    >>> round(fitted_slope([(1, 1), (10, 0.1), (100, 0.01)]), 9)
    -1.0
    """
    return statistics.linear_regression([math.log(x) for x, _ in points], [math.log(y) for _, y in points]).slope


def falls(text: str, panel: str, fraction: float, needs: float = 1_000) -> Claim:
    """Every curve falls, over the last third of log t, to a fraction of its maximum: it converges, also if it starts
    near the goal."""

    def decide(curves: CurvesByPanel) -> VerdictWithEvidence:
        shares = {
            label: interval_of(curve, lambda run: run.average() / max(run.y)) for label, curve in curves[panel].items()
        }
        worst = max(shares, key=lambda label: shares[label].middle)
        curve = curves[panel][worst]
        where = f"{window_mean(curve):.3g} from {curve.window_start:,.0f} to {curve.last:,.0f}"
        evidence = f"the slowest is {worst}: {max(curve.y):.3g} at its highest, {where}"
        return max(shares.values(), key=lambda share: share.high).verdict(-math.inf, fraction), evidence

    return Claim(text, panel, (), needs, decide)


def reaches(text: str, panel: str, line: str, x: float, expected: float, within: float) -> Claim:
    """A curve has the paper's height at a point, within a factor."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        height = interval_of(curve, lambda run: run.at(x))
        evidence = f"{height} at {x:,.0f}, {expected:g} in the paper"
        return height.verdict(expected / within, expected * within), evidence

    return claim_about(text, panel, (line,), x, decide)


def noted_number(text: str, panel: str, line: str, name: str, expected: float, within: float = 0.0) -> Claim:
    """A number that a run notes is the paper's, within a fraction."""

    def decide(curve: Curve) -> VerdictWithEvidence:
        number = curve.notes.get(name)
        if number is not None:
            holds = abs(number - expected) <= within * expected
            return "holds" if holds else "does not hold", f"{number:,.0f}"
        if curve.last < expected:
            return "not judged", f"needs {expected:,.0f}, the run ends at {curve.last:,.0f}"
        return "does not hold", "it did not happen in the run"

    return claim_about(text, panel, (line,), 0.0, decide)
