"""The lists of algorithms and games, and the help."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.algorithms.prefixes import PREFIXES
from zerosum.cli.console import create_console
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.games.catalogue import GAMES, create_game


def test_algorithms(zerosum: Any) -> None:
    code, out, err = zerosum("algorithms")
    assert (code, err) == (0, "")
    for name in (*ALGORITHMS, *(f"{prefix}-" for prefix in PREFIXES), "lp", "average", "skip", "order"):
        assert re.search(rf"^ {re.escape(name)}[ (]", out, re.MULTILINE), name
    content = json.loads(zerosum("algorithms", "--json").out)
    assert [entry["name"] for entry in content["algorithms"]] == [*ALGORITHMS, "lp"]
    assert content["algorithms"][4]["parameters"] == {"alpha": "1.5", "beta": "0", "gamma": "2", "immediate": "false"}


def test_the_listed_examples_can_be_typed(zerosum: Any) -> None:
    from zerosum.algorithms.catalogue import algorithm

    for name in json.loads(zerosum("algorithms", "--json").out)["examples"]:
        if "/" not in name:
            algorithm(name)


def test_games(zerosum: Any) -> None:
    code, out, err = zerosum("games")
    assert (code, err) == (0, "")
    for name in GAMES:
        assert re.search(rf"^ {re.escape(name)}[ (]", out, re.MULTILINE), name
    for name in ("openspiel:NAME", "path/to/game.py:MyGame", "game.efg", "game.nfg"):
        assert name in out
    content = json.loads(zerosum("games", "--json").out)
    assert {entry["name"]: entry["infosets"] for entry in content["games"]}["leduc"] == 936
    assert re.search(
        r"^ spot:river +river of a single-raised pot \(Ks7h2d9c4s, pot 2600, stack 8700\)", out, re.MULTILINE
    )
    named = [spot["name"] for spot in content["spots"]]
    assert named[:3] == ["spot:flop", "spot:turn", "spot:river"]
    assert "holdem" in named


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("preflop", "before the flop is not solved"),
        ("preflop(stack=100)", "pushfold"),
        ("plo", "Omaha is not solved"),
        ("omaha(players=3)", "Omaha is not solved"),
        ("holdem(players=3)", "more than two players are not solved"),
        ("holdem(6max)", "more than two players are not solved"),
        ("6-max", "more than two players are not solved"),
        ("holdem(stack=100)", "not in brackets"),
        ("holdem(players=2)", "not in brackets"),
        ("nlhe", "is called holdem here"),
        ("texas-holdem", "is called holdem here"),
        ("hold'em", "is called holdem here"),
        ("hunl", "is called holdem here"),
        ("icm", "chips are"),
        ("short-deck", "no other poker"),
    ],
)
def test_unsupported_poker_games_get_a_hint(zerosum: Any, game: str, message: str) -> None:
    for more in ((), ("--board", "Ks7h2d", "--pot", "5")):
        code, out, err = zerosum("solve", game, *more)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
        assert "zerosum solve spot:flop" in err


def test_games_are_not_taken_for_other_poker() -> None:
    from zerosum.holdem.problem.name_hints import explain_other_poker

    for name in GAMES:
        assert explain_other_poker(name) is None


@pytest.mark.parametrize("name", [name for name, entry in GAMES.items() if (entry.infosets or 10**9) < 60_000])
def test_the_catalogue_states_the_right_number_of_infosets(name: str) -> None:
    assert compile_game(create_game(GAMES[name].example)).infosets == GAMES[name].infosets


def test_sizes(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.games.catalogue.GAMES", {name: GAMES[name] for name in ("kuhn", "rps")})
    code, out, _ = zerosum("games", "--sizes")
    assert code == 0
    assert re.search(r"^ kuhn.*\s12\s+58\s+26\s+30\s", out, re.MULTILINE)


@pytest.mark.parametrize("command", ["", "solve", "compare", "show", "exploit", "algorithms", "games"])
def test_help_has_examples(zerosum: Any, command: str) -> None:
    code, out, err = zerosum(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert "Examples" in out
    assert f"zerosum {command}".strip() in out


def test_no_command_is_help(zerosum: Any) -> None:
    code, out, _ = zerosum()
    assert code == 0
    assert "Usage: zerosum" in out


def test_version(zerosum: Any) -> None:
    code, out, _ = zerosum("--version")
    assert code == 0
    assert re.fullmatch(r"zerosum \d+\.\d+\.\d+\S*\n", out)


def test_help_loads_nothing_heavy() -> None:
    check = (
        "import sys; from zerosum.cli.main import run; run(['--help'])\n"
        "print(*{'numpy', 'numba', 'scipy', 'matplotlib'} & sys.modules.keys(), file=sys.stderr, end='')"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("problem", ["kuhn", "spot:river"])
def test_solving_loads_no_compiler(problem: str) -> None:
    check = (
        "import sys; from zerosum.cli.main import run; run(['solve', sys.argv[1], '--iterations', '10', '--json'])\n"
        "print(*{'numba', 'scipy', 'matplotlib', 'multiprocessing', 'asyncio', 'html', 'email'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", check, problem], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "")


def test_one_thread_loads_no_pool_of_them() -> None:
    words = ["solve", "kuhn", "--iterations", "10", "--threads", "1"]
    check = (
        f"import sys; from zerosum.cli.main import run; run({words})\n"
        "print(*{'concurrent.futures', 'logging', 'html', 'rich._emoji_codes'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "")


def test_garbage_collection_is_as_usual_after_start_up() -> None:
    check = (
        "import gc; from zerosum.cli import entry_point as e; usual = gc.get_threshold()\n"
        "e.postpone_garbage_collection()\n"
        "assert gc.get_threshold() != usual\n"
        "objects = [[] for _ in range(e.START_UP_OBJECTS + 1)]\n"
        "assert (gc.get_threshold(), gc.callbacks) == (usual, [])"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_names_are_no_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    create_console().print("a game called :heart:")
    assert capsys.readouterr().out.strip() == "a game called :heart:"
