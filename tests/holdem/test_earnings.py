"""What hands earn from here on: folding is nothing, and a plain walk over all pairs of hands finds the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rue
import rue.holdem
from hand_strength import strengths
from rue.holdem.cards import HANDS, parse_board
from rue.holdem.line import follow
from rue.holdem.tree import Node, Street
from rue.views.decision import DecisionView
from rue.views.look import Look, view
from rue.views.money import decimals


@pytest.fixture(scope="module")
def river() -> Any:
    spot = rue.holdem.spot(
        "Ks7h2d9c4s", 210, 900, "AA,99,87s,T8s:0.5", "KK,QQ,65s,A4s", "50%,allin", "100%", big_blind=10
    )
    return rue.solve(spot, iterations=60)


@pytest.fixture(scope="module")
def turn() -> Any:
    spot = rue.holdem.spot("Ks7h2d9c", 200, 300, "AA,99,87s", "KQs,QQ,65s", "50%", "allin")
    return rue.solve(spot, iterations=40)


def chance(result: Any, line: tuple[str, ...], hand: int) -> Any:
    """What a hand does after a line, straight from the arrays of the solution."""
    point = result.at(line)
    return point.strategy[:, point.hands.tolist().index(hand)]


def earned(result: Any, street: Street, node: Node, hands: tuple[int, int], player: int, before: float) -> float:
    """What a player wins from a node on with `before` chips of the street already spent, for one pair of hands."""
    total = 0.0
    for number, share in enumerate(chance(result, node.line, hands[node.player])):
        total += share * after(result, street, node, number, hands, player, before)
    return total


def after(
    result: Any, street: Street, node: Node, number: int, hands: tuple[int, int], player: int, before: float
) -> float:
    """The same after an action."""
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
def test_earnings_are_what_a_plain_walk_finds(river: Any, line: str) -> None:
    point, street = river.at(line), river.spot.tree
    node = follow(river.spot, line).node
    player = node.player
    before = node.paid[player]
    other = point.ranges[1 - player]
    for k, hand in enumerate(point.hands.tolist()):
        against = [number for number in np.flatnonzero(other) if not set(HANDS[number]) & set(HANDS[hand])]
        weight = sum(other[number] for number in against)
        for action in range(len(point.actions)):
            found = 0.0
            for number in against:
                hands = (hand, int(number)) if player == 0 else (int(number), hand)
                found += other[number] * after(river, street, node, action, hands, player, before)
            assert point.evs[action, k] == pytest.approx(found / weight, abs=1e-3)


def test_folding_is_nothing_and_the_net_value_is_that_of_the_result(river: Any, turn: Any) -> None:
    for result in (river, turn):
        for line in ("bet50", "check bet50", "bet50 raise100" if result is river else "bet50 allin"):
            point = result.at(line)
            assert (point.evs[point.actions.index("fold")] == 0.0).all()
        root = result.at()
        net = root.ev - root.paid
        assert float(net @ root.likelihood) / root.likelihood.sum() == pytest.approx(result.value, abs=1e-6)


def test_both_players_share_the_pot(turn: Any) -> None:
    """What both earn from a decision on adds up to the pot there."""
    point = turn.at("check check 4d")
    other = turn.at("check check 4d check")
    checked = point.actions.index("check")
    weights = point.likelihood * point.strategy[checked]
    first = float(point.evs[checked] @ weights) / weights.sum()
    second = float(other.ev @ other.likelihood) / other.likelihood.sum()
    assert first + second == pytest.approx(other.pot, abs=1e-6)


def test_dropped_streets_earn_the_same(turn: Any, tmp_path: Any) -> None:
    spot = turn.spot
    rue.solve(spot, iterations=40, out=tmp_path / "cut", streets="turn")
    kept = rue.load(tmp_path / "cut")
    for line in ("", "check", "bet50"):
        assert kept.at(line).evs == pytest.approx(turn.at(line).evs, abs=1e-3)
        assert kept.at(line).paid == turn.at(line).paid
    again = kept.at("check check 4d")
    assert (again.paid, again.pot) == (turn.at("check check 4d").paid, 200)


def test_units_actions_and_regrets(river: Any) -> None:
    chips, blinds, pot = (DecisionView.of(river, "check bet50", unit=unit) for unit in ("chips", "bb", "pot"))
    assert (chips.unit, blinds.unit, pot.unit) == ("chips", "bb", "pot")
    assert blinds.ev == pytest.approx(chips.ev / 10)
    assert pot.ev == pytest.approx(chips.ev / 2.1)
    assert [choice.label for choice in chips.choices] == ["fold", "call", "raise 525 (100%)"]
    for one, other in zip(chips.hands, blinds.hands, strict=True):
        assert other.evs == pytest.approx({name: ev / 10 for name, ev in one.evs.items()})
        assert min(one.regrets.values()) == 0
        best = max(one.evs.values())
        assert one.regrets == pytest.approx({name: best - ev for name, ev in one.evs.items()})
        assert one.ev == pytest.approx(sum(one.strategy[name] * one.evs[name] for name in one.evs))
    total = sum(choice.frequency * (choice.ev or 0.0) for choice in chips.choices)
    assert total == pytest.approx(chips.ev)
    point = river.at("check bet50")
    weights = point.likelihood / point.likelihood.sum()
    for number, choice in enumerate(chips.choices):
        assert choice.range_ev == pytest.approx(float(point.evs[number] @ weights))
        assert choice.regret == pytest.approx(float(point.regrets[number] @ weights))


def test_made_hands_add_up_to_the_range(river: Any) -> None:
    seen = view(river, Look(line="check bet50", hand="two pair+, air"))
    assert sum(group.combos for group in seen.made) == pytest.approx(sum(seen.combos.values()))
    assert sum(group.share for group in seen.made) == pytest.approx(1)
    assert sum(group.share * group.ev for group in seen.made) == pytest.approx(seen.ev)
    assert sum(group.share * group.equity for group in seen.made) == pytest.approx(seen.equity)
    for name in seen.actions:
        shared = sum(group.share * group.strategy[name] for group in seen.made)
        assert shared == pytest.approx(seen.frequencies[name])
    assert {hand.made for hand in seen.hands} == {"set", "nothing"}
    assert seen.chosen.combos == pytest.approx(sum(hand.reach for hand in seen.hands))
    assert {hand.hand for hand in view(river, Look(hand="99")).hands} == {"9s9h", "9s9d", "9h9d"}


def test_decimals_tell_actions_apart() -> None:
    assert decimals([[1.0, 1.2], [0.0, 0.04]], 2600) == 1
    assert decimals([[1000.0, 1200.0]], 2600) == 0
    assert decimals([[1.0, 1.0]], 5.5) == 3
    assert decimals([[1.0, 1.0004]], 5.5) == 4
