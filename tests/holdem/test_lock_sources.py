"""Locks of whole ranges, from frequencies (close to the unlocked solution), results and exports."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
import zerosum.holdem
from zerosum.holdem.problem.frequency_locks import find_closest_strategy
from zerosum.problems.registry import problem
from zerosum.runs.export import export

RIVER = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin")
ALIKE = zerosum.holdem.spot("Ks7s2s9h", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
FACING = "check bet50"


@cache
def free(spot: zerosum.holdem.Spot = RIVER, iterations: int = 400) -> Any:
    return zerosum.solve(spot, "cfr+", iterations=iterations, threads=1)


# the closest strategy with some frequencies


def brute(strategy: Any, weights: Any, target: Any) -> float:
    """Return the least probability that has to move, from the frequencies alone."""
    missing = target - strategy @ weights / weights.sum()
    named = missing[~np.isnan(missing)]
    return float(max(named[named > 0].sum(), -named[named < 0].sum()))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), actions=st.integers(2, 4), named=st.integers(1, 4))
def test_the_closest_strategy_has_the_frequencies_and_moves_least(seed: int, actions: int, named: int) -> None:
    draw = np.random.default_rng(seed)
    strategy = draw.dirichlet(np.full(actions, 0.4), 9).T
    weights, evs = draw.random(9), draw.normal(size=(actions, 9))
    target = draw.dirichlet(np.ones(actions))
    if named < actions:
        target[named:] = np.nan
    locked = find_closest_strategy(strategy, weights, evs, target, np.full((actions, 9), np.nan))
    assert locked.sum(axis=0) == pytest.approx(np.ones(9))
    assert locked.min() >= 0.0
    reached, wanted = locked @ weights / weights.sum(), ~np.isnan(target)
    assert reached[wanted] == pytest.approx(target[wanted], abs=1e-7)
    moved = float((np.abs(locked - strategy).sum(axis=0) * weights).sum() / weights.sum() / 2)
    assert moved == pytest.approx(brute(strategy, weights, target), abs=1e-7)


def test_the_worst_calls_fold_first() -> None:
    calls = np.vstack([np.zeros(5), np.ones(5)])
    evs = np.vstack([np.zeros(5), [4.0, 3.0, 2.0, 1.0, 0.0]])
    locked = find_closest_strategy(calls, np.ones(5), evs, np.array([0.4, np.nan]), np.full((2, 5), np.nan))
    assert locked[0] == pytest.approx([0, 0, 0, 1, 1])


def test_hands_that_are_fixed_stay_and_may_be_in_the_way() -> None:
    calls = np.vstack([np.zeros(4), np.ones(4)])
    fixed = np.full((2, 4), np.nan)
    fixed[:, :3] = [[0.0], [1.0]]
    locked = find_closest_strategy(calls, np.ones(4), np.zeros((2, 4)), np.array([0.25, 0.75]), fixed)
    assert locked[0] == pytest.approx([0, 0, 0, 1])
    with pytest.raises(zerosum.ZerosumError, match="cannot make up for it"):
        find_closest_strategy(calls, np.ones(4), np.zeros((2, 4)), np.array([0.5, 0.5]), fixed)


def test_a_range_folds_with_the_requested_frequency() -> None:
    before = free().at(FACING).frequencies
    wanted = before["fold"] + 0.2
    locked = zerosum.solve(RIVER, "cfr+", iterations=400, threads=1, locks={FACING: {"overall": {"fold": wanted}}})
    block = next(iter(problem_given(locked)))
    likely = free().at(FACING).deals
    assert float(block[0] @ likely / likely.sum()) == pytest.approx(wanted, abs=1e-6)
    assert locked.price.players == (1,)
    assert locked.price.unlocked[0] == free().value
    lost, won = locked.price.loses[1], locked.price.counter_wins[2]
    slack = 2 * (locked.exploitability + free().exploitability)
    assert -slack <= lost <= won + slack
    assert locked.price.nobody_adapts[0] <= free().value + slack


def problem_given(result: Any) -> Any:
    return result.solution.solver.fixed.values()


def test_frequencies_that_are_there_already_change_nothing() -> None:
    before = free()
    locks = {FACING: {"overall": before.at(FACING).frequencies}}
    locked = problem(RIVER, locks=locks, unlocked=before)
    locked.locks.prepare_strategies(locked)
    (block,) = locked.fixed.values()
    np.testing.assert_allclose(block, before.at(FACING).frequency, atol=1e-6)


def test_frequencies_of_a_range_treat_suits_alike() -> None:
    before = free(ALIKE, 30)
    locked = problem(ALIKE, locks="check: overall: check 35%", unlocked=before)
    locked.locks.prepare_strategies(locked)
    assert len(locked.locks.suits) == 2
    (block,) = locked.fixed.values()
    zerosum_hands = locked.build_form().board.hands[1]
    by_name = {zerosum.holdem.cards.cards.hand_name(int(hand)): block[:, k] for k, hand in enumerate(zerosum_hands)}
    assert by_name["QsQd"] == pytest.approx(by_name["QsQc"], abs=1e-9)


def test_the_unlocked_solution_must_be_one() -> None:
    locked = zerosum.solve(RIVER, iterations=5, locks="check: check")
    for wrong, why in (
        (locked, "has a lock itself"),
        (free(ALIKE, 30), "does not fit"),
        (zerosum.solve("kuhn"), "same spot"),
    ):
        with pytest.raises(zerosum.ZerosumError, match=why):
            zerosum.solve(RIVER, iterations=1, locks="check: check", unlocked=wrong)
    with pytest.raises(zerosum.ZerosumError, match="is not known: name it"):
        zerosum.exploit(RIVER, free(), locks=f"{FACING}: overall: fold 40%")


# from elsewhere


def test_a_player_of_a_result_meets_a_best_response(tmp_path: Path) -> None:
    poor = zerosum.solve(RIVER, "cfr", iterations=3, threads=1)
    poor.save(tmp_path / "poor.zs")
    judged = zerosum.exploit(RIVER, poor)
    for where, best in (("oop", judged.value - judged.gains[1]), ("ip", judged.value + judged.gains[0])):
        for source in (poor, f"@{tmp_path / 'poor.zs'}"):
            locked = zerosum.solve(RIVER, "cfr+", iterations=400, threads=1, locks={where: source})
            assert locked.value == pytest.approx(best, abs=0.05)


@pytest.mark.parametrize("name", ["csv", "json", "pio"])
def test_exports_are_read_back(tmp_path: Path, name: str) -> None:
    solved = zerosum.solve(ALIKE, iterations=5, threads=1)
    path = tmp_path / f"x.{name}"
    export(solved, name, path, streets="turn")
    expected = problem(ALIKE, locks={"...": solved})
    read = problem(ALIKE, locks=f"@{path}")
    from zerosum.runs.strategy_reader import read_strategy_source

    read.locks.read_lock_files(read_strategy_source)
    assert len(read.locks.suits) == len(expected.locks.suits) == 2
    turns = {key: block for key, block in expected.fixed.items() if key[0] == 0}
    assert read.fixed.keys() == turns.keys()
    for key, block in turns.items():
        np.testing.assert_allclose(read.fixed[key], block, atol=2e-5)
    single = problem(ALIKE, locks=f"check: @{path}")
    single.locks.read_lock_files(read_strategy_source)
    assert len(single.fixed) == 1


def test_a_file_for_a_part_of_the_tree_and_for_another_one(tmp_path: Path) -> None:
    solved = zerosum.solve(ALIKE, iterations=3, threads=1)
    whole = problem(ALIKE, locks={"...": solved}).fixed
    below = problem(ALIKE, locks={"check check ...": solved}).fixed
    assert 0 < len(below) < len(whole)
    for key, block in below.items():
        np.testing.assert_array_equal(block, whole[key])
    with pytest.raises(zerosum.ZerosumError, match="does not fit"):
        problem(RIVER, locks={"...": solved})
    path = tmp_path / "kuhn.json"
    path.write_text('{"K|bet": {"call": 1.0}}')
    with pytest.raises(zerosum.ZerosumError, match="is no infoset of a spot"):
        zerosum.solve(RIVER, locks=f"@{path}", iterations=1)


def test_an_equilibrium_that_is_locked_changes_nothing() -> None:
    solved = zerosum.solve(RIVER, "cfr+", iterations=3000, threads=1)
    locked = zerosum.solve(RIVER, "cfr+", iterations=800, threads=1, locks={"ip": solved}, unlocked=solved)
    assert locked.value == pytest.approx(solved.value, abs=0.1)
    assert abs(locked.price.loses[2]) < 0.1
    assert locked.price.counter_wins[1] < 0.1


def test_locks_are_shown_at_the_decision() -> None:
    locked = zerosum.solve(RIVER, iterations=5, locks=[f"{FACING}: sets: fold", "check: check"])
    point = locked.at(FACING)
    assert point.note == f"locked: 3 of {len(point.hand)} hands play what a lock says"
    assert point.locked.sum() == 3
    assert locked.at("check").note == "locked: every hand plays what a lock says"
    assert (locked.at("").note, locked.at("").locked) == ("", None)


def test_the_fingerprint_distinguishes_sources(tmp_path: Path) -> None:
    shorter, longer = (zerosum.solve(RIVER, "cfr", iterations=n, threads=1) for n in (2, 3))
    prints = {
        problem(RIVER, locks=locks).fingerprint for locks in ({"ip": shorter}, {"ip": longer}, {"oop": shorter}, None)
    }
    assert len(prints) == 4
    assert problem(RIVER, locks={"ip": shorter}).fingerprint == problem(RIVER, locks={"ip": shorter}).fingerprint
    locked = problem(RIVER, locks={"ip": shorter}, unlocked=longer)
    before = locked.fingerprint
    locked.locks.prepare_strategies(locked)
    assert locked.fingerprint == before


def test_rake_and_locks_on_turns_of_a_custom_tree() -> None:
    raked = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin", rake="5%")
    locked = zerosum.solve(
        raked, "cfr+", iterations=300, threads=1, locks=f"{FACING}: fold 70%, call 30%", unlocked=True
    )
    assert locked.ev_oop + locked.ev_ip == pytest.approx(200 - locked.rake)
    assert locked.price.locked == pytest.approx((locked.ev_oop - 100, locked.ev_ip - 100))
    assert sum(locked.price.unlocked) < 0
