"""The compiled walk against the plain one, for every algorithm, on random games."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import rue
from random_games import Mirrored, RandomGame
from rue.algorithms.catalogue import ALGORITHMS

SMALL = ["kuhn", "rps-double-scissors", "matrix([[1, 0.9], [-0.7, 1]])", "coin-toss", "liars-dice(sides=2)"]
EVERY = [
    *(name for name in ALGORITHMS if rue.algorithm(name).sampling is None),
    "dcfr(1.5, 0.5, 2)",
    "dcfr(1.5, -inf, 2)",
    "dcfr(immediate=true)",
    "cfr+(average=1)",
    "cfr(order=simultaneous)",
    "dcfr(order=simultaneous)",
    "cfr(first=2)",
    "pdcfr+(first=2)",
    "rtrm-lcfr(first=2)",
    "ecfr(first=2)",
    "nh-cfr",
    "nh-dcfr",
    "nh-lcfr",
    "optimistic-cfr",
    "optimistic-lcfr",
    "optimistic-dcfr",
    "optimistic-nh-dcfr",
    "trm-cfr(0.5)",
    "trm-cfr+(2)",
    "trm-lcfr(1.005, 0.995)",
    "trm-cfr(random=1, seed=3)",
    "rtrm-cfr",
    "rtrm-cfr+",
    "rtrm-lcfr",
    "ecfr(-0.0001)",
    "ecfr(b=r^3)",
    "ecfr(b=1/t, scale=0.5)",
    "hedge(0.5)",
    "oftrl(tuned, factor=100)",
    "oftrl(theory, regulariser=euclidean)",
    "oftrl(fixed, eta=0.3)",
    "oftrl(fixed, eta=0.3, regulariser=euclidean, prediction=last)",
    "oftrl(theory, order=simultaneous)",
    "oftrl(theory, losses=chips, kappa=1)",
    "ftrl(fixed, eta=0.3)",
    "idcfr+(skip=0.5)",
    "icfr+(skip=7)",
    "pcfr+(prediction=last)",
    "pdcfr+(prediction=last)",
    "pcfr+(order=simultaneous)",
]


@cache
def random_form(seed: int) -> rue.SequenceForm:
    return rue.compile_game(RandomGame(seed))


@cache
def form_and_value(game: str) -> tuple[rue.SequenceForm, float]:
    """A game, and its value by the linear program."""
    form = rue.compile_game(rue.game(game))
    return form, form.value(*rue.equilibrium(form))


@pytest.mark.parametrize("name", EVERY)
def test_walk_equals_the_plain_loop(name: str) -> None:
    algorithm = rue.algorithm(name)
    if algorithm.steps == rue.Theory(None, None):
        algorithm = algorithm.with_factor(10.0)
    for seed in range(4):
        form = random_form(seed)
        solver = rue.Solver(form, algorithm, horizon=25)
        for _ in range(3):
            solver.run(5)
        for fast, plain in zip(solver.average, reference.run(form, algorithm, 15, 25), strict=True):
            np.testing.assert_allclose(fast, plain, atol=1e-9)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("game", SMALL)
def test_every_algorithm_on_every_small_game(name: str, game: str) -> None:
    """Plans stay plans, exploitability is never negative, falls, and the value nears the exact one."""
    form, exact = form_and_value(game)
    result = rue.solve(form, name, iterations=600)
    assert all(point.exploitability >= -1e-12 for point in result.curve)
    first, last = result.curve[0], result.curve[-1]
    slow = any(word in name for word in ("theory", "ecfr", "hedge", "ftrl", "tuned", "random", "nh-cfr"))
    if not slow:
        assert last.exploitability <= max(0.25 * first.exploitability, 2e-2)
    assert abs(last.value - exact) <= last.nash_conv + 1e-12


@given(
    st.integers(0, 10**6),
    st.sampled_from([name for name in EVERY if not any(word in name for word in ("order", "hybrid", "first"))]),
)
def test_who_updates_first_is_who_sits_first(seed: int, name: str) -> None:
    """With the players exchanged and the second one first, everything is the same with the players exchanged."""
    chosen = rue.algorithm(name)
    if chosen.steps == rue.Theory(None, None):
        chosen = chosen.with_factor(10.0)
    one = rue.Solver(rue.compile_game(RandomGame(seed, depth=4)), chosen, horizon=12)
    two = rue.Solver(rue.compile_game(Mirrored(RandomGame(seed, depth=4))), replace(chosen, first=2), horizon=12)
    for solver in (one, two):
        solver.run(12)
    for mine, theirs in zip(one.average + one.regrets, two.average[::-1] + two.regrets[::-1], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert two.evaluate().gains == pytest.approx(one.evaluate().gains[::-1], abs=1e-14)


def test_who_updates_first_makes_a_difference() -> None:
    one, two = (rue.solve("kuhn", f"cfr+(first={first})", iterations=20) for first in (1, 2))
    assert one.exploitability != two.exploitability


@given(st.integers(0, 10**6), st.integers(1, 6), st.booleans())
def test_the_compiled_judgement_is_that_of_numpy(seed: int, iterations: int, start: bool) -> None:
    form = rue.compile_game(RandomGame(seed, depth=5))
    solver = rue.Solver(form, rue.algorithm("dcfr"), horizon=10, start_seed=1 if start else None)
    if iterations > 1:
        solver.run(iterations - 1)
    expected, found = rue.evaluate(form, *solver.average), solver.evaluate()
    assert found.value == pytest.approx(expected.value, abs=1e-14)
    assert found.gains == pytest.approx(expected.gains, abs=1e-14)


@given(st.integers(0, 10**6), st.sampled_from(EVERY))
def test_plans_are_plans(seed: int, name: str) -> None:
    algorithm = rue.algorithm(name)
    if algorithm.steps == rue.Theory(None, None):
        algorithm = algorithm.with_factor(10.0)
    form = rue.compile_game(RandomGame(seed, depth=4))
    solver = rue.Solver(form, algorithm, horizon=12)
    for _ in range(3):
        solver.run(4)
        for plans in (solver.current, solver.average):
            for tree, plan in zip(form.treeplexes, plans, strict=True):
                assert tree.is_plan(plan)
        assert solver.evaluate().exploitability >= -1e-12


@given(st.integers(0, 10**6), st.sampled_from(EVERY), st.integers(1, 19))
def test_cutting_a_run_in_two_changes_nothing(seed: int, name: str, cut: int) -> None:
    algorithm = rue.algorithm(name)
    if algorithm.steps == rue.Theory(None, None):
        algorithm = algorithm.with_factor(10.0)
    form = rue.compile_game(RandomGame(seed, depth=4))
    whole, pieces = (rue.Solver(form, algorithm, horizon=20, start_seed=1) for _ in range(2))
    whole.run(20)
    pieces.run(cut)
    pieces.run(20 - cut)
    for a, b in zip(whole.average + whole.current, pieces.average + pieces.current, strict=True):
        np.testing.assert_array_equal(a, b)
