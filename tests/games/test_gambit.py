"""Gambit's files: read, written, read back by Gambit itself, and refused with a line where they mean nothing."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from random_games import RandomGame
from zerosum.api import write_game
from zerosum.games.external import gambit_tokens
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game

SIMPLE = """EFG 2 R "a coin" { "one" "two" }
"a comment"

c "" 1 "toss" { "heads" 1/4 "tails" 3/4 } 0
p "" 1 1 "heads" { "sell" "play" } 0
t "" 1 "sold" { 0.5, -0.5 }
p "" 2 1 "guess" { "heads" "tails" } 0
t "" 2 "found" { -1, 1 }
t "" 3 "fooled" { 1, -1 }
p "" 1 2 "tails" { "sell" "play" } 0
t "" 4 "" { -0.5, 0.5 }
p "" 2 1 0
t "" 3
t "" 2
"""
PENNIES = 'NFG 1 R "pennies" { "one" "two" } { 2 2 }\n"" \n1 -1 -1 1 -1 1 1 -1\n'
NAMED = """NFG 1 R "with outcomes" { "one" "two" } { { "up" "down" } { "left" "mid" "right" } } "text"
{ { "win" 3, 1 } { "lose" 0 4 } } 1 2 2 1 1 2"""


def game(tmp_path: Path, text: str, name: str = "game.efg") -> Any:
    (tmp_path / name).write_text(text)
    return zerosum.game(str(tmp_path / name))


def test_a_file_is_a_game_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "coin.efg"
    path.write_text(SIMPLE)
    result = zerosum.solve(str(path), "lp")
    assert sorted(result.strategy) == ["guess", "heads", "tails"]
    assert set(result.strategy["heads"]) == {"sell", "play"}
    # heads sells for 1/2, tails for -1/2: player 2 guesses heads just often enough for both to be content to play
    assert result.exploitability == pytest.approx(0.0, abs=1e-12)
    assert zerosum.solve(str(path), "cfr+", iterations=2000).value == pytest.approx(result.value, abs=1e-3)


def test_strategic_forms(tmp_path: Path) -> None:
    pennies, named = game(tmp_path, PENNIES, "pennies.nfg"), game(tmp_path, NAMED, "named.nfg")
    assert zerosum.solve(pennies, "lp").value == 0.0
    assert named.payoff((1, 0)) == (0.0, 4.0)
    assert named.payoff((0, 2)) == (3.0, 1.0)
    solution = zerosum.solve(named, "lp")
    assert set(solution.strategy["row"]) == {"up", "down"}
    assert set(solution.strategy["column"]) == {"left", "mid", "right"}


def test_payoffs_on_the_way_are_added_up(tmp_path: Path) -> None:
    text = """EFG 2 R "" { "a" "b" } p "" 1 1 { "x" "y" } 1 "" { 1 -1 }
    t "" 2 "" { 2 -2 }
    p "" 2 1 { "z" } 2 t "" 0"""
    assert zerosum.solve(game(tmp_path, text), "lp").value == 3.0


def test_actions_without_names_can_be_distinguished(tmp_path: Path) -> None:
    text = 'EFG 2 R "" { "a" "b" } p "" 1 1 "" { "" "x" "x" } 0 t "" 1 { 1 -1 } t "" 2 { 2 -2 } t "" 3 "" { 3, -3, }'
    solution = zerosum.solve(game(tmp_path, text), "lp")
    assert solution.strategy == {"infoset 1": {"1": 0.0, "x (2)": 0.0, "x (3)": 1.0}}


def test_a_sum_that_is_not_zero_is_fine_and_decimals_are_rounded_thirds(tmp_path: Path) -> None:
    text = """EFG 2 D "" { "a" "b" } c "" 1 { "1" 0.333333 "2" 0.333333 "3" .333333 } 0
    t "" 1 { 10 2 } t "" 2 { 7.5 4.5 } t "" 3 { 0.1 11.9 }"""
    assert zerosum.solve(game(tmp_path, text), "lp").value == pytest.approx((10 + 7.5 + 0.1) / 3)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("EFG", "EFX", "line 1, column 1: EFG should be here"),
        ("EFG 2", "EFG 3", "only version 2"),
        (
            '{ "one" "two" }',
            '{ "one" "two" "three" }',
            "line 1, column 18: the game has 3 players",
        ),
        ('{ "one" "two" }', '{ "one" }', "the game has 1 player,"),
        ('"heads" 1/4', '"heads" 1/2', "line 4, column 15: these are not probabilities: they sum to 1.25"),
        ('"heads" 1/4', '"heads" 1/0', "divides by zero"),
        ('"heads" 1/4', '"heads" -1/4', "not probabilities"),
        ('"heads" 1/4', '"heads" 1e999999999', "too long or too large"),
        ('"heads" 1/4', f'"heads" 1/{"9" * 1000}', "too long or too large"),
        ('"heads" 1/4', f'"heads" {"9" * 400}', "too large"),
        (
            't "" 4 "" { -0.5, 0.5 }',
            f't "" 4 "" {{ {"9" * 400}, 0.5 }}',
            "line 11, column 13: the number .* is too large",
        ),
        ('p "" 1 1 "heads"', 'p "" 3 1 "heads"', "line 5, column 1: the game has no player 3"),
        ('"guess" { "heads" "tails" }', '"guess" { }', "there must be an action"),
        ('t "" 3\nt', 't "" 9\nt', "line 13, column 6: the payoffs of outcome 9 are missing"),
        (
            't "" 4 "" { -0.5, 0.5 }',
            't "" 4 "" { -0.5, 0.75 }',
            "line 11, column 1: the game is not zero-sum: the payoffs",
        ),
        ('t "" 4 "" { -0.5, 0.5 }', 't "" 4 "" { -0.5 }', "an outcome pays 1 players"),
        ('t "" 4 "" { -0.5, 0.5 }', 't "" 3 "" { -0.5, 0.5 }', "outcome 3 pays something else here than before"),
        ('t "" 4 "" { -0.5, 0.5 }', 't "" 4 "" { -1e300 1e300 }', ""),
        ('t "" 3\nt "" 2\n', 't "" 3\n', "line 13, column 7: c or p or t should be here, and the file ends"),
        ('t "" 3\nt "" 2\n', 't "" 3\nt "" 2\nt "" 2\n', "line 15, column 1: nothing more should be here"),
        ('"a coin"', '"a coin', "cannot read|should be here"),
        ('p "" 2 1 0', 'p "" 2 2 0', "line 12, column 10: the list of actions of an infoset that comes first here"),
        ('p "" 2 1 0', 'p "" 2 1 "guess" { "heads" "edge" } 0', "infoset 1 of player 2 has other actions"),
        ('p "" 2 1 0', "@", "line 12, column 1: cannot read '@"),
        ('p "" 2 1 0', 'p "" 2 x 0', "the number of the infoset, a whole number from 1 on, should be here"),
    ],
)
def test_meaningless_text_is_refused_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in SIMPLE
    path = tmp_path / "game.efg"
    path.write_text(SIMPLE.replace(old, new, 1))
    if words:
        with pytest.raises(zerosum.ZerosumError, match=words):
            zerosum.solve(str(path), iterations=1)
    else:
        assert zerosum.solve(str(path), iterations=1).iterations == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('NFG 1 R "" { "a" "b" } { 2 2 } 1 -1 1 -1 1 -1 1', "a payoff, a number, should be here, and the file ends"),
        ('NFG 1 R "" { "a" "b" } { 2 2 } 1 -1 1 -1 1 -1 1 -1 1', "nothing more"),
        ('NFG 1 R "" { "a" "b" } { 2 2 2 } 1', "strategies of two players"),
        ('NFG 1 R "" { "a" "b" } { 2 0 } 1', "a whole number from 1 on"),
        ('NFG 1 R "" { "a" "b" } { 999999 999999 } 1', "pairs of strategies"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } { { "" 1 -1 } } 2', "there is no outcome 2"),
        ('NFG 1 R "" { "a" "b" } { 1 2 } 1 -1 1 1', "not zero-sum"),
        ('NFG 1 R "" { "a" "b" "c" } { 1 1 1 } 1 1 1', "3 players"),
        ("", "NFG should be here, and the file ends"),
    ],
)
def test_strategic_forms_that_mean_nothing(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        game(tmp_path, text, "game.nfg")


def test_imperfect_recall_is_refused_and_can_be_refined(tmp_path: Path) -> None:
    text = """EFG 2 R "" { "a" "b" } p "" 1 1 "before" { "x" "y" } 0
    p "" 1 2 "after" { "l" "r" } 0 t "" 1 { 1 -1 } t "" 2 { 2 -2 }
    p "" 1 2 0 t "" 2 t "" 1"""
    path = tmp_path / "forgets.efg"
    path.write_text(text)
    with pytest.raises(zerosum.ZerosumError, match="imperfect recall: infoset after of player 1"):
        zerosum.solve(str(path))
    assert zerosum.solve(str(path), "lp", refine=True).value == pytest.approx(2.0)


def test_missing_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.efg")
    (tmp_path / "zero.efg").symlink_to("/dev/zero")
    (tmp_path / "folder.efg").mkdir()
    (tmp_path / "bytes.efg").write_bytes(b"EFG \xff\xfe")
    (tmp_path / "large.efg").write_text(SIMPLE)
    for name, words in [
        ("none", "there is no file"),
        ("pipe", "it is not a regular file"),
        ("zero", "it is not a regular file"),
        ("folder", "cannot read"),
        ("bytes", "not text at byte 4"),
    ]:
        with pytest.raises(zerosum.ZerosumError, match=words):
            zerosum.game(str(tmp_path / f"{name}.efg"))
    monkeypatch.setattr(gambit_tokens, "MAX_BYTES", 100)
    with pytest.raises(zerosum.ZerosumError, match="is too large"):
        zerosum.game(str(tmp_path / "large.efg"))


GAMES = ["kuhn", "coin-toss", "rps", "leduc", "liars-dice(sides=2)", "goofspiel(3)", "matrix([[1, 0.9], [-0.7, 1]])",
         "decision"]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_a_game_written_and_read_back_is_the_same(tmp_path: Path, name: str) -> None:
    original = zerosum.compile_game(zerosum.game(name))
    write_game(name, tmp_path / "game.efg")
    copy = zerosum.compile_game(zerosum.game(str(tmp_path / "game.efg")))
    assert (original.infosets, original.sequences, original.histories) == (
        copy.infosets,
        copy.sequences,
        copy.histories,
    )
    mine, theirs = (zerosum.solve(form, "cfr+", iterations=50) for form in (original, copy))
    assert theirs.value == pytest.approx(mine.value, abs=1e-9)
    for infoset, actions in mine.strategy.items():
        assert theirs.strategy[infoset] == pytest.approx(actions, abs=1e-6)
    write_game(zerosum.game(str(tmp_path / "game.efg")), tmp_path / "again.efg")
    assert (tmp_path / "again.efg").read_text() == (tmp_path / "game.efg").read_text()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, 10**6))
def test_random_games_written_and_read_back(tmp_path: Path, seed: int) -> None:
    # A deeper game can have more pure strategies than the strategic form may hold.
    for name, depth in (("game.efg", 4), ("game.nfg", 3)):
        rules = RandomGame(seed, depth=depth)
        value = zerosum.solve(rules, "lp").value
        write_game(rules, tmp_path / name)
        assert zerosum.solve(str(tmp_path / name), "lp").value == pytest.approx(value, abs=1e-9)


class Unlikely(Game):
    """A chance, perhaps of 0, that a matrix decides in which more is at stake."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, ONE, TWO, TERMINAL)[len(state)]

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def chances(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        return [(0, 1 - self.chance), (1, self.chance)]

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def infoset(self, state: tuple[int, ...]) -> tuple[int, int]:
        return len(state), state[0]

    def payoff(self, state: tuple[int, ...]) -> float:
        stake = 1 / self.chance if self.chance and state[0] else 1.0
        return stake if state[1] == state[2] == 0 else 0.0


@pytest.mark.parametrize("chance", [0.0, 1e-300, 1e-13, 1e-9, 0.25])
def test_very_unlikely_events_are_written_too(tmp_path: Path, chance: float) -> None:
    game, path = Unlikely(chance), str(tmp_path / "game.efg")
    zerosum.write_game(game, path)
    ours, theirs = (zerosum.compile_game(rules) for rules in (game, zerosum.game(path)))
    plans = [[tree.uniform_plan() for tree in form.treeplexes] for form in (ours, theirs)]
    assert [len(tree.infosets) for tree in theirs.treeplexes] == [2, 2]
    assert theirs.value(*plans[1]) == pytest.approx(ours.value(*plans[0]), rel=1e-9)
    gambit = pytest.importorskip("pygambit")
    again = tmp_path / "again.efg"
    again.write_text(gambit.read_efg(path).to_efg())
    assert zerosum.compile_game(zerosum.game(str(again))).histories == ours.histories


def test_gambit_reads_written_games_and_finds_the_same_value(tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit")
    for name in ["kuhn", "coin-toss", "rps-double-scissors", "liars-dice(sides=2)", "leduc(ranks=2, raises=1)"]:
        value = zerosum.solve(name, "lp").value
        write_game(name, tmp_path / "game.efg")
        theirs = gambit.read_efg(tmp_path / "game.efg")
        equilibrium = gambit.nash.lp_solve(theirs, rational=False).equilibrium
        assert float(equilibrium.payoffs["Player 1"]) == pytest.approx(value, abs=1e-9)
        (tmp_path / "theirs.efg").write_text(theirs.to_efg())
        assert zerosum.solve(str(tmp_path / "theirs.efg"), "lp").value == pytest.approx(value, abs=1e-9)
        if name.startswith(("leduc", "liars")):
            continue
        write_game(name, tmp_path / "game.nfg")
        theirs = gambit.read_nfg(tmp_path / "game.nfg")
        equilibrium = gambit.nash.lp_solve(theirs, rational=False).equilibrium
        assert float(equilibrium.payoffs["Player 1"]) == pytest.approx(value, abs=1e-9)
        (tmp_path / "theirs.nfg").write_text(theirs.to_nfg())
        assert zerosum.solve(str(tmp_path / "theirs.nfg"), "lp").value == pytest.approx(value, abs=1e-9)


def test_gambit_reads_the_file_above_alike(tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit")
    path = tmp_path / "coin.efg"
    path.write_text(SIMPLE)
    equilibrium = gambit.nash.lp_solve(gambit.read_efg(path), rational=False).equilibrium
    assert zerosum.solve(str(path), "lp").value == pytest.approx(float(equilibrium.payoffs["one"]), abs=1e-9)


PIECES = [
    '"',
    "{",
    "}",
    ",",
    "0",
    "1",
    "1/2",
    "-1",
    "1e5",
    "c",
    "p",
    "t",
    '""',
    '"x"',
    "EFG",
    " ",
    "\n",
    "\\",
    "é",
    "\0",
    "/",
    ".",
]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9), st.sampled_from([SIMPLE, PENNIES, NAMED]), st.integers(1, 6))
def test_any_file_is_a_game_or_an_error_message(tmp_path: Path, seed: int, text: str, changes: int) -> None:
    draw = random.Random(seed)
    for _ in range(changes):
        at, length = draw.randrange(len(text) + 1), draw.choice([0, 0, 1, 2, 10])
        text = text[:at] + draw.choice([*PIECES, "", text[at : at + 20]]) + text[at + length :]
    path = tmp_path / ("game.nfg" if "NFG" in text else "game.efg")
    path.write_bytes(text.encode())
    try:
        form = zerosum.compile_game(zerosum.game(str(path)))
    except zerosum.ZerosumError as error:
        assert "\n" not in str(error)
    else:
        assert form.histories >= 1


def test_a_saved_run_reads_no_file_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "coin.efg"
    path.write_text(SIMPLE)
    whole = zerosum.solve(str(path), "cfr+", iterations=40)
    zerosum.solve(str(path), "cfr+", iterations=20, out=tmp_path / "run")
    with pytest.raises(zerosum.ZerosumError, match="is read only if you name it"):
        zerosum.resume(tmp_path / "run", iterations=40)
    assert zerosum.resume(tmp_path / "run", iterations=40, game=str(path)).strategy == whole.strategy
    zerosum.solve(str(path), "mccfr", nodes=500, by_rules=True, out=tmp_path / "rules")
    path.write_text(SIMPLE.replace("1/4", "1/2").replace("3/4", "1/2"))
    with pytest.raises(zerosum.ZerosumError, match="ha(s|ve) changed"):
        zerosum.resume(tmp_path / "run", iterations=60, game=str(path))
    with pytest.raises(zerosum.ZerosumError, match="ha(s|ve) changed"):
        zerosum.resume(tmp_path / "rules", nodes=1000, game=str(path))


def test_games_that_no_file_can_hold(tmp_path: Path) -> None:
    for name, file, words in [
        ("kuhn", "kuhn.txt", "must end in .efg or .nfg"),
        ("spot:river", "x.efg", "hold'em spot"),
        ("leduc", "leduc.nfg", "more than 20,000 strategies"),
    ]:
        with pytest.raises(zerosum.ZerosumError, match=words):
            write_game(name, tmp_path / file)
        assert not (tmp_path / file).exists()
