"""Averages weighted by any function of t."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import rue
import rue.holdem
from random_games import RandomGame
from rue.algorithms.recipe import to_data

FUNCTIONS: list[Any] = [
    lambda t: t**2,
    lambda t: 1.0,
    lambda t: float(t > 5),
    lambda t: np.sqrt(t) * (t % 3),
    lambda t: 2.0**t,
    lambda t: 0,
]


def weighed(plans: list[np.ndarray], weights: list[float]) -> np.ndarray:
    """The mean of plans; of all alike where every weight is zero."""
    return np.average(plans, axis=0, weights=weights if any(weights) else None)


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_the_average_is_the_weighted_mean_of_the_plans(number: int) -> None:
    """Of the plans of iterations 1 to T, collected one by one, normalised infoset by infoset as masses are."""
    function = FUNCTIONS[number]
    form = rue.compile_game(RandomGame(3))
    chosen = replace(rue.algorithm("dcfr"), average=function)
    solver = rue.Solver(form, chosen, horizon=40)
    plans: list[tuple[np.ndarray, np.ndarray]] = []
    for t in range(1, 31):
        plans.append(solver.current)
        solver.run(1)
        weights = [float(function(s)) for s in range(1, t + 1)]
        for player, treeplex in enumerate(form.treeplexes):
            mean = weighed([each[player] for each in plans], weights)
            expected = treeplex.plan(treeplex.strategy(mean))
            np.testing.assert_allclose(solver.average[player], expected, atol=1e-12)
    for fast, plain in zip(solver.average, reference.run(form, chosen, 30, 40), strict=True):
        np.testing.assert_allclose(fast, plain, atol=1e-9)


@given(st.lists(st.floats(0, 1e300), min_size=12, max_size=12), st.integers(1, 11))
def test_pieces_change_nothing(weights: list[float], cut: int) -> None:
    chosen = rue.Algorithm("mine", average=lambda t: weights[t - 1])
    whole, one, two = (
        chosen.coefficients(1, 12, 12),
        chosen.coefficients(1, cut, 12),
        chosen.coefficients(cut + 1, 12, 12),
    )
    np.testing.assert_array_equal(np.concatenate([one, two]), whole)
    np.testing.assert_array_equal(chosen.coefficients(cut, 12, 12), whole[cut - 1 :])
    assert np.isfinite(whole).all()


def test_a_power_is_a_function_too(tmp_path: Path) -> None:
    spot = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")
    squares = replace(rue.algorithm("cfr+"), name="squares", average=lambda t: t * t)
    for game in ("leduc", spot):
        mine, known = rue.solve(game, squares, iterations=60), rue.solve(game, "cfr+", iterations=60)
        assert mine.exploitability == pytest.approx(known.exploitability, rel=1e-4)
    assert rue.rule(lambda t, instant, regret, strategy, memory: None, average=lambda t: t).average.function(3) == 3


def test_what_is_saved_needs_the_function_again(tmp_path: Path) -> None:
    def late(power: float) -> rue.Algorithm:
        return rue.Algorithm("late", average=lambda t: t**power)

    whole = rue.solve("kuhn", late(2.5), iterations=40)
    rue.solve("kuhn", late(2.5), iterations=20, out=tmp_path / "run")
    assert rue.load(tmp_path / "run").iterations == 20
    with pytest.raises(rue.RueError, match="has a function of one's own in it"):
        rue.resume(tmp_path / "run", iterations=40)
    with pytest.raises(rue.RueError, match="not what this run was started with"):
        rue.resume(tmp_path / "run", iterations=40, algorithm=late(3.0))
    assert rue.resume(tmp_path / "run", iterations=40, algorithm=late(2.5)).strategy == whole.strategy
    assert to_data(late(1.0))["average"]["function"]["kind"] == "function"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda t: -1.0 if t == 4 else 1.0, "the weight of iteration 4 in the average is -1"),
        (lambda t: float("nan"), "iteration 1 in the average is nan"),
        (lambda t: 1 / (t - 2), "iteration 1 in the average is -1"),
        (lambda t: [][t], "cannot be had: IndexError"),
        (lambda: 1, "cannot be had: TypeError"),
    ],
)
def test_weights_that_are_none(function: Any, words: str) -> None:
    with pytest.raises(rue.RueError, match=words):
        rue.solve("kuhn", rue.Algorithm("mine", average=function), iterations=10)


def test_what_is_no_average() -> None:
    with pytest.raises(rue.RueError, match="by a function of t, not by 'much'"):
        rue.Algorithm("mine", average="much")
    with pytest.raises(rue.RueError, match="weighted by no function"):
        replace(rue.algorithm("mccfr"), average=lambda t: t)
