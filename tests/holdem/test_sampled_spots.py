"""Spots solved by sampling: convergence, isomorphism, seeds, saved results, output."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sampling.board_solver import BoardSampler
from zerosum.engine.sampling.deal_solver import DealSampler
from zerosum.engine.sampling.deal_tables import build_deal_tables
from zerosum.holdem.engine.estimate import FIXED_BYTES
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots import libratus
from zerosum.holdem.spots.spot import spot
from zerosum.support.errors import ZerosumError

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")
FEW = {"bets": "60%,allin", "raises": "allin"}
RIVER = spot("Ks Kh 7d 2c 3s", 100, 250, "AA,QQ,76s:0.3,54s", "JJ,88,A5s:0.7,65s", **FEW)
TURN = spot("Ts 9h 4d 2c", 100, 150, "AA,JJ,T9s,65s:0.5", "KK,TT,QJs,A5s", **FEW)
ALIKE = spot("Js 7s 7h", 100, 120, "AA,KQs", "TT,A7s", "allin", "allin")


SPOTS = {"river": RIVER, "turn": TURN}


@cache
def solved(name: str) -> tuple[zerosum.Problem, zerosum.Result]:
    """A spot, built once, and its solution without sampling."""
    problem = zerosum.problem(SPOTS[name])
    return problem, zerosum.solve(problem, "dcfr", iterations=1000)


@pytest.mark.parametrize("name", ["mccfr", "linear-mccfr(1e6)", "cs-cfr", "os-mccfr", "vr-mccfr", "pcs-cfr"])
@pytest.mark.parametrize("where", SPOTS)
def test_it_converges_to_the_value(where: str, name: str) -> None:
    problem, exact = solved(where)
    sampled = zerosum.solve(problem, name, nodes=8_000_000, seed=3)
    assert abs(sampled.value - exact.value) <= sampled.nash_conv + exact.nash_conv
    assert sampled.exploitability_pot < 0.15
    assert sampled.stopped == "nodes"
    assert sampled.nodes is not None
    assert sampled.nodes >= 8_000_000
    assert sampled.curve[-1].nodes == sampled.nodes


def test_two_cards_to_come() -> None:
    """This uses the solvers alone, because the points of a run's curve would take far longer."""
    stored, every = build_public_tree(ALIKE), build_public_tree(ALIKE, isomorphism=False)
    full = PublicSolver(stored, zerosum.algorithm("dcfr"), 100)
    full.run(100)
    exact = full.evaluate()
    for name, tree in (("mccfr", stored), ("mccfr", every), ("cs-cfr", stored), ("pcs-cfr", stored)):
        kind = BoardSampler if name == "pcs-cfr" else DealSampler
        solver = kind(tree, zerosum.algorithm(name), seed=3)
        solver.run(10**9, 2_000_000)
        sampled = solver.evaluate()
        assert abs(sampled.value - exact.value) <= sampled.nash_conv + exact.nash_conv
        assert sampled.exploitability < 0.2 * ALIKE.pot


def test_hands_that_are_alike_play_alike() -> None:
    tree = build_public_tree(ALIKE)
    assert tree.board.representatives is not None
    solver = DealSampler(tree, zerosum.algorithm("mccfr"), seed=1)
    solver.run(2000)
    strategy = solver.evaluator.strategy(0, 0, 1, 2)
    assert np.array_equal(strategy, strategy[:, tree.board.representatives[0]])
    assert len(np.unique(tree.board.representatives[0])) < len(tree.board.hands[0])


def test_isomorphism_changes_the_draws_and_nothing_else() -> None:
    means = [
        zerosum.repeat(TURN, "linear-mccfr(1e5)", seeds=4, nodes=2_000_000, isomorphism=flag) for flag in (True, False)
    ]
    apart = abs(means[0].value - means[1].value)
    assert apart < 2 * sum(run.nash_conv for run in means)
    assert all(run.exploitability < 0.1 * TURN.pot for run in means)


def test_a_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    single, double = (zerosum.solve(TURN, "mccfr", nodes=10**6, seed=5, threads=count) for count in (1, 2))
    assert [point.exploitability for point in single.curve] == [point.exploitability for point in double.curve]
    assert np.array_equal(single.at("check").frequency, double.at("check").frequency)
    runs = [zerosum.repeat(RIVER, "mccfr", seeds=4, nodes=10**5, threads=count) for count in (1, 2)]
    assert runs[0].reached == runs[1].reached
    assert len(set(runs[0].reached)) == 4


def test_a_sampled_solution_is_inspected_and_saved(tmp_path: Path) -> None:
    result = zerosum.solve(TURN, "linear-mccfr(1e6)", nodes=5_000_000, seed=7)
    point = result.at("check bet 100 call 3s")
    assert np.allclose(point.frequency.sum(axis=0), 1.0)
    path = tmp_path / "sampled.zs"
    result.save(path)
    again = zerosum.load(path)
    assert (again.seed, again.nodes, again.algorithm) == (7, result.nodes, "linear-mccfr(1e6)")
    assert np.array_equal(again.at("check").frequency, result.at("check").frequency)
    assert np.isclose(again.solution.solver.evaluate().exploitability, result.exploitability)


@pytest.mark.parametrize("name", ["mccfr", "vr-mccfr", "pcs-cfr"])
def test_the_estimate_matches_the_memory_used(name: str) -> None:
    result = zerosum.solve(TURN, name, iterations=1)
    assert 0.5 < (zerosum.estimate(TURN, name, threads=1).bytes - FIXED_BYTES) / result.bytes < 2.0


def test_a_walk_meets_every_end_of_one_deal() -> None:
    """Chance sampling touches the same nodes whatever is dealt: decisions, ends, the hands' deal and the public one."""
    tree = build_public_tree(RIVER)
    solver = DealSampler(tree, zerosum.algorithm("cs-cfr"))
    solver.run(10)
    assert solver.nodes == 20 * (1 + len(tree.tables.choices) + len(tree.tables.ends))
    tables = build_deal_tables(tree)
    assert len(tables.after) == len(tree.tables.choices) + len(tree.tables.ends)


def test_invalid_options_are_refused() -> None:
    with pytest.raises(ZerosumError, match="does not sample"):
        zerosum.solve(RIVER, "dcfr", seed=1)
    with pytest.raises(ZerosumError, match="counts no nodes"):
        zerosum.solve(RIVER, "dcfr", nodes=1000)
    with pytest.raises(ZerosumError, match="every seed gives the same"):
        zerosum.repeat(RIVER, "dcfr")


@needs_libratus
def test_libratus_river() -> None:
    """Discounting pays, and the value is that of full traversals, +42.94 chips."""
    endgame = libratus.load_endgame(3, LIBRATUS)
    plain, linear = (zerosum.solve(endgame, name, nodes=50_000_000) for name in ("mccfr", "linear-mccfr"))
    assert abs(linear.value - 42.94) <= linear.nash_conv
    assert linear.exploitability < 0.7 * plain.exploitability


def test_the_command_samples_spots(zerosum: Any) -> None:
    output = zerosum("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5", "--seed", "3", "--json")
    summary = json.loads(output.out)
    assert (summary["seed"], summary["stopped"]) == (3, "nodes")
    output = zerosum("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5", "--seeds", "3", "--json")
    assert json.loads(output.out)["seeds"] == [0, 1, 2]
    assert "nodes touched" in zerosum("solve", "spot:river", "--algorithm", "mccfr", "--nodes", "1e5").out
    both = zerosum("compare", "spot:river", "mccfr", "dcfr", "--iterations", "50", "--seeds", "2", "--x", "nodes")
    assert both.code == 0
    assert "does not apply to hold'em" in zerosum("solve", "spot:river", "--start-seed", "1").err
