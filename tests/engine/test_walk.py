"""The compiled walk in sequence form against its plain twin, `reference.py`, for every algorithm on random games."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import zerosum
from random_games import Mirrored, RandomGame
from twins import evaluation as twin
from twins.payoff_matrix import apply_matrix
from zerosum.algorithms.named_algorithms import ALGORITHMS

SMALL = ["kuhn", "rps-double-scissors", "matrix([[1, 0.9], [-0.7, 1]])", "coin-toss", "liars-dice(sides=2)"]
EVERY = list(reference.ALGORITHMS)


@cache
def random_form(seed: int) -> tuple[zerosum.SequenceForm, reference.Node]:
    """A random game in sequence form, and as its histories."""
    game = RandomGame(seed)
    return zerosum.compile_game(game), reference.unfold(game, game.root())


@cache
def form_and_value(game: str) -> tuple[zerosum.SequenceForm, float]:
    """A game, and its value by the linear program."""
    form = zerosum.compile_game(zerosum.game(game))
    return form, form.value(*zerosum.equilibrium(form))


def test_the_plain_twin_has_every_algorithm() -> None:
    """A new algorithm needs a line in `reference.ALGORITHMS`: its choices, as its paper defines them."""
    assert {name for name in ALGORITHMS if zerosum.algorithm(name).sampling is None} <= reference.ALGORITHMS.keys()


def test_the_plain_twin_imports_nothing_that_it_checks() -> None:
    tree = ast.parse(Path(reference.__file__).read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules == {"__future__", "collections.abc", "dataclasses", "math", "numpy", "scipy.optimize", "typing"}


@pytest.mark.parametrize("name", EVERY)
def test_the_walk_equals_its_plain_twin(name: str) -> None:
    for seed in range(4):
        form, root = random_form(seed)
        solver = zerosum.Solver(form, zerosum.algorithm(name), horizon=25)
        for _ in range(3):
            solver.run(5)
        expected = reference.run(root, reference.ALGORITHMS[name], 15, 25)
        for treeplex, average, strategy in zip(form.treeplexes, solver.average, expected, strict=True):
            np.testing.assert_allclose(average, reference.sequence_plan(treeplex, strategy), atol=1e-9)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("game", SMALL)
def test_every_algorithm_on_every_small_game(name: str, game: str) -> None:
    """Exploitability is never negative and falls, and the value approaches the exact one."""
    form, exact = form_and_value(game)
    result = zerosum.solve(form, name, iterations=600)
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
def test_exchanging_the_players_and_the_first_updater_exchanges_the_results(seed: int, name: str) -> None:
    """With the players exchanged and the second one updating first, the results are exchanged, too."""
    algorithm = zerosum.algorithm(name)
    game = RandomGame(seed, depth=4)
    solver = zerosum.Solver(zerosum.compile_game(game), algorithm, horizon=12)
    mirrored = zerosum.Solver(zerosum.compile_game(Mirrored(game)), replace(algorithm, first=2), horizon=12)
    solver.run(12)
    mirrored.run(12)
    arrays, exchanged = (solver.average + solver.regrets, mirrored.average[::-1] + mirrored.regrets[::-1])
    for array, expected in zip(arrays, exchanged, strict=True):
        np.testing.assert_array_equal(array, expected)
    assert mirrored.evaluate().gains == pytest.approx(solver.evaluate().gains[::-1], abs=1e-14)


def test_the_order_of_updates_makes_a_difference() -> None:
    results = [zerosum.solve("kuhn", f"cfr+(first={first})", iterations=20) for first in (1, 2)]
    assert results[0].exploitability != results[1].exploitability


@given(st.integers(0, 10**6), st.integers(1, 6), st.booleans())
def test_the_compiled_evaluation_equals_that_of_numpy(seed: int, iterations: int, start: bool) -> None:
    form = zerosum.compile_game(RandomGame(seed, depth=5))
    solver = zerosum.Solver(form, zerosum.algorithm("dcfr"), horizon=10, start_seed=1 if start else None)
    if iterations > 1:
        solver.run(iterations - 1)
    expected, evaluation = zerosum.evaluate(form, *solver.average), solver.evaluate()
    assert evaluation.value == pytest.approx(expected.value, abs=1e-14)
    assert evaluation.gains == pytest.approx(expected.gains, abs=1e-14)


@given(st.integers(0, 10**6))
def test_the_evaluation_equals_its_plain_twin(seed: int) -> None:
    game = RandomGame(seed)
    form, root = zerosum.compile_game(game), reference.unfold(game, game.root())
    solver = zerosum.Solver(form, zerosum.algorithm("cfr"), horizon=5)
    solver.run(5)
    first, second = (tree.behaviour(average) for tree, average in zip(form.treeplexes, solver.average, strict=True))
    evaluation, value = solver.evaluate(), twin.value(root, (first, second))
    assert evaluation.value == pytest.approx(value, abs=1e-12)
    best = twin.best_response_value(root, 0, second), twin.best_response_value(root, 1, first)
    assert evaluation.gains == pytest.approx((best[0] - value, best[1] + value), abs=1e-12)


@given(st.integers(0, 10**6))
def test_gradients_equal_those_of_the_plain_twin(seed: int) -> None:
    form = zerosum.compile_game(RandomGame(seed))
    plans = [np.random.default_rng(seed).random(tree.sequences) for tree in form.treeplexes]
    first, second = form.gradients(plans[0], plans[1])
    np.testing.assert_allclose(first, apply_matrix(form.payoffs, plans[1]), atol=1e-12)
    np.testing.assert_allclose(second, apply_matrix(form.payoffs.transposed(-1.0), plans[0]), atol=1e-12)


@given(st.integers(0, 10**6), st.sampled_from(EVERY))
def test_plans_are_plans(seed: int, name: str) -> None:
    algorithm = zerosum.algorithm(name)
    form = zerosum.compile_game(RandomGame(seed, depth=4))
    solver = zerosum.Solver(form, algorithm, horizon=12)
    for _ in range(3):
        solver.run(4)
        for plans in (solver.current, solver.average):
            for tree, plan in zip(form.treeplexes, plans, strict=True):
                assert tree.is_plan(plan)
        assert solver.evaluate().exploitability >= -1e-12


@given(st.integers(0, 10**6), st.sampled_from(EVERY), st.integers(1, 19))
def test_cutting_a_run_in_two_changes_nothing(seed: int, name: str, cut: int) -> None:
    algorithm = zerosum.algorithm(name)
    form = zerosum.compile_game(RandomGame(seed, depth=4))
    uncut, cut_in_two = (zerosum.Solver(form, algorithm, horizon=20, start_seed=1) for _ in range(2))
    uncut.run(20)
    cut_in_two.run(cut)
    cut_in_two.run(20 - cut)
    for expected, array in zip(uncut.average + uncut.current, cut_in_two.average + cut_in_two.current, strict=True):
        np.testing.assert_array_equal(array, expected)
