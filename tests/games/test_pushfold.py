"""Push or fold: the exact solution, the same with every single hand, regret minimisation, and the charts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum as package
from zerosum.games.poker.hole_cards import HANDS
from zerosum.games.poker.preflop_equity import load_preflop_equities
from zerosum.games.poker.pushfold import PushFold
from zerosum.results.strategy_view import Selection

NAMES = [
    name
    for (low, low_suit), (high, high_suit) in ((divmod(int(card), 4) for card in hand) for hand in HANDS)
    for name in ["23456789TJQKA"[high] + "23456789TJQKA"[low] + ("" if low == high else "so"[low_suit != high_suit])]
]


def with_every_hand(strategy: dict[str, dict[str, float]], stack: float, ante: float) -> tuple[float, float, float]:
    """Return the value of a strategy and the gain of each player, with 1,326 hands each, by plain matrices."""
    apart = ~(HANDS[:, None, :, None] == HANDS[None, :, None, :]).any(axis=(2, 3))
    chance = apart / apart.sum()
    showdown, folded = chance * stack * (2 * load_preflop_equities().equity - 1), chance * (1 + ante)
    decides = stack - ante > 1
    push = np.array([strategy[name]["push"] for name in NAMES])
    call = np.array([strategy[f"{name}|push"]["call"] if decides else 1.0 for name in NAMES])
    pushed, given_up = showdown @ call + folded @ (1 - call), -(0.5 + ante) * chance.sum(axis=1)
    value = push @ pushed + (1 - push) @ given_up
    called = push @ showdown
    answered = np.minimum(called, push @ folded) if decides else called
    best = answered.sum() + (1 - push) @ given_up
    return value, np.maximum(pushed, given_up).sum() - value, value - best


@pytest.mark.parametrize(("stack", "ante"), [(1, 0), (2, 0), (10, 0), (25, 0), (7.5, 0.25)])
def test_the_exact_solution_holds_with_every_hand(stack: float, ante: float) -> None:
    name = f"pushfold(stack={stack}, ante={ante})"
    exact = package.solve(name, "lp")
    value, first, second = with_every_hand(exact.strategy, stack, ante)
    assert value == pytest.approx(exact.value, abs=1e-12)
    assert first == pytest.approx(0, abs=1e-12)
    assert second == pytest.approx(0, abs=1e-12)
    learnt = package.solve(name, until=1e-5)
    assert learnt.value == pytest.approx(exact.value, abs=2.1e-5)


def test_the_published_chart_of_ten_big_blinds() -> None:
    """58.3% and 37.4% of the hands: the numbers that every public calculator gives."""
    push, call = package.solve("pushfold(stack=10)", "lp").view(Selection(limit=1)).charts
    assert push.frequencies["push"] == pytest.approx(0.583, abs=5e-4)
    assert call.frequencies["call"] == pytest.approx(0.374, abs=5e-4)
    assert (call.player, call.line, len(call)) == (2, "push", 169)
    pushed = {
        name for name, share in zip(push.name, push.frequency[push.actions.index("push")], strict=True) if share > 0.5
    }
    assert {"K2o", "Q2s", "J3s", "T4s", "95s", "84s", "74s", "64s", "53s", "43s", "76o", "22"} <= pushed
    assert not {"Q6o", "J7o", "T7o", "J2s", "T3s", "94s", "83s", "73s", "63s", "52s", "32s", "65o"} & pushed


def test_a_big_blind_that_is_all_in_decides_nothing() -> None:
    result = package.solve("pushfold(stack=1)", "lp")
    assert {decision.player for decision in result.decisions} == {1}
    assert result.strategy["32o"]["push"] == 1
    assert PushFold(0.9, 0.1).player(("AA", "push", "KK")) == PushFold(10).player(("AA", "push", "KK", "call")) == 3


@pytest.mark.parametrize("text", ["stack=0.5", "stack=1, ante=0.5", "stack=0", "ante=-1", "stack=inf", "ante=x"])
def test_stacks_that_cannot_be_played_are_refused(text: str) -> None:
    with pytest.raises(package.ZerosumError, match="pushfold: "):
        package.game(f"pushfold({text})")


def test_the_charts_are_printed_and_exported(zerosum: Any) -> None:
    printed = zerosum("solve", "pushfold(stack=3)", "--iterations", "20").out
    assert "player 2 after push" in printed
    assert printed.count("AKs B") == 2
    view = package.solve("pushfold(stack=3)", iterations=20).view(Selection(infoset="^AA"))
    charts = view.to_json()["charts"]
    assert [chart["columns"]["name"] for chart in charts] == [["AA"], ["AA"]]
    assert [chart["frequencies"] for chart in charts] == [chart.frequencies for chart in view.charts]
    assert "charts" not in package.solve("kuhn", iterations=2).view().to_json()


class Numbered(package.Game):
    """Stop or go on, at places called 20 to 24: one of them reads like a pair of deuces."""

    def root(self) -> int:
        return 20

    def player(self, state: int) -> int:
        return package.TERMINAL if not 20 <= state < 25 else (package.ONE, package.TWO)[state % 2]

    def actions(self, state: int) -> list[str]:
        return ["stop", "go"]

    def child(self, state: int, action: str) -> int:
        return state + 1 if action == "go" else -state

    def payoff(self, state: int) -> float:
        return float(state % 3)

    def infoset(self, state: int) -> str:
        return str(state)


def test_infosets_that_read_like_hands_by_chance_have_no_charts() -> None:
    view = package.solve(Numbered(), iterations=2).view(Selection(infoset="22"))
    assert [decision.infoset for decision in view.decisions] == ["22"]
    assert view.charts == ()
