"""Claims: each kind holds on curves built for it and on no others; curves that are too short are not judged."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.papers.catalogue import FIGURES
from zerosum.papers.claim import Claim, Pair
from zerosum.papers.claim_kinds import (
    all_fall,
    are_alike,
    are_lower_in_pairs,
    fit_slope,
    gains_more,
    has_iteration_cost,
    has_slope,
    has_spike,
    is_faster,
    is_lower,
    is_lower_at_end,
    is_lower_by_time,
    is_lower_on_average,
    is_lowest,
    is_steeper,
    needs_no_more_bytes,
    notes_number,
    overtakes,
    reaches,
)
from zerosum.papers.curve import BYTES, Curve, combine_runs

POINTS = tuple(float(round(10 ** (step / 6))) for step in range(19))


def curve(label: str, *heights: float) -> Curve:
    return Curve(label, label, POINTS[: len(heights)], heights, heights, heights)


def power(label: str, factor: float, slope: float, count: int = len(POINTS)) -> Curve:
    return curve(label, *(factor * x**slope for x in POINTS[:count]))


FAST, SLOW = power("fast", 1.0, -1.0), power("slow", 1.0, -0.5)
LATE, ABOVE = power("late", 30.0, -1.0), power("above", 1.3, -1.0)
CURVES = {"p": {"fast": FAST, "slow": SLOW, "late": LATE}, "q": {"fast": SLOW, "slow": SLOW}}
SHORT = {"p": {label: power(label, 1.0, -1.0, 4) for label in ("fast", "slow", "late")}, "q": {}}

HOLD = [
    is_lower("", Pair("p", "fast", "slow"), 10),
    is_lower("", Pair("p", "fast", "slow"), 100, factor=5.0, needs=100),
    is_lower_at_end("", Pair("p", "fast", "slow"), 10.0),
    are_alike("", Pair("p", "late", "slow"), 3.0),
    reaches("", "p", "fast", 100, 0.011, 1.2),
    are_lower_in_pairs("", "p", ("fast", "late"), ("slow", "slow"), 0.5),
    is_lower_on_average("", Pair("p", "fast", "slow"), 10.0, 33.0),
    gains_more("", Pair("p", "fast", "slow"), "q"),
    overtakes("", Pair("p", "late", "slow"), 400, 1000),
    is_faster("", Pair("p", "fast", "slow"), 20.0),
    has_slope("", "p", "fast", -1.01, -0.99, first=10),
    is_steeper("", Pair("p", "fast", "slow"), first=10),
    is_lowest("", "p", ("fast", "late")),
    all_fall("", "p", 0.2),
]
FAIL = [
    is_lower("", Pair("p", "slow", "fast"), 10),
    is_lower("", Pair("p", "late", "slow"), 10, share=0.5),
    is_lower_at_end("", Pair("p", "fast", "slow"), 100.0),
    are_alike("", Pair("p", "fast", "slow"), 3.0),
    reaches("", "p", "fast", 100, 0.02, 1.2),
    are_lower_in_pairs("", "p", ("slow", "late"), ("fast", "fast"), 0.5),
    is_lower_on_average("", Pair("p", "fast", "slow"), 40.0),
    gains_more("", Pair("q", "fast", "slow"), "p"),
    overtakes("", Pair("p", "late", "slow"), 10, 100),
    overtakes("", Pair("p", "slow", "fast"), 10, 100),
    is_faster("", Pair("p", "fast", "slow"), 60.0),
    is_faster("", Pair("p", "slow", "fast"), 1.0),
    has_slope("", "p", "slow", most=-0.9, first=10),
    is_lowest("", "p", ("slow",)),
    all_fall("", "p", 0.02),
    has_spike("", "p", "fast"),
    is_steeper("", Pair("p", "slow", "fast"), first=10),
]


@pytest.mark.parametrize("claim", HOLD)
def test_holds(claim: Claim) -> None:
    verdict = claim.judge(CURVES)
    assert verdict.word == "holds", verdict.evidence
    assert verdict.evidence


@pytest.mark.parametrize("claim", FAIL)
def test_does_not_hold(claim: Claim) -> None:
    assert claim.judge(CURVES).word == "does not hold"


def test_spike() -> None:
    bumpy = curve("bumpy", *(y * (3 if 8 <= i <= 9 else 1) for i, y in enumerate(FAST.y)))
    assert has_spike("", "p", "bumpy", times=1.5).judge({"p": {"bumpy": bumpy}}).word == "holds"


def test_the_cost_of_an_iteration() -> None:
    long, short = (
        replace(FAST, seconds=8 * FAST.last_x),
        replace(combine_runs("slow", [SLOW, SLOW], scaled=True), seconds=4 * SLOW.last_x),
    )
    traces = {"p": {"fast": long, "slow": short}}
    assert has_iteration_cost("", Pair("p", "fast", "slow"), 5, 1.5).judge(traces).word == "holds"
    assert has_iteration_cost("", Pair("p", "fast", "slow"), 2, 1.5).judge(traces).word == "does not hold"


def test_lower_by_iterations_may_be_higher_by_time() -> None:
    cheap, dear = replace(ABOVE, seconds=ABOVE.last_x), replace(FAST, seconds=5 * FAST.last_x)
    traces = {"p": {"fast": dear, "above": cheap}}
    assert is_lower_at_end("", Pair("p", "fast", "above")).judge(traces).word == "holds"
    verdict = is_lower_by_time("", Pair("p", "above", "fast")).judge(traces)
    assert verdict.word == "holds"
    text = "above is 3.85 times lower than fast, whose iterations take 5 times as long"  # 5 / 1.3: both fall like 1 / t
    assert verdict.evidence.startswith(text)


def test_memory_that_was_not_measured_is_not_judged() -> None:
    claim = needs_no_more_bytes("", Pair("p", "fast", "slow"))
    assert claim.judge(CURVES).word == "not judged"
    lines = {"fast": replace(FAST, notes={BYTES: 100.0}), "slow": replace(SLOW, notes={BYTES: 100.0})}
    assert claim.judge({"p": lines}).word == "holds"
    assert claim.judge({"p": {**lines, "slow": replace(SLOW, notes={BYTES: 99.0})}}).word == "does not hold"


def test_spcfr_is_judged_by_the_labels_of_its_text_first() -> None:
    """For alternating updates the text names theory for subgames 1 and 2, tuned for 3 and 4."""
    claims = [claim for key in ("spcfr-3", "spcfr-5") for claim in FIGURES[key].claims if "OFTRL" in claim.text]
    other = [claim.text for claim in claims if "(the other label)" in claim.text]
    assert [text for text in other if "OFTRL tuned" in text] == [text for text in other if text < "subgame 3"]
    assert len(other) == 4


@pytest.mark.parametrize(
    "claim",
    [
        is_lower("", Pair("p", "fast", "slow"), 10, needs=100),
        is_lower_on_average("", Pair("p", "fast", "slow"), 1.0),
        overtakes("", Pair("p", "late", "slow"), 10, 100),
        has_slope("", "p", "fast"),
        all_fall("", "p", 0.1),
        has_spike("", "p", "fast"),
        notes_number("", "p", "fast", "first perfect", 471_407),
    ],
)
def test_short_runs_are_not_judged(claim: Claim) -> None:
    assert claim.judge(SHORT).word == "not judged"


def test_note() -> None:
    noted = Curve("cfr", "cfr", (1.0,), (0.5,), (0.5,), (0.5,), notes={"first perfect": 972.0})
    lines = {"p": {"cfr": noted}}
    assert notes_number("", "p", "cfr", "first perfect", 970, 0.003).judge(lines).word == "holds"
    assert notes_number("", "p", "cfr", "first perfect", 970).judge(lines).word == "does not hold"


def test_a_line_without_a_run_is_not_judged() -> None:
    assert is_lower_at_end("", Pair("p", "fast", "missing")).judge(CURVES).word == "not judged"


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_with_a_single_panel_is_judged_by_that_panel(key: str) -> None:
    """`zerosum figure --only` leaves such a figure: claims must tolerate panels that were not run."""
    x = tuple(10.0**power for power in range(10))
    y = tuple(1 / number for number in x)
    figure = FIGURES[key]
    for chosen in figure.panels:
        lines = {label: Curve(label, label, x, y, y, y) for label in chosen.lines}
        traces = {panel.title: lines if panel is chosen else {} for panel in figure.panels}
        for claim in figure.claims:
            verdict = claim.judge(traces)
            assert (claim.panel == chosen.title and not claim.other_panels) or verdict.word == "not judged"


@given(st.floats(-3, 3), st.floats(1e-6, 1e6))
def test_the_slope_of_a_power_is_its_exponent(slope: float, factor: float) -> None:
    assert fit_slope([(x, factor * x**slope) for x in POINTS]) == pytest.approx(slope, abs=1e-9)


@given(st.floats(1, 1000))
def test_curves_are_read_between_their_points(x: float) -> None:
    assert FAST.height_at(x) == pytest.approx(1 / x, rel=1e-9)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=10))
def test_mean_and_band(ends: list[float]) -> None:
    average = combine_runs("m", [curve("m", end, end / 2) for end in ends], scaled=False)
    assert average.repeats == len(ends)
    assert average.last_y == pytest.approx(math.fsum(ends) / len(ends) / 2)
    assert all(low <= y <= high for low, y, high in zip(average.low, average.y, average.high, strict=True))


def test_points_that_coincide_are_read() -> None:
    doubled = Curve("d", "d", (1.0, 4.0, 4.0, 9.0), (1.0, 0.5, 0.5, 0.1), (0.0,) * 4, (1.0,) * 4)
    assert doubled.height_at(4.0) == pytest.approx(0.5)


# What rounding and repeats make of a verdict.


def multiplied(trace: Curve, *factors: float) -> list[Curve]:
    return [replace(trace, y=tuple(factor * y for y in trace.y)) for factor in factors]


def scaled(trace: Curve, *factors: float) -> Curve:
    """Return a run together with its repeats at other heights, as for other scales of the payoffs."""
    return combine_runs(trace.label, multiplied(trace, 1.0, *factors), scaled=True)


def repeated(trace: Curve, *factors: float) -> Curve:
    return combine_runs(trace.label, multiplied(trace, *factors), scaled=False)


@pytest.mark.parametrize(
    "claim",
    [
        is_lower_at_end("", Pair("p", "fast", "above")),
        is_lower_on_average("", Pair("p", "fast", "above"), 1.0),
        is_lower("", Pair("p", "fast", "above"), 10),
        is_lowest("", "p", ("fast",)),
        gains_more("", Pair("p", "fast", "above"), "q"),
        are_lower_in_pairs("", "p", ("fast",), ("above",), 0.5),
    ],
)
def test_differences_within_rounding_do_not_count(claim: Claim) -> None:
    same = {"fast": FAST, "above": FAST}
    near = {"fast": scaled(FAST, 0.9, 1.1), "above": scaled(ABOVE, 1.0, 1.1)}
    far = {"fast": scaled(FAST, 0.9, 1.5), "above": scaled(ABOVE, 0.8, 1.1)}
    assert claim.judge({"p": {"fast": FAST, "above": ABOVE}, "q": same}).word == "holds"
    assert claim.judge({"p": near, "q": same}).word == "holds"
    assert claim.judge({"p": far, "q": same}).word == "no difference"
    turned = {"fast": replace(near["above"], label="fast"), "above": replace(near["fast"], label="above")}
    assert claim.judge({"p": turned, "q": same}).word == "does not hold"


def test_the_same_numbers_are_no_difference() -> None:
    lines = {"p": {"fast": FAST, "slow": replace(FAST, label="slow")}}
    for claim in (
        is_lower_at_end("", Pair("p", "fast", "slow")),
        is_lowest("", "p", ("slow",)),
        is_steeper("", Pair("p", "fast", "slow"), 10),
    ):
        assert claim.judge(lines).word == "no difference"
    assert gains_more("", Pair("p", "fast", "slow"), "p").judge(lines).word == "no difference"


def test_where_and_how_a_curve_falls_may_be_rounding_too() -> None:
    steep = power("fast", 1.0, -1.2)
    bent = combine_runs("fast", [FAST, replace(steep, label="fast")], scaled=True)
    assert has_slope("", "p", "fast", -1.1, -0.9, first=10).judge({"p": {"fast": FAST}}).word == "holds"
    assert has_slope("", "p", "fast", -1.1, -0.9, first=10).judge({"p": {"fast": bent}}).word == "no difference"
    assert (
        is_steeper("", Pair("p", "fast", "slow"), first=10).judge({"p": {"fast": bent, "slow": SLOW}}).word == "holds"
    )
    claim = overtakes("", Pair("p", "late", "slow"), 400, 1000)
    assert claim.judge({"p": {"late": scaled(LATE, 0.99), "slow": scaled(SLOW, 1.01)}}).word == "holds"
    assert claim.judge({"p": {"late": scaled(LATE, 0.3), "slow": scaled(SLOW, 1.0)}}).word == "no difference"
    late, slow = repeated(LATE, 1.0, 0.3), repeated(SLOW, 1.0, 1.0)
    verdict = claim.judge({"p": {"late": late, "slow": slow}})
    assert verdict.word == "no difference"
    assert "is below slow for good after 316 (in single runs 68 to 681)" in verdict.evidence


def test_how_much_sooner_and_how_far_down_may_be_the_luck_of_repeats_too() -> None:
    claim = is_faster("", Pair("p", "fast", "slow"), 20.0)
    assert claim.judge({"p": {"fast": repeated(FAST, 1.0, 1.1), "slow": repeated(SLOW, 1.0, 1.1)}}).word == "holds"
    spread = {"fast": repeated(FAST, 0.3, 1.0, 3.0), "slow": repeated(SLOW, 1.0, 1.0, 1.0)}
    assert claim.judge({"p": spread}).word == "no difference"
    bent = combine_runs("fast", [FAST, replace(SLOW, label="fast")], scaled=True)
    assert all_fall("", "p", 0.02).judge({"p": {"fast": FAST}}).word == "holds"
    assert all_fall("", "p", 0.02).judge({"p": {"fast": bent}}).word == "no difference"


def test_repeats_are_compared_run_by_run() -> None:
    """Spots that differ by a factor of 100 hide no difference, since both algorithms solve each of them."""
    claim = is_lower_at_end("", Pair("p", "fast", "above"))
    spots = 1.0, 10.0, 100.0
    lines = {"fast": repeated(FAST, *spots), "above": repeated(ABOVE, *spots)}
    assert claim.judge({"p": lines}).word == "holds"
    mixed = {"fast": repeated(FAST, 1.0, 1.0, 1.0), "above": repeated(ABOVE, 1.0, 0.5, 1.1)}
    assert claim.judge({"p": mixed}).word == "no difference"


def test_a_window_is_judged_not_the_last_point() -> None:
    lucky = curve("above", *power("above", 2.0, -1.0).y[:-1], FAST.last_y / 2)
    claim = is_lower_at_end("", Pair("p", "fast", "above"))
    assert claim.judge({"p": {"fast": FAST, "above": lucky}}).word == "holds"
    assert FAST.compute_mean_height() == pytest.approx(1000 ** (-5 / 6), rel=1e-2)


@given(st.floats(0.1, 10), st.floats(-2, 0))
def test_the_mean_over_a_window_does_not_depend_on_its_points(factor: float, slope: float) -> None:
    """Points that are added between others change nothing on a straight line."""
    few = Curve("f", "f", (1.0, 1000.0), (factor, factor * 1000.0**slope), (0.0,) * 2, (1.0,) * 2)
    many = power("m", factor, slope)
    assert many.compute_mean_height() == pytest.approx(few.compute_mean_height(), rel=1e-9)


def test_the_band_of_roundings_is_the_lowest_and_the_highest() -> None:
    band = scaled(FAST, 0.5, 3.0)
    assert band.repeats == 1
    assert band.y == FAST.y
    assert band.low == pytest.approx(tuple(y / 2 for y in FAST.y))
    assert band.high == pytest.approx(tuple(3 * y for y in FAST.y))
    assert [run.last_y for run in band.single_runs()] == pytest.approx(
        [FAST.last_y, FAST.last_y / 2, 3 * FAST.last_y], rel=1e-4
    )


@pytest.mark.parametrize(("times", "word"), [(1.0, "no difference"), (1.2, "no difference"), (1.3, "holds")])
def test_runs_without_repetition_must_be_a_quarter_apart(times: float, word: str) -> None:
    traces = {"p": {"fast": FAST, "slow": power("slow", times, -1.0)}}
    assert is_lower_at_end("", Pair("p", "fast", "slow")).judge(traces).word == word
    assert is_lower_on_average("", Pair("p", "fast", "slow"), 1.0).judge(traces).word == word
    assert is_lowest("", "p", ("fast",)).judge(traces).word == word


def test_a_claim_names_the_number_that_decides_it() -> None:
    pair = Pair("p", "fast", "slow")
    assert is_lower_at_end("far ahead", pair, 10.0).text == "far ahead (at least 10 times)"
    assert is_lower_on_average("better", pair, 1.5).text == "better (at least 1.5 times)"
    assert (
        is_lower_on_average("alike", pair, 0.5, 2.0).text
        == are_alike("alike", pair, 2.0).text
        == "alike (within 2 times)"
    )
    assert is_lower_at_end("better", pair).text == is_lower_on_average("better", pair, 1.0).text == "better"


def test_a_claim_may_speak_of_the_end_alone() -> None:
    """What overtakes at 576 is below at the end and above in most of the last third."""
    traces = {"p": {"slow": SLOW, "late": power("late", 24.0, -1.0)}}
    for first, word in ((None, "does not hold"), (950.0, "holds")):
        assert is_lower_at_end("", Pair("p", "late", "slow"), first=first).judge(traces).word == word
        assert is_lowest("", "p", ("late",), first=first).judge(traces).word == word
    assert "from 950 to 1,000" in is_lower_at_end("", Pair("p", "late", "slow"), first=950.0).judge(traces).evidence
