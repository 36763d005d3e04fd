"""What is seen on the way through a solved spot: steps, cards that may come, both ranges, texts."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

import rue
from rue.errors import RueError
from rue.holdem.cards import HAND_COUNT, hand_index, parse_board
from rue.holdem.equity import equity
from rue.holdem.hand_classes import hand_order
from rue.holdem.ranges import Range
from rue.results.nodes import node_at, nodes
from rue.views.decision import DecisionView
from rue.views.runouts import Runouts
from rue.views.texts import hands_csv
from rue.views.versus import Versus, ranges_after
from rue.views.walk import Walk


@pytest.fixture(scope="module")
def turn() -> Any:
    """A small turn, solved a little."""
    ranges = {"oop": "KK,QJs,A7s:0.5,T8s", "ip": "AA,99,T8s,65s:0.25,A9o"}
    spot = rue.holdem.spot("Ks 7h 2d 9c", 100, 300, bets="50%,allin", raises="allin", minimum=1, **ranges)
    return rue.solve(spot, iterations=30)


def test_a_glance_is_the_decision_without_what_hands_earn(turn: Any) -> None:
    for line in ("", "check", "check bet50", "check check 4d", "bet50 call Ah check"):
        short, whole = turn.solution.glance(line), turn.at(line)
        assert np.array_equal(short.strategy, whole.strategy)
        assert np.array_equal(short.ranges, whole.ranges)
        assert short.judged == whole.judged or np.isnan(short.evs).all()
        assert turn.solution.glance(line) is whole, "what is known is not looked up again"


def test_what_is_remembered_has_a_bound_and_changes_nothing() -> None:
    result = rue.solve("spot:river", iterations=5)
    first = result.at("check")
    result.solution._seen._most = result.solution._rows._most = 1
    for line in ("", "bet33", "check", "check bet33", "check"):
        assert result.at(line).actions
        assert len(result.solution._seen._kept) <= 1
        assert len(result.solution._rows._kept) <= 1
    assert np.array_equal(first.evs, result.at("check").evs)


def test_the_steps_of_a_line_tell_pots_stacks_and_frequencies(turn: Any) -> None:
    walk = Walk.of(turn, "bet50 call 4d allin fold")
    assert [step.kind for step in walk.steps] == ["decision", "decision", "card", "decision", "decision", "over"]
    assert [step.pot for step in walk.steps] == [100, 150, 200, 200, 450, 450]
    assert [step.behind for step in walk.steps][-1] == (0, 250)
    assert (walk.steps[-1].player, walk.steps[-1].why) == ("out of position", "fold")
    for number, step in enumerate(walk.steps):
        if step.kind == "decision":
            found = turn.at(walk.line[:number])
            assert step.frequencies == pytest.approx(tuple(found.frequencies.values()))
    assert Walk.of(turn, "allin call").steps[-1].why == "allin"


def test_the_cards_share_out_what_the_street_before_earns(turn: Any) -> None:
    after = Runouts.of(turn, "check check")
    assert len(after.cards) == 48
    check = next(choice for choice in DecisionView.of(turn, "check").choices if choice.name == "check")
    total = earned = equal = 0.0
    for card in after.cards:
        point = turn.at(f"check check {card.card}")
        weight = float(point.likelihood.sum())
        assert card.frequencies == pytest.approx(tuple(point.frequencies.values()))
        total, earned, equal = total + weight, earned + weight * card.ev, equal + weight * card.equity
    assert after.pot - earned / total == pytest.approx(check.ev, rel=1e-6)
    versus = Versus.of(turn, "check check")
    assert equal / total == pytest.approx(versus.sides[0].equity, rel=1e-9)
    quick = Runouts.of(turn, "check check", evs=False)
    assert [card.frequencies for card in quick.cards] == [card.frequencies for card in after.cards]
    assert {card.ev for card in quick.cards} == {None}
    with pytest.raises(RueError, match="no card comes after check"):
        Runouts.of(turn, "check")


@pytest.mark.parametrize("line", ["", "check", "check check", "check bet50 call", "check bet50 call 4d", "bet50 fold"])
def test_both_ranges_against_each_other(turn: Any, line: str) -> None:
    versus = Versus.of(turn, line)
    one, two = ranges_after(turn, line.split())
    board = parse_board(versus.board)
    expected = equity(board, Range(one / one.max()), Range(two / two.max()))
    assert versus.sides[0].equity == pytest.approx(expected)
    assert versus.sides[1].equity == pytest.approx(1 - expected)
    for side, own in zip(versus.sides, (one, two), strict=True):
        assert side.combos == pytest.approx(own.sum())
        assert sum(side.buckets) == pytest.approx(1)
        assert sum(side.made.values()) == pytest.approx(1)
        assert list(side.curve) == sorted(side.curve, reverse=True)
        assert sum(each.weight for each in side.classes) == pytest.approx(own.sum())
        below = sum(side.curve[1:]) / (len(side.curve) - 1)
        above = sum(side.curve[:-1]) / (len(side.curve) - 1)
        assert below - 1e-6 <= side.equity <= above + 1e-6, "the mean height of the curve is the equity"


def test_a_range_that_nobody_has_left_has_no_equity(turn: Any) -> None:
    point = turn.solution.glance("allin")
    never = next((name for k, name in enumerate(point.actions) if not (point.strategy[k] * point.reach).any()), None)
    if never is not None:
        assert Versus.of(turn, f"allin {never}").sides[1].equity is None


def test_a_node_is_the_one_of_the_export(turn: Any) -> None:
    for expected in list(nodes(turn.solution))[::40]:
        found = node_at(turn.solution, expected.line)
        assert (found.ids, found.children, found.invested) == (expected.ids, expected.children, expected.invested)
        assert np.array_equal(found.strategy, expected.strategy)


def test_the_hands_as_a_table(turn: Any) -> None:
    view = DecisionView.of(turn, "check bet50")
    rows = list(csv.DictReader(io.StringIO(hands_csv(view))))
    assert [row["hand"] for row in rows] == [hand.hand for hand in view.hands]
    assert float(rows[0]["EV call"]) == pytest.approx(view.hands[0].evs["call"], rel=1e-5)
    assert sum(float(rows[0][action]) for action in view.actions) == pytest.approx(1, abs=1e-5)
    assert len(hand_order("pio")) == HAND_COUNT
    assert 0 <= hand_index(rows[0]["hand"]) < HAND_COUNT
