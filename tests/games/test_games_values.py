"""Exact values of the games, against published ones and OpenSpiel's rules."""

from __future__ import annotations

import pytest

import zerosum
from zerosum.games.catalogue import GAMES

VALUES = {
    "kuhn": -1 / 18,
    "leduc": -0.0856064240780,
    "leduc(infosets=rank)": -0.0856064240780,
    "leduc-nl(stack=5, infosets=rank)": -0.0833270073807,
    "goofspiel(4, order=ascending)": 0.0,
    "goofspiel(4, order=shuffled)": 0.0,
    "goofspiel(5, order=ascending, seen=winner)": 0.0,
    "liars-dice(sides=4)": 1 / 16,
    "liars-dice(sides=6)": -0.0271317829457,
    "matrix([[1, 0.9], [-0.7, 1]])": 163 / 180,
    "rps": 0.0,
    "rps-double-scissors": 0.0,
    "decision": 1.0,
    "coin-toss": 0.0,
    "battleship": 0.3125,
    "pushfold": -0.0453707525928,
}


def value(text: str) -> float:
    """Solve a game by the linear program and check that the solution is an equilibrium."""
    result = zerosum.solve(text, "lp")
    assert 0 <= result.exploitability + 1e-12 < 1e-10
    assert result.stopped == "exact"
    return result.value


@pytest.mark.parametrize("text", VALUES)
def test_value(text: str) -> None:
    assert value(text) == pytest.approx(VALUES[text], abs=1e-11)


def test_the_catalogue_states_these_values() -> None:
    stated = {name: entry.value for name, entry in GAMES.items() if name in VALUES and entry.value is not None}
    assert stated == {name: pytest.approx(VALUES[name]) for name in stated}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("liars-dice(sides=2, dice=2)", "liars_dice(dice_sides=2,numdice=2)"),
        (
            "goofspiel(4, seen=winner, payoff=win)",
            "goofspiel(num_cards=4,points_order=ascending,imp_info=True)",
        ),
        (
            "battleship(ships=[1, 2], values=[1, 2], shots=2)",
            "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;2],num_shots=2,"
            "allow_repeated_shots=False)",
        ),
    ],
)
def test_value_of_openspiel(ours: str, theirs: str) -> None:
    pytest.importorskip("pyspiel")
    assert value(ours) == pytest.approx(value(f"openspiel:{theirs}"), abs=1e-9)
