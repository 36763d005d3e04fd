"""The table of a decision, its sums over groups of hands and its actions, against loops over hands."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.holdem.cards.cards import HAND_COUNT, HANDS, hand_name
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.solution.decision_table import DecisionTable, EvUnit, choose_hands
from zerosum.holdem.solution.hand_groups import (
    HandGroups,
    group_by_class,
    group_by_draw,
    group_by_filter,
    group_by_made_hand,
)
from zerosum.support.errors import ZerosumError

RAKED = zerosum.holdem.spot(
    "Ks 7h 2d 9c 4s", 500, 2750, oop="22+,A2s+,KTs+,98s", ip="25%", bets="50%,100%", rake="5%", rake_cap=30
)
CASES: dict[str, tuple[Any, dict[str, Any], tuple[str, ...]]] = {
    "river": ("spot:river", {"iterations": 15}, ("", "check bet33", "allin")),
    "turn": ("spot:turn", {"iterations": 2}, ("check", "check check 4d")),
    "raked": (RAKED, {"iterations": 10}, ("", "bet50")),
    "locked": ("spot:river", {"iterations": 10, "locks": "start: sets: bet33 100%"}, ("", "check")),
    "nobody gets there": ("spot:river", {"iterations": 10, "locks": "start: check"}, ("bet33",)),
    "16 bits": ("spot:river", {"iterations": 10, "half": True}, ("check",)),
}


@pytest.fixture(scope="module", params=CASES)
def tables(request: pytest.FixtureRequest) -> list[DecisionTable]:
    spot, options, lines = CASES[request.param]
    result = zerosum.solve(spot, **options)
    return [result.at(line) for line in lines]


def held(table: DecisionTable) -> list[tuple[int, float, float]]:
    """Return row, reach and probability of every hand that gets there; the probability by all pairs of hands."""
    mine, other = table.ranges[table.player], table.ranges[1 - table.player]
    rows = []
    for row, hand in enumerate(table.hand.tolist()):
        if mine[hand] > 0:
            first, second = HANDS[hand].tolist()
            free = ((first != HANDS) & (second != HANDS)).all(axis=1)
            rows.append((row, float(mine[hand]), float(mine[hand] * other[free].sum())))
    total = math.fsum(deals for *_, deals in rows)
    return [(row, reach, deals / total if total else 0.0) for row, reach, deals in rows]


def test_the_probability_of_hands(tables: list[DecisionTable]) -> None:
    for table in tables:
        expected = np.zeros(len(table))
        for row, _, probability in held(table):
            expected[row] = probability
        assert table.weight == pytest.approx(expected, abs=1e-12)
        assert table.weight.sum() == pytest.approx(1.0 if table.deals.any() else 0.0)


def test_groups_are_the_sums_of_their_hands(tables: list[DecisionTable]) -> None:
    """Every column of every class, made hand, draw and named group is the mean over its hands in a plain loop."""
    for table in tables:
        rows = held(table)
        for groups in (
            group_by_class(),
            group_by_made_hand(table.cards),
            group_by_draw(table.cards),
            group_by_filter(["pair", "air"], table.cards),
        ):
            check_groups(table, rows, groups)


def check_groups(table: DecisionTable, rows: list[tuple[int, float, float]], groups: HandGroups) -> None:
    aggregated = table.aggregate(groups)
    number = -1
    for name, members in zip(groups.names, groups.members, strict=True):
        mine = [row for row in rows if members[table.hand[row[0]]]]
        if not mine:
            assert name not in aggregated.name
            continue
        number += 1
        assert aggregated.name[number] == name
        share = math.fsum(probability for *_, probability in mine)
        weights = [(row, probability if share > 0 else reach) for row, reach, probability in mine]
        total = math.fsum(weight for _, weight in weights)

        def mean(values: Any, weights: Any = weights, total: float = total) -> float:
            return math.fsum(float(values[row]) * weight for row, weight in weights) / total

        combos = math.fsum(reach for _, reach, _ in mine)
        start = math.fsum(table.start[hand] for hand in range(HAND_COUNT) if members[hand])
        assert aggregated.combos[number] == pytest.approx(combos)
        assert aggregated.share[number] == pytest.approx(share, abs=1e-12)
        assert aggregated.start_share[number] == pytest.approx(min(1.0, combos / start))
        assert aggregated.ev[number] == pytest.approx(mean(table.ev), abs=1e-6)
        met = [(row, weight) for row, weight in weights if not math.isnan(table.equity[row])]
        if met:
            assert aggregated.equity[number] == pytest.approx(
                mean(table.equity, met, math.fsum(weight for _, weight in met))
            )
        else:
            assert math.isnan(aggregated.equity[number])
        for action in range(len(table.actions)):
            assert aggregated.frequency[action, number] == pytest.approx(mean(table.frequency[action]), abs=1e-9)
            assert aggregated.action_ev[action, number] == pytest.approx(mean(table.action_ev[action]), abs=1e-6)
            assert aggregated.ev_loss[action, number] == pytest.approx(mean(table.ev_loss[action]), abs=1e-6)
    assert len(aggregated) == number + 1


def test_actions_are_the_sums_of_the_hands_that_take_them(tables: list[DecisionTable]) -> None:
    for table in tables:
        actions, rows = table.build_action_table(), held(table)
        for action, name in enumerate(table.actions):
            taken = [(row, table.frequency[action, row] * probability) for row, _, probability in rows]
            share = math.fsum(weight for _, weight in taken)
            assert actions.combos[action] == pytest.approx(
                math.fsum(table.frequency[action, row] * reach for row, reach, _ in rows), abs=1e-9
            )
            if not table.deals.any():
                assert table.frequencies[name] == pytest.approx(table.frequency[action].mean())
                continue
            assert actions.frequency[action] == table.frequencies[name] == pytest.approx(share, abs=1e-9)
            if share > 1e-9:
                earned = math.fsum(table.action_ev[action, row] * weight for row, weight in taken) / share
                assert actions.ev[action] == pytest.approx(earned, abs=1e-6)


def test_a_table_without_evs_has_no_column_of_them() -> None:
    result = zerosum.solve("spot:river", iterations=2)
    table = result.solution.read_decision("check", with_ev=False)
    assert {column.name for column in table.columns()} == {
        "hand", "hand_class", "made_hand", "draws", "reach", "frequency",
    }  # fmt: skip
    content = table.content()
    assert (content["has_ev"], content["ev"], content["equity"], content["decimals"]) == (False, None, None, 0)
    assert (
        content["columns"]["action_ev"] is content["groups"]["class"]["equity"] is content["actions"][0]["ev"] is None
    )
    whole = result.at("check").content()
    assert whole["columns"]["frequency"] == content["columns"]["frequency"]
    assert whole["groups"]["class"]["combos"] == content["groups"]["class"]["combos"]


def test_every_form_of_a_table_has_the_same_values() -> None:
    point = zerosum.solve("spot:river", iterations=10).at("check bet33").convert_evs(EvUnit("bb", 0.01))
    table = point.list_hands("pair").sort_by("action_ev", "call")
    calls = table.action_ev[table.actions.index("call")]
    assert (np.diff(calls) <= 0).all()
    assert calls.max() < point.action_ev.max() + 1e-9 < 100
    records = list(csv.DictReader(io.StringIO(table.to_csv())))
    frame, content = table.to_frame(), table.to_json()
    assert frame["EV call"].tolist() == calls.tolist() == [float(record["EV call"]) for record in records]
    assert frame["hand"].tolist() == content["hand"] == [hand_name(hand) for hand in table.hand.tolist()]
    assert content["frequency"][0] == frame["fold"].tolist()
    assert [row["action_ev"]["call"] for row in table.iterate_rows()] == calls.tolist()
    assert table.to_json({"ev": 2})["ev"] == np.round(table.ev, 2).tolist()
    assert select_hands("pair", point.cards)[table.hand].all()
    assert table.weight.sum() < 1 == pytest.approx(point.weight.sum()), "probabilities are those of the whole range"
    assert point.list_hands().equity is not None
    with pytest.raises(ZerosumError, match="there is no column 'evs'"):
        table.sort_by("evs")


def test_no_hand_of_a_text_gets_a_sentence() -> None:
    result = zerosum.solve("spot:river", iterations=2)
    with pytest.raises(ZerosumError, match="no hand of KsKh gets here"):
        choose_hands(result, "bet33", "KsKh")
