"""Views of a solved spot: the steps of a line, cards that may come, both ranges, texts."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

import zerosum
from zerosum.holdem.cards.cards import HAND_COUNT, find_hand_order, parse_board, parse_hand
from zerosum.holdem.cards.hand_strength import compute_equity
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.solution.hand_groups import group_by_class, group_by_made_hand
from zerosum.holdem.solution.hand_table import compute_equity_curve, compute_equity_histogram
from zerosum.holdem.solution.pio import find_pio_node
from zerosum.holdem.study.line_steps import list_runouts, list_steps
from zerosum.support.errors import ZerosumError


@pytest.fixture(scope="module")
def turn() -> Any:
    """A small turn, solved a little."""
    ranges = {"oop": "KK,QJs,A7s:0.5,T8s", "ip": "AA,99,T8s,65s:0.25,A9o"}
    spot = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 300, bets="50%,allin", raises="allin", minimum=1, **ranges)
    return zerosum.solve(spot, iterations=30)


def test_a_decision_without_evs_is_the_same_decision(turn: Any) -> None:
    for line in ("", "check", "check bet50", "check check 4d", "bet50 call Ah check"):
        short, whole = turn.solution.read_decision(line, with_ev=False), turn.at(line)
        assert np.array_equal(short.frequency, whole.frequency)
        assert np.array_equal(short.ranges, whole.ranges)
        assert short.has_ev == whole.has_ev or short.action_ev is short.ev is short.equity is None
        assert turn.solution.read_decision(line, with_ev=False) is whole, "what is known is not computed again"


def test_the_cache_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first = zerosum.solve("spot:river", iterations=5).at("check")
    for name in ("MAX_DECISIONS", "MAX_ROWS"):
        monkeypatch.setattr(f"zerosum.holdem.solution.solution.{name}", 1)
    solution = zerosum.solve("spot:river", iterations=5).solution
    for line in ("", "bet33", "check", "check bet33", "check"):
        assert solution.read_decision(line).actions
        assert solution._decisions.cache_info().currsize == solution._rows.cache_info().currsize == 1
    assert np.array_equal(first.action_ev, solution.read_decision("check").action_ev)


def test_the_steps_of_a_line_show_pots_stacks_and_frequencies(turn: Any) -> None:
    line, steps = list_steps(turn.solution, "bet50 call 4d allin fold")
    assert [step.kind for step in steps] == ["decision", "decision", "card", "decision", "decision", "end"]
    assert [step.pot for step in steps] == [100, 150, 200, 200, 450, 450]
    assert [step.stacks for step in steps][-1] == (0, 250)
    assert (steps[-1].player, steps[-1].ending) == ("out of position", "fold")
    for number, step in enumerate(steps):
        if step.kind == "decision":
            decision = turn.at(line[:number])
            assert step.frequencies == pytest.approx(tuple(decision.frequencies.values()))
    assert list_steps(turn.solution, "allin call")[1][-1].ending == "allin"


def test_the_cards_share_out_the_earnings_of_the_street_before(turn: Any) -> None:
    after = list_runouts(turn, "check check")
    assert len(after.rows) == 48
    actions = turn.at("check").build_action_table()
    total = earned = equal = 0.0
    for k, card in enumerate(after.rows.name):
        point = turn.at(f"check check {card}")
        weight = float(point.deals.sum())
        assert after.rows.frequency[:, k] == pytest.approx(list(point.frequencies.values()))
        total, earned = total + weight, earned + weight * after.rows.ev_oop[k]
        equal += weight * after.rows.equity_oop[k]
    assert after.pot - earned / total == pytest.approx(actions.ev[actions.name.index("check")], rel=1e-6)
    assert equal / total == pytest.approx(turn.solution.match_ranges("check check").oop.range_equity, rel=1e-9)
    quick = list_runouts(turn, "check check", with_ev=False)
    assert np.array_equal(quick.rows.frequency, after.rows.frequency)
    assert np.isnan(quick.rows.ev_oop).all()
    with pytest.raises(ZerosumError, match="no card comes after check"):
        list_runouts(turn, "check")


@pytest.mark.parametrize("line", ["", "check", "check check", "check bet50 call", "check bet50 call 4d", "bet50 fold"])
def test_both_ranges_against_each_other(turn: Any, line: str) -> None:
    ranges = turn.solution.match_ranges(line)
    oop, ip = turn.solution.compute_reaches(line)
    board = parse_board(ranges.oop.board)
    expected = compute_equity(board, Range(oop / oop.max()), Range(ip / ip.max()))
    assert ranges.oop.range_equity == pytest.approx(expected)
    assert ranges.ip.range_equity == pytest.approx(1 - expected)
    for table, reach in zip(ranges, (oop, ip), strict=True):
        curve = compute_equity_curve(table).tolist()
        assert table.reach.sum() == pytest.approx(reach.sum())
        assert compute_equity_histogram(table).sum() == pytest.approx(1)
        assert table.aggregate(group_by_made_hand(board)).share.sum() == pytest.approx(1)
        assert curve == sorted(curve, reverse=True)
        assert table.aggregate(group_by_class()).combos.sum() == pytest.approx(reach.sum())
        below, above = sum(curve[1:]) / (len(curve) - 1), sum(curve[:-1]) / (len(curve) - 1)
        assert below - 1e-6 <= table.range_equity <= above + 1e-6, "the mean height of the curve is the equity"


def test_a_range_that_nobody_has_left_has_no_equity(turn: Any) -> None:
    point = turn.solution.read_decision("allin", with_ev=False)
    never = next((name for k, name in enumerate(point.actions) if not (point.frequency[k] * point.reach).any()), None)
    if never is not None:
        assert np.isnan(turn.solution.match_ranges(f"allin {never}").ip.range_equity)


def test_a_decision_is_the_one_of_the_traversal(turn: Any) -> None:
    for expected in list(turn.iterate_tables())[::40]:
        view = turn.solution.read_decision(expected.line, with_ev=False)
        assert np.array_equal(view.frequency, expected.frequency)
        assert np.array_equal(view.weight, expected.weight)
        assert (view.pot, view.invested, view.labels) == (expected.pot, expected.invested, expected.labels)
        _, children, invested = find_pio_node(turn.spot, expected.line)
        assert len(children) == len(expected.actions)
        assert sum(invested) == expected.pot - turn.spot.pot


def test_the_hands_as_a_table(turn: Any) -> None:
    point = turn.at("check bet50")
    hands = point.list_hands()
    rows = list(csv.DictReader(io.StringIO(hands.to_csv(".6g"))))
    assert [row["hand"] for row in rows] == hands.to_json()["hand"]
    assert float(rows[0]["EV call"]) == pytest.approx(hands.action_ev[hands.actions.index("call"), 0], rel=1e-5)
    assert sum(float(rows[0][action]) for action in hands.actions) == pytest.approx(1, abs=1e-5)
    assert len(find_hand_order("pio")) == HAND_COUNT
    assert 0 <= parse_hand(rows[0]["hand"]) < HAND_COUNT
