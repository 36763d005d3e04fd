"""Spots solved by sampling: convergence, isomorphism, seeds, what is saved, what is shown."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue
import rue.holdem
from rue.errors import RueError
from rue.forms.dealt import dealt
from rue.holdem import libratus
from rue.holdem.form import public_tree
from rue.holdem.spots import spot
from rue.problems.spot_estimate import BESIDES
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")
FEW = {"bets": "60%,allin", "raises": "allin"}
RIVER = spot("Ks Kh 7d 2c 3s", 100, 250, "AA,QQ,76s:0.3,54s", "JJ,88,A5s:0.7,65s", **FEW)
TURN = spot("Ts 9h 4d 2c", 100, 150, "AA,JJ,T9s,65s:0.5", "KK,TT,QJs,A5s", **FEW)
ALIKE = spot("Js 7s 7h", 100, 120, "AA,KQs", "TT,A7s", "allin", "allin")


SPOTS = {"river": RIVER, "turn": TURN}


@cache
def solved(name: str) -> tuple[rue.Problem, rue.Result]:
    """A spot, built once, and its solution without sampling."""
    found = rue.problem(SPOTS[name])
    return found, rue.solve(found, "dcfr", iterations=1000)


@pytest.mark.parametrize("name", ["mccfr", "linear-mccfr(1e6)", "cs-cfr", "os-mccfr", "vr-mccfr", "pcs-cfr"])
@pytest.mark.parametrize("where", SPOTS)
def test_it_converges_to_the_value(where: str, name: str) -> None:
    found, exact = solved(where)
    sampled = rue.solve(found, name, nodes=8_000_000, seed=3)
    assert abs(sampled.value - exact.value) <= sampled.nash_conv + exact.nash_conv
    assert sampled.exploitability_pot < 0.15
    assert sampled.stopped == "nodes"
    assert sampled.nodes is not None
    assert sampled.nodes >= 8_000_000
    assert sampled.curve[-1].nodes == sampled.nodes


def test_two_cards_to_come() -> None:
    """By the solvers alone: the points of a run's curve would take far longer."""
    stored, every = public_tree(ALIKE), public_tree(ALIKE, isomorphism=False)
    full = PublicSolver(stored, rue.algorithm("dcfr"), 100)
    full.run(100)
    exact = full.evaluate()
    for name, tree in (("mccfr", stored), ("mccfr", every), ("cs-cfr", stored), ("pcs-cfr", stored)):
        kind = PublicSampler if name == "pcs-cfr" else DealtSolver
        solver = kind(tree, rue.algorithm(name), seed=3)
        solver.run(10**9, 2_000_000)
        sampled = solver.evaluate()
        assert abs(sampled.value - exact.value) <= sampled.nash_conv + exact.nash_conv
        assert sampled.exploitability < 0.2 * ALIKE.pot


def test_hands_that_are_alike_play_alike() -> None:
    tree = public_tree(ALIKE)
    assert tree.board.alike is not None
    solver = DealtSolver(tree, rue.algorithm("mccfr"), seed=1)
    solver.run(2000)
    strategy = solver.judge.strategy(0, 0, 1, 2)
    assert np.array_equal(strategy, strategy[:, tree.board.alike[0]])
    assert len(np.unique(tree.board.alike[0])) < len(tree.board.hands[0])


def test_isomorphism_changes_the_draws_and_nothing_else() -> None:
    means = [
        rue.repeat(TURN, "linear-mccfr(1e5)", seeds=4, nodes=2_000_000, isomorphism=flag) for flag in (True, False)
    ]
    apart = abs(means[0].value - means[1].value)
    assert apart < 2 * sum(run.nash_conv for run in means)
    assert all(run.exploitability < 0.1 * TURN.pot for run in means)


def test_a_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    one, two = (rue.solve(TURN, "mccfr", nodes=10**6, seed=5, threads=count) for count in (1, 2))
    assert [point.exploitability for point in one.curve] == [point.exploitability for point in two.curve]
    assert np.array_equal(one.at("check").strategy, two.at("check").strategy)
    runs = [rue.repeat(RIVER, "mccfr", seeds=4, nodes=10**5, threads=count) for count in (1, 2)]
    assert runs[0].reached == runs[1].reached
    assert len(set(runs[0].reached)) == 4


def test_a_sampled_solution_is_looked_at_and_saved(tmp_path: Path) -> None:
    result = rue.solve(TURN, "linear-mccfr(1e6)", nodes=5_000_000, seed=7)
    point = result.at("check bet 100 call 3s")
    assert np.allclose(point.strategy.sum(axis=0), 1.0)
    path = tmp_path / "sampled.rue"
    result.save(path)
    again = rue.load(path)
    assert (again.seed, again.nodes, again.algorithm) == (7, result.nodes, "linear-mccfr(1e6)")
    assert np.array_equal(again.at("check").strategy, result.at("check").strategy)
    assert np.isclose(again.solution.solver.evaluate().exploitability, result.exploitability)


@pytest.mark.parametrize("name", ["mccfr", "vr-mccfr", "pcs-cfr"])
def test_the_estimate_is_what_it_takes(name: str) -> None:
    result = rue.solve(TURN, name, iterations=1)
    assert 0.5 < (rue.estimate(TURN, name, threads=1).bytes - BESIDES) / result.bytes < 2.0


def test_a_walk_meets_every_end_of_one_deal() -> None:
    """Chance sampling touches the same nodes whatever is dealt: decisions, ends, the hands' deal and the public one."""
    tree = public_tree(RIVER)
    solver = DealtSolver(tree, rue.algorithm("cs-cfr"))
    solver.run(10)
    assert solver.nodes == 20 * (1 + len(tree.form.choices) + len(tree.form.ends))
    tables = dealt(tree)
    assert len(tables.after) == len(tree.form.choices) + len(tree.form.ends)


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(RueError, match="draws nothing"):
        rue.solve(RIVER, "dcfr", seed=1)
    with pytest.raises(RueError, match="counts no nodes"):
        rue.solve(RIVER, "dcfr", nodes=1000)
    with pytest.raises(RueError, match="every seed gives the same"):
        rue.repeat(RIVER, "dcfr")


@needs_libratus
def test_libratus_river() -> None:
    """Discounting pays, and the value is that of full traversals, +42.94 chips."""
    found = libratus.load(3, LIBRATUS)
    plain, linear = (rue.solve(found, name, nodes=50_000_000) for name in ("mccfr", "linear-mccfr"))
    assert abs(linear.value - 42.94) <= linear.nash_conv
    assert linear.exploitability < 0.7 * plain.exploitability


def test_the_command_samples_spots(rue: Any) -> None:
    said = rue("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5", "--seed", "3", "--json")
    found = json.loads(said.out)
    assert (found["seed"], found["stopped"]) == (3, "nodes")
    said = rue("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5", "--seeds", "3", "--json")
    assert json.loads(said.out)["seeds"] == [0, 1, 2]
    assert "nodes touched" in rue("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5").out
    both = rue("compare", "spot:river", "mccfr", "dcfr", "--iterations", "50", "--seeds", "2", "--x", "nodes")
    assert both.code == 0
    assert "does not go with hold'em" in rue("solve", "spot:river", "--start-seed", "1").err
