"""Claims: each kind holds on curves made for it and does not on others; too short is not judged."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rue.papers.claims import (
    Claim,
    ends_lower,
    falls,
    faster,
    fitted_slope,
    gain,
    larger_gain,
    lower,
    lowest,
    note,
    overtakes,
    slope,
    spike,
    steeper,
)
from rue.papers.traces import Trace, mean

POINTS = tuple(float(round(10 ** (step / 6))) for step in range(19))


def curve(label: str, *heights: float) -> Trace:
    return Trace(label, label, POINTS[: len(heights)], heights, heights, heights)


def power(label: str, factor: float, slope: float, count: int = len(POINTS)) -> Trace:
    return curve(label, *(factor * x**slope for x in POINTS[:count]))


FAST, SLOW = power("fast", 1.0, -1.0), power("slow", 1.0, -0.5)
LATE = power("late", 30.0, -1.0)
TRACES = {"p": {"fast": FAST, "slow": SLOW, "late": LATE}, "q": {"fast": SLOW, "slow": SLOW}}
SHORT = {"p": {label: power(label, 1.0, -1.0, 4) for label in ("fast", "slow", "late")}, "q": {}}

HOLD = [
    lower("", "p", "fast", "slow", 10),
    lower("", "p", "fast", "slow", 100, factor=5.0, needs=100),
    ends_lower("", "p", "fast", "slow", 10.0),
    gain("", "p", "fast", "slow", 10.0, 33.0),
    larger_gain("", "p", "fast", "slow", "q"),
    overtakes("", "p", "late", "slow", 400, 1000),
    faster("", "p", "fast", "slow", 20.0),
    slope("", "p", "fast", -1.01, -0.99, first=10),
    steeper("", "p", "fast", "slow", first=10),
    lowest("", "p", ("fast", "late")),
    falls("", "p", 0.2),
]
FAIL = [
    lower("", "p", "slow", "fast", 10),
    lower("", "p", "late", "slow", 10, share=0.5),
    ends_lower("", "p", "fast", "slow", 100.0),
    gain("", "p", "fast", "slow", 40.0),
    larger_gain("", "p", "fast", "slow", "p"),
    overtakes("", "p", "late", "slow", 10, 100),
    overtakes("", "p", "slow", "fast", 10, 100),
    faster("", "p", "fast", "slow", 40.0),
    faster("", "p", "slow", "fast", 1.0),
    slope("", "p", "slow", most=-0.9, first=10),
    lowest("", "p", ("slow",)),
    falls("", "p", 0.02),
    spike("", "p", "fast"),
    steeper("", "p", "slow", "fast", first=10),
]


@pytest.mark.parametrize("claim", HOLD)
def test_holds(claim: Claim) -> None:
    verdict = claim.judge(TRACES)
    assert verdict.holds is True, verdict.shown
    assert verdict.shown


@pytest.mark.parametrize("claim", FAIL)
def test_does_not_hold(claim: Claim) -> None:
    assert claim.judge(TRACES).holds is False


def test_spike() -> None:
    bumpy = curve("bumpy", *(y * (3 if 8 <= i <= 9 else 1) for i, y in enumerate(FAST.y)))
    assert spike("", "p", "bumpy", times=1.5).judge({"p": {"bumpy": bumpy}}).holds


@pytest.mark.parametrize(
    "claim",
    [
        lower("", "p", "fast", "slow", 10, needs=100),
        gain("", "p", "fast", "slow", 1.0),
        overtakes("", "p", "late", "slow", 10, 100),
        slope("", "p", "fast"),
        falls("", "p", 0.1),
        spike("", "p", "fast"),
        note("", "p", "fast", "first perfect", 471_407),
    ],
)
def test_short_runs_are_not_judged(claim: Claim) -> None:
    verdict = claim.judge(SHORT)
    assert verdict.holds is None
    assert verdict.word == "not judged"


def test_note() -> None:
    noted = Trace("cfr", "cfr", (1.0,), (0.5,), (0.5,), (0.5,), notes={"first perfect": 972.0})
    lines = {"p": {"cfr": noted}}
    assert note("", "p", "cfr", "first perfect", 970, 0.003).judge(lines).holds
    assert not note("", "p", "cfr", "first perfect", 970).judge(lines).holds


def test_a_line_without_a_run_is_not_judged() -> None:
    assert ends_lower("", "p", "fast", "missing").judge(TRACES).holds is None


@given(st.floats(-3, 3), st.floats(1e-6, 1e6))
def test_the_slope_of_a_power_is_its_exponent(slope: float, factor: float) -> None:
    assert fitted_slope([(x, factor * x**slope) for x in POINTS]) == pytest.approx(slope, abs=1e-9)


@given(st.floats(1, 1000))
def test_curves_are_read_between_their_points(x: float) -> None:
    assert FAST.at(x) == pytest.approx(1 / x, rel=1e-9)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=10))
def test_mean_and_band(ends: list[float]) -> None:
    found = mean("m", [curve("m", end, end / 2) for end in ends])
    assert found.repeats == len(ends)
    assert found.end == pytest.approx(math.fsum(ends) / len(ends) / 2)
    assert all(low <= y <= high for low, y, high in zip(found.low, found.y, found.high, strict=True))


def test_points_that_coincide_are_read() -> None:
    doubled = Trace("d", "d", (1.0, 4.0, 4.0, 9.0), (1.0, 0.5, 0.5, 0.1), (0.0,) * 4, (1.0,) * 4)
    assert doubled.at(4.0) == pytest.approx(0.5)
