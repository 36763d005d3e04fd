"""When a run is evaluated: at what cost, how close to a goal, and independent of any clock."""

from __future__ import annotations

import math
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
import zerosum.holdem
from zerosum.engine.limits import Limits
from zerosum.engine.sequence.solver import Solver
from zerosum.runs.evaluation_schedule import (
    EVALUATION_SHARE,
    FINE_RATIO,
    FREE_SECONDS,
    EvaluationSchedule,
    is_checkpoint,
    iterate_checkpoints,
    predict_crossing,
)
from zerosum.runs.progress import estimate_seconds_left

TURN = ("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin")


def evaluated_places(heights: Any, schedule: EvaluationSchedule, step: float, cost: float, last: int) -> list[int]:
    """Return the places at which a run with a known curve is evaluated, until it is over."""
    curve: list[tuple[int, float]] = []
    for place in schedule.iterate_candidates(1):
        if place > last:
            break
        if schedule.should_evaluate(place, curve, step * place, cost):
            curve.append((place, heights(place)))
            if schedule.until is not None and curve[-1][1] <= schedule.until:
                break
    return [place for place, _ in curve]


@given(st.floats(1e-7, 1.0), st.floats(1e-5, 10.0), st.integers(1, 3000))
def test_evaluations_take_a_bounded_share_of_the_time(step: float, cost: float, last: int) -> None:
    places = evaluated_places(lambda place: 1.0, EvaluationSchedule(), step, cost, last)
    assert places == sorted(set(places))
    assert all(is_checkpoint(place) for place in places)
    for count, place in enumerate(places, start=1):
        assert count * cost <= max(FREE_SECONDS, EVALUATION_SHARE * (step * place + count * cost)) * (1 + 1e-12)


def test_cheap_evaluations_keep_their_usual_places() -> None:
    assert evaluated_places(lambda place: 1.0, EvaluationSchedule(), 1e-6, 1e-4, 1000) == list(
        iterate_checkpoints(1000)
    )


@given(st.floats(0.7, 2.5), st.integers(150, 5000), st.floats(0.5, 4.0))
def test_a_goal_is_overshot_by_little(power: float, goal: int, dear: float) -> None:
    """A curve that falls like a power of t; an evaluation costs as much as some iterations, each a second."""
    places = evaluated_places(
        lambda place: place**-power, EvaluationSchedule(float(goal) ** -power), 1.0, dear, 10 * goal
    )
    assert goal <= places[-1] <= math.ceil(1.05 * goal)
    assert len(places) * dear <= 0.12 * (places[-1] + len(places) * dear)


@given(st.floats(0.7, 3.0), st.integers(2, 5000))
def test_a_goal_is_overshot_by_less_where_evaluations_cost_nothing(power: float, goal: int) -> None:
    places = evaluated_places(
        lambda place: place**-power, EvaluationSchedule(float(goal) ** -power), 1e-6, 1e-5, 10 * goal
    )
    assert goal <= places[-1] <= max(goal + 1, FINE_RATIO * goal)


@given(st.integers(1, 10**6), st.one_of(st.none(), st.floats(1e-9, 1.0)))
def test_places_do_not_depend_on_the_first_iteration(first: int, until: float | None) -> None:
    schedule = EvaluationSchedule(until)
    whole = [place for place in islice(schedule.iterate_candidates(1), 2000) if place >= first]
    assert list(islice(schedule.iterate_candidates(first), 20)) == whole[:20]
    assert all(earlier < later for earlier, later in pairwise(whole))


def test_a_curve_that_does_not_fall_adds_no_evaluation() -> None:
    assert predict_crossing([(10, 1.0), (20, 2.0)], 0.5) == pytest.approx(20 * 4 ** (1 / 2))
    assert predict_crossing([(10, 1.0), (20, 0.999)], 1e-9) is None


@pytest.mark.parametrize("until", [None, "0.4%"])
def test_pieces_saving_and_resuming_change_no_point(tmp_path: Path, until: str | None, monkeypatch: Any) -> None:
    """The curve of a spot whose evaluations are dear is that of a run in one go."""
    monkeypatch.setattr("zerosum.runs.evaluation_schedule.FREE_SECONDS", 0.0)
    spot = zerosum.holdem.spot(*TURN)
    limits: dict[str, Any] = {"iterations": 300, "until": until}
    whole = zerosum.solve(spot, **limits)
    assert 2 <= len(whole.curve) < 20
    run = zerosum.start(spot, out=tmp_path / "run", **limits)
    for piece in (1, 7, 30, 2):
        run.advance(iterations=piece)
    run.stop()
    run.advance()
    run.close()
    again = zerosum.resume(tmp_path / "run")
    numbers = [
        [(point.iteration, point.exploitability, point.value) for point in result.curve] for result in (again, whole)
    ]
    assert numbers[0] == numbers[1]


def test_evaluations_are_announced_to_the_listener() -> None:
    seen: list[tuple[int, int]] = []

    def evaluated(run: zerosum.Run) -> None:
        seen.append((run.curve[-1].iteration, len(run.result().strategy)))
        if run.curve[-1].exploitability < 0.05:
            run.stop()

    result = zerosum.solve("kuhn", "cfr+", iterations=1000, evaluated=evaluated)
    assert [iteration for iteration, _ in seen] == [point.iteration for point in result.curve]
    assert {infosets for _, infosets in seen} == {12}
    assert result.stopped == "interrupted"
    assert result.iterations < 100

    def fails(run: zerosum.Run) -> None:
        run.advance()

    with pytest.raises(zerosum.ZerosumError, match="must not advance its own run"):
        zerosum.solve("kuhn", iterations=10, evaluated=fails)


def test_the_time_left_is_that_of_the_first_limit() -> None:
    solver = Solver(zerosum.compile_game(zerosum.game("kuhn")), zerosum.algorithm("cfr"), 10_000)
    solver.iteration = 100
    curve = [zerosum.Point(n, n / 10, 8 / n, 16 / n, 0.0) for n in (25, 50, 100)]
    for limits, expected in [
        (Limits(iterations=10_000), 990.0),
        (Limits(iterations=10_000, seconds=12), 2.0),
        (Limits(iterations=10_000, until=0.04), 10.0),
        (Limits(iterations=10_000, until=0.04, seconds=500), 10.0),
        (Limits(iterations=10_000, until=1e-9), 990.0),
    ]:
        assert estimate_seconds_left(solver, limits, curve, 10.0, 10.0) == pytest.approx(expected)
    assert estimate_seconds_left(solver, Limits(iterations=10_000, until=0.04), curve[:1], 10.0, 10.0) == pytest.approx(
        990.0
    )
