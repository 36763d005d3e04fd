"""Files for Gambit: exact sums, labels that Gambit accepts, and the texts of the original file."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import zerosum
from random_games import RandomGame
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game

THIRDS = """EFG 2 R "thirds of a cake" { "Ann" "Bob" }
""

p "" 1 1 "ann" { "l" "r" } 0
p "" 2 1 "bob" { "l" "r" } 0
t "" 1 "" { 1/3, 19/6 }
t "" 2 "" { 3, 0.5 }
p "" 2 1 "bob" { "l" "r" } 0
t "" 3 "" { 2/7, 45/14 }
t "" 4 "" { 0, 3.5 }
"""


class Paid(RandomGame):
    """A random game with a constant sum, whose payoffs have many digits or are very large."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, depth=3)
        draw = random.Random(seed)
        self.kind = draw.choice(["fraction", "decimal", "float", "tiny", "huge", "smallest"])
        sums = [Fraction(0), Fraction(7, 2), Fraction(1, 3), Fraction(-22, 7), Fraction(10**6) + Fraction(1, 3)]
        self.total = Fraction(0) if self.kind == "huge" else draw.choice([*sums, Fraction(draw.gauss(0, 1))])

    def payoff(self, state: Any) -> tuple[float, float]:  # type: ignore[override]
        draw = self._draw("paid", state)
        payoff = {
            "fraction": Fraction(draw.randint(-50, 50), draw.randint(1, 20)),
            "decimal": Fraction(draw.randint(-500, 500), 100),
            "float": Fraction(draw.gauss(0, 1)),
            "tiny": Fraction(draw.gauss(0, 1)) / 10**12,
            "huge": Fraction(draw.gauss(0, 1)) * 10**300,
            "smallest": Fraction(5e-324) * draw.randint(0, 9),
        }[self.kind]
        return float(payoff), float(self.total - payoff)


def read(path: Path) -> Any:
    gambit = pytest.importorskip("pygambit")
    return (gambit.read_efg if path.suffix == ".efg" else gambit.read_nfg)(str(path))


@pytest.mark.parametrize("ending", [".efg", ".nfg"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, 10**6))
def test_the_sum_of_the_payoffs_is_constant_for_gambit(tmp_path: Path, ending: str, seed: int) -> None:
    gambit, game, path = pytest.importorskip("pygambit"), Paid(seed), tmp_path / f"game{ending}"
    zerosum.write_game(game, path)
    theirs = read(path)
    assert theirs.is_const_sum
    ours = zerosum.compile_game(game)
    assert zerosum.compile_game(zerosum.game(str(path))).shift == pytest.approx(ours.shift, rel=1e-9, abs=1e-12)
    if game.kind in ("tiny", "smallest"):
        return  # the payoffs are as small as the digits that a program of floats leaves
    payoff = gambit.nash.lp_solve(theirs, rational=True, use_strategic=True).equilibrium.payoffs["Player 1"]
    scale = max(ours.largest_payoff, abs(ours.shift))
    assert float(Fraction(str(payoff))) == pytest.approx(zerosum.solve(game, "lp").value, abs=1e-9 * scale)


def test_a_file_that_is_converted_keeps_its_fractions_its_title_and_its_players(tmp_path: Path) -> None:
    (tmp_path / "thirds.efg").write_text(THIRDS)
    zerosum.write_game(str(tmp_path / "thirds.efg"), tmp_path / "again.efg")
    assert (tmp_path / "again.efg").read_text() == THIRDS
    zerosum.write_game(str(tmp_path / "thirds.efg"), tmp_path / "thirds.nfg")
    assert (tmp_path / "thirds.nfg").read_text().startswith('NFG 1 R "thirds of a cake" { "Ann" "Bob" }\n')
    zerosum.write_game(str(tmp_path / "thirds.nfg"), tmp_path / "thirds.efg")
    assert (tmp_path / "thirds.efg").read_text().startswith('EFG 2 R "thirds of a cake" { "Ann" "Bob" }\n')


class Labelled(Game):
    """Chance and both players have these actions, and infosets that are called like them."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels, self.name = labels, labels[0]

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        return (CHANCE, ONE, TWO, TERMINAL)[len(state)]

    def actions(self, state: tuple[str, ...]) -> Sequence[str]:
        return self.labels

    def chances(self, state: tuple[str, ...]) -> list[tuple[str, float]]:
        return [(label, 1 / len(self.labels)) for label in self.labels]

    def child(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def infoset(self, state: tuple[str, ...]) -> tuple[int, str]:
        return len(state), state[0]

    def describe(self, infoset: Any) -> str:
        return infoset[1] or "nothing"

    def payoff(self, state: tuple[str, ...]) -> float:
        return float(state[1] == state[2])


LETTERS = st.text(st.sampled_from('\\"{}ab \t\x00\x07\x1b\x7f\x85\xa0é\u2028\u200b\ud800😀/%,'), max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(LETTERS, min_size=1, max_size=4, unique=True))
@example(["\\", "\\\\", 'a\\"', "\\x5c"])
@example(["\x07", "\\x07", "\ud800"])
@example(["a  b", "a b", " ", ""])
def test_gambit_reads_whatever_actions_are_called(tmp_path: Path, labels: list[str]) -> None:
    for name in ("game.efg", "game.nfg"):
        zerosum.write_game(Labelled(labels), tmp_path / name)
        assert read(tmp_path / name).is_const_sum
        assert zerosum.compile_game(zerosum.game(str(tmp_path / name))).sequences > 0


def test_labels_that_gambit_takes_are_read_back_as_they_were(tmp_path: Path) -> None:
    labels = ["a\\b", 'say "no"', '\\"', "\\\\c", "é 😀", "{", "\\n"]
    zerosum.write_game(Labelled(labels), tmp_path / "game.efg")
    game = zerosum.game(str(tmp_path / "game.efg"))
    assert game.actions(game.root()) == tuple(labels)
    zerosum.write_game(Labelled(["\\", "a\x07\x1b", "\ud800"]), tmp_path / "codes.efg")
    game = zerosum.game(str(tmp_path / "codes.efg"))
    assert game.actions(game.root()) == ("\\x5c", "a\\x07\\x1b", "\\ud800")
