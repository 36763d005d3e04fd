"""Locks of whole ranges and from elsewhere: frequencies close to the unlocked solution, results, exports."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
import rue.holdem
from rue.problems.find import problem
from rue.problems.frequencies import closest
from rue.runs.export import export

RIVER = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin")
ALIKE = rue.holdem.spot("Ks7s2s9h", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
FACING = "check bet50"


@cache
def free(found: rue.holdem.Spot = RIVER, iterations: int = 400) -> Any:
    return rue.solve(found, "cfr+", iterations=iterations, threads=1)


# the closest strategy with some frequencies


def brute(strategy: Any, weights: Any, asked: Any) -> float:
    """The least probability that has to move, by the frequencies alone."""
    missing = asked - strategy @ weights / weights.sum()
    known = missing[~np.isnan(missing)]
    return float(max(known[known > 0].sum(), -known[known < 0].sum()))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), actions=st.integers(2, 4), named=st.integers(1, 4))
def test_the_closest_strategy_has_the_frequencies_and_moves_least(seed: int, actions: int, named: int) -> None:
    draw = np.random.default_rng(seed)
    strategy = draw.dirichlet(np.full(actions, 0.4), 9).T
    weights, evs = draw.random(9), draw.normal(size=(actions, 9))
    asked = draw.dirichlet(np.ones(actions))
    if named < actions:
        asked[named:] = np.nan
    found = closest(strategy, weights, evs, asked, np.full((actions, 9), np.nan))
    assert found.sum(axis=0) == pytest.approx(np.ones(9))
    assert found.min() >= 0.0
    reached, wanted = found @ weights / weights.sum(), ~np.isnan(asked)
    assert reached[wanted] == pytest.approx(asked[wanted], abs=1e-7)
    moved = float((np.abs(found - strategy).sum(axis=0) * weights).sum() / weights.sum() / 2)
    assert moved == pytest.approx(brute(strategy, weights, asked), abs=1e-7)


def test_the_worst_calls_fold_first() -> None:
    calls = np.vstack([np.zeros(5), np.ones(5)])
    evs = np.vstack([np.zeros(5), [4.0, 3.0, 2.0, 1.0, 0.0]])
    found = closest(calls, np.ones(5), evs, np.array([0.4, np.nan]), np.full((2, 5), np.nan))
    assert found[0] == pytest.approx([0, 0, 0, 1, 1])


def test_hands_that_are_fixed_stay_and_may_be_in_the_way() -> None:
    calls = np.vstack([np.zeros(4), np.ones(4)])
    fixed = np.full((2, 4), np.nan)
    fixed[:, :3] = [[0.0], [1.0]]
    found = closest(calls, np.ones(4), np.zeros((2, 4)), np.array([0.25, 0.75]), fixed)
    assert found[0] == pytest.approx([0, 0, 0, 1])
    with pytest.raises(rue.RueError, match="cannot make up for it"):
        closest(calls, np.ones(4), np.zeros((2, 4)), np.array([0.5, 0.5]), fixed)


def test_a_range_that_folds_as_often_as_asked_for() -> None:
    before = free().at(FACING).frequencies
    wanted = before["fold"] + 0.2
    found = rue.solve(RIVER, "cfr+", iterations=400, threads=1, locks={FACING: {"overall": {"fold": wanted}}})
    block = next(iter(problem_given(found)))
    likely = free().at(FACING).likelihood
    assert float(block[0] @ likely / likely.sum()) == pytest.approx(wanted, abs=1e-6)
    assert found.price.players == (1,)
    assert found.price.unlocked[0] == free().value
    lost, won = found.price.loses[1], found.price.counter_wins[2]
    slack = 2 * (found.exploitability + free().exploitability)
    assert -slack <= lost <= won + slack
    assert found.price.nobody_adapts[0] <= free().value + slack


def problem_given(result: Any) -> Any:
    return result.solution.solver.given.values()


def test_frequencies_that_are_there_already_change_nothing() -> None:
    before = free()
    asked = {FACING: {"overall": before.at(FACING).frequencies}}
    found = problem(RIVER, locks=asked, unlocked=before)
    found.settle()
    (block,) = found.given.values()
    np.testing.assert_allclose(block, before.at(FACING).strategy, atol=1e-6)


def test_frequencies_of_a_range_treat_suits_alike() -> None:
    before = free(ALIKE, 30)
    asked = problem(ALIKE, locks="check: overall: check 35%", unlocked=before)
    asked.settle()
    assert len(asked.suits) == 2
    (block,) = asked.given.values()
    rue_hands = asked.build().board.hands[1]
    by_name = {rue.holdem.cards.hand_name(int(hand)): block[:, k] for k, hand in enumerate(rue_hands)}
    assert by_name["QsQd"] == pytest.approx(by_name["QsQc"], abs=1e-9)


def test_the_unlocked_solution_must_be_one() -> None:
    locked = rue.solve(RIVER, iterations=5, locks="check: check")
    for wrong, why in (
        (locked, "has a lock itself"),
        (free(ALIKE, 30), "does not fit"),
        (rue.solve("kuhn"), "same spot"),
    ):
        with pytest.raises(rue.RueError, match=why):
            rue.solve(RIVER, iterations=1, locks="check: check", unlocked=wrong)
    with pytest.raises(rue.RueError, match="is not known: name it"):
        rue.exploit(RIVER, free(), locks=f"{FACING}: overall: fold 40%")


# from elsewhere


def test_a_player_of_a_result_meets_a_best_response(tmp_path: Path) -> None:
    poor = rue.solve(RIVER, "cfr", iterations=3, threads=1)
    poor.save(tmp_path / "poor.rue")
    judged = rue.exploit(RIVER, poor)
    for where, best in (("oop", judged.value - judged.gains[1]), ("ip", judged.value + judged.gains[0])):
        for source in (poor, f"@{tmp_path / 'poor.rue'}"):
            found = rue.solve(RIVER, "cfr+", iterations=400, threads=1, locks={where: source})
            assert found.value == pytest.approx(best, abs=0.05)


@pytest.mark.parametrize("name", ["csv", "json", "pio"])
def test_exports_are_read_back(tmp_path: Path, name: str) -> None:
    solved = rue.solve(ALIKE, iterations=5, threads=1)
    path = tmp_path / f"x.{name}"
    export(solved, name, path, streets="turn")
    expected = problem(ALIKE, locks={"...": solved})
    found = problem(ALIKE, locks=f"@{path}")
    from rue.runs.read import written

    found.read_files(written)
    assert len(found.suits) == len(expected.suits) == 2
    turns = {key: block for key, block in expected.given.items() if key[0] == 0}
    assert found.given.keys() == turns.keys()
    for key, block in turns.items():
        np.testing.assert_allclose(found.given[key], block, atol=2e-5)
    one = problem(ALIKE, locks=f"check: @{path}")
    one.read_files(written)
    assert len(one.given) == 1


def test_a_file_for_a_part_of_the_tree_and_for_another_one(tmp_path: Path) -> None:
    solved = rue.solve(ALIKE, iterations=3, threads=1)
    whole = problem(ALIKE, locks={"...": solved}).given
    below = problem(ALIKE, locks={"check check ...": solved}).given
    assert 0 < len(below) < len(whole)
    for key, block in below.items():
        np.testing.assert_array_equal(block, whole[key])
    with pytest.raises(rue.RueError, match="does not fit"):
        problem(RIVER, locks={"...": solved})
    path = tmp_path / "kuhn.json"
    path.write_text('{"K|bet": {"call": 1.0}}')
    with pytest.raises(rue.RueError, match="is no infoset of a spot"):
        rue.solve(RIVER, locks=f"@{path}", iterations=1)


def test_an_equilibrium_that_is_locked_changes_nothing() -> None:
    solved = rue.solve(RIVER, "cfr+", iterations=3000, threads=1)
    found = rue.solve(RIVER, "cfr+", iterations=800, threads=1, locks={"ip": solved}, unlocked=solved)
    assert found.value == pytest.approx(solved.value, abs=0.1)
    assert abs(found.price.loses[2]) < 0.1
    assert found.price.counter_wins[1] < 0.1


def test_what_is_locked_is_told_at_the_decision() -> None:
    found = rue.solve(RIVER, iterations=5, locks=[f"{FACING}: sets: fold", "check: check"])
    point = found.at(FACING)
    assert point.note == f"locked: 3 of {len(point.hands)} hands play what a lock says"
    assert point.locked.sum() == 3
    assert found.at("check").note == "locked: every hand plays what a lock says"
    assert (found.at("").note, found.at("").locked) == ("", None)


def test_the_fingerprint_tells_sources_apart(tmp_path: Path) -> None:
    one, two = (rue.solve(RIVER, "cfr", iterations=n, threads=1) for n in (2, 3))
    prints = {problem(RIVER, locks=locks).fingerprint for locks in ({"ip": one}, {"ip": two}, {"oop": one}, None)}
    assert len(prints) == 4
    assert problem(RIVER, locks={"ip": one}).fingerprint == problem(RIVER, locks={"ip": one}).fingerprint
    asked = problem(RIVER, locks={"ip": one}, unlocked=two)
    before = asked.fingerprint
    asked.settle()
    assert asked.fingerprint == before


def test_rake_and_locks_on_turns_of_ones_own_tree() -> None:
    raked = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin", rake="5%")
    found = rue.solve(raked, "cfr+", iterations=300, threads=1, locks=f"{FACING}: fold 70%, call 30%", unlocked=True)
    assert found.ev_oop + found.ev_ip == pytest.approx(200 - found.rake)
    assert found.price.locked == pytest.approx((found.ev_oop - 100, found.ev_ip - 100))
    assert sum(found.price.unlocked) < 0
