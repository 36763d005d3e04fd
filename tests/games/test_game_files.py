"""Games from custom files: loading, refusals, and the example of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract import check_contract
from zerosum.games.catalogue import create_game
from zerosum.games.external.python_file import load_game_file
from zerosum.support.errors import ZerosumError

PENNIES = """
from zerosum.games.game import TERMINAL, ONE, TWO, Game

class Pennies(Game):
    def __init__(self{parameter}): pass
    def root(self): return ()
    def player(self, state): return (ONE, TWO, TERMINAL)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return ("one", "two")[len(state)]
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0

class Half(Game):
    def root(self): return ()

finished = Pennies({argument})
number = 3
"""


@pytest.fixture
def pennies(tmp_path: Path) -> Path:
    path = tmp_path / "pennies.py"
    path.write_text(PENNIES.format(parameter="", argument=""))
    return path


def test_a_game_from_a_file(pennies: Path) -> None:
    for name in ("Pennies", "finished"):
        game = create_game(f"{pennies}:{name}")
        assert game.name == f"{pennies}:{name}"
        check_contract(game)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Penies", "did you mean Pennies"),
        ("Half", "lacks actions, child, infoset, payoff, player"),
        ("number", "is not a game"),
        ("TERMINAL", "is not a game"),
        ("", "say which class"),
    ],
)
def test_a_file_without_that_game(pennies: Path, name: str, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        create_game(f"{pennies}:{name}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def broken(:", "syntax error in line 1"),
        ("1 / 0", "fails when run: ZeroDivisionError"),
        ("raise SystemExit", "fails when run"),
        ("import no_such_module", "No module named"),
        (PENNIES.format(parameter=", stake", argument="1"), "cannot be created without arguments"),
        ("x = 1", "has no class that extends"),
    ],
)
def test_a_file_that_is_not_a_game(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "game.py"
    path.write_text(text)
    with pytest.raises(ZerosumError, match=message):
        create_game(f"{path}:Pennies")


def test_a_file_is_named_with_a_class() -> None:
    with pytest.raises(ZerosumError, match="write a file and a class"):
        load_game_file("game.py")


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text()
    (example,) = re.findall(r"```python\n(# one_card\.py.*?)```", page, re.DOTALL)
    path = tmp_path / "own.py"
    path.write_text(example)
    (name,) = re.findall(r"^class (\w+)\(Game\)", example, re.MULTILINE)
    check_contract(create_game(f"{path}:{name}"))
