"""The earnings of hands from a decision on: folding earns nothing, and a plain walk over all pairs of hands agrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from hand_strength import strengths
from zerosum.holdem.betting.tree import Street, StreetNode
from zerosum.holdem.cards.cards import HANDS, parse_board
from zerosum.holdem.solution.decision_table import count_ev_decimals, find_ev_unit
from zerosum.holdem.solution.hand_groups import group_by_made_hand
from zerosum.holdem.spots.line import find_decision
from zerosum.results.strategy_view import Selection


@pytest.fixture(scope="module")
def river() -> Any:
    spot = zerosum.holdem.spot(
        "Ks7h2d9c4s", 210, 900, "AA,99,87s,T8s:0.5", "KK,QQ,65s,A4s", "50%,allin", "100%", big_blind=10
    )
    return zerosum.solve(spot, iterations=60)


@pytest.fixture(scope="module")
def turn() -> Any:
    spot = zerosum.holdem.spot("Ks7h2d9c", 200, 300, "AA,99,87s", "KQs,QQ,65s", "50%", "allin")
    return zerosum.solve(spot, iterations=40)


def chance(result: Any, line: tuple[str, ...], hand: int) -> Any:
    """Return the strategy of a hand after a line, straight from the arrays of the solution."""
    point = result.at(line)
    return point.frequency[:, point.hand.tolist().index(hand)]


def earned(result: Any, street: Street, node: StreetNode, hands: tuple[int, int], player: int, before: float) -> float:
    """Return the winnings of a player from a node on, with `before` chips already spent, for a single pair of hands."""
    total = 0.0
    for number, share in enumerate(chance(result, node.line, hands[node.player])):
        total += share * after(result, street, node, number, hands, player, before)
    return total


def after(
    result: Any, street: Street, node: StreetNode, number: int, hands: tuple[int, int], player: int, before: float
) -> float:
    """Return the winnings after an action."""
    child = node.children[number]
    if child >= 0:
        return earned(result, street, street.choices[child], hands, player, before)
    paid = list(node.paid)
    paid[node.player] = node.to[number]
    spent = paid[player] - before
    if node.actions[number] == "fold":
        return street.pot + sum(paid) - spent if node.player != player else -spent
    strength = strengths(parse_board(result.at().board))
    mine, theirs = strength[hands[player]], strength[hands[1 - player]]
    share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return share * (street.pot + sum(paid)) - spent


@pytest.mark.parametrize("line", ["", "check", "bet50", "check bet50", "bet50 raise100", "check allin"])
def test_earnings_agree_with_a_plain_walk(river: Any, line: str) -> None:
    point, street = river.at(line), river.spot.tree
    node = find_decision(river.spot, line).node
    player = node.player
    before = node.paid[player]
    other = point.ranges[1 - player]
    for k, hand in enumerate(point.hand.tolist()):
        against = [number for number in np.flatnonzero(other) if not set(HANDS[number]) & set(HANDS[hand])]
        weight = sum(other[number] for number in against)
        for action in range(len(point.actions)):
            total = 0.0
            for number in against:
                hands = (hand, int(number)) if player == 0 else (int(number), hand)
                total += other[number] * after(river, street, node, action, hands, player, before)
            assert point.action_ev[action, k] == pytest.approx(total / weight, abs=1e-3)


def test_folding_is_nothing_and_the_net_value_is_that_of_the_result(river: Any, turn: Any) -> None:
    for result in (river, turn):
        for line in ("bet50", "check bet50", "bet50 raise100" if result is river else "bet50 allin"):
            point = result.at(line)
            assert (point.action_ev[point.actions.index("fold")] == 0.0).all()
        root = result.at()
        net = root.ev - root.invested
        assert float(net @ root.deals) / root.deals.sum() == pytest.approx(result.value, abs=1e-6)


def test_both_players_share_the_pot(turn: Any) -> None:
    """The earnings of both players from a decision on add up to the pot there."""
    point = turn.at("check check 4d")
    other = turn.at("check check 4d check")
    checked = point.actions.index("check")
    weights = point.deals * point.frequency[checked]
    first = float(point.action_ev[checked] @ weights) / weights.sum()
    second = float(other.ev @ other.deals) / other.deals.sum()
    assert first + second == pytest.approx(other.pot, abs=1e-6)


def test_dropped_streets_earn_the_same(turn: Any, tmp_path: Any) -> None:
    spot = turn.spot
    zerosum.solve(spot, iterations=40, out=tmp_path / "cut", streets="turn")
    cut = zerosum.load(tmp_path / "cut")
    for line in ("", "check", "bet50"):
        assert cut.at(line).action_ev == pytest.approx(turn.at(line).action_ev, abs=1e-3)
        assert cut.at(line).invested == turn.at(line).invested
    again = cut.at("check check 4d")
    assert (again.invested, again.pot) == (turn.at("check check 4d").invested, 200)


def test_units_actions_and_losses(river: Any) -> None:
    point = river.at("check bet50")
    chips, blinds, pot = (point.convert_evs(find_ev_unit(river.spot, unit)) for unit in ("chips", "bb", "pot"))
    assert (chips.unit.name, blinds.unit.name, pot.unit.name) == ("chips", "bb", "pot")
    assert blinds.range_ev == pytest.approx(chips.range_ev / 10)
    assert pot.range_ev == pytest.approx(chips.range_ev / 2.1)
    actions = chips.build_action_table()
    assert actions.label == ("fold", "call", "raise 525 (100%)")
    assert blinds.action_ev == pytest.approx(chips.action_ev / 10)
    assert chips.ev_loss.min(axis=0) == pytest.approx(np.zeros(len(chips)))
    assert chips.ev_loss == pytest.approx(chips.action_ev.max(axis=0) - chips.action_ev)
    assert chips.ev == pytest.approx((chips.frequency * chips.action_ev).sum(axis=0))
    assert float(actions.frequency @ np.nan_to_num(actions.ev)) == pytest.approx(chips.range_ev)
    weights = point.deals / point.deals.sum()
    for number in range(len(actions)):
        assert actions.range_ev[number] == pytest.approx(float(point.action_ev[number] @ weights))
        assert actions.ev_loss[number] == pytest.approx(float(point.ev_loss[number] @ weights))


def test_made_hands_add_up_to_the_range(river: Any) -> None:
    seen = river.view(Selection(line="check bet50", hand="two pair+, air"))
    groups = seen.table.aggregate(group_by_made_hand(seen.table.cards))
    assert groups.combos.sum() == pytest.approx(seen.table.build_action_table().combos.sum())
    assert groups.share.sum() == pytest.approx(1)
    assert groups.share @ groups.ev == pytest.approx(seen.table.range_ev)
    assert groups.share @ groups.equity == pytest.approx(seen.table.range_equity)
    assert groups.frequency @ groups.share == pytest.approx(list(seen.table.frequencies.values()))
    assert set(seen.hands.to_json()["made_hand"]) == {"set", "nothing"}
    assert seen.chosen.combos[0] == pytest.approx(seen.hands.reach.sum())
    assert set(river.view(Selection(hand="99")).hands.to_json()["hand"]) == {"9s9h", "9s9d", "9h9d"}


def test_decimals_distinguish_actions() -> None:
    assert count_ev_decimals(np.array([[1.0, 0.0], [1.2, 0.04]]), 2600) == 1
    assert count_ev_decimals(np.array([[1000.0], [1200.0]]), 2600) == 0
    assert count_ev_decimals(np.array([[1.0], [1.0]]), 5.5) == 3
    assert count_ev_decimals(np.array([[1.0], [1.0004]]), 5.5) == 4
