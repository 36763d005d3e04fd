"""Games of the page: what they take, several algorithms side by side, one's own from the command line only."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explorer_page import Page

import rue
from command import COMMAND
from rue.explore.allowed import refuse_files
from rue.explore.gaming import typed
from rue.games.catalogue import GAMES

OWN = """
from rue.games.game import NOBODY, ONE, TWO, Game


class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, NOBODY)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return ("I choose", "you choose")[len(state)]
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
"""


def started(page: Page, game: str, *algorithms: str, **ends: Any) -> list[str]:
    """The keys of runs that are on their way."""
    found = page.ask("POST", "games/runs", {"game": game, "algorithms": list(algorithms), **ends})
    return [run["id"] for run in found]


def test_the_catalogue_is_listed_with_parameters_as_they_are_typed(page: Page) -> None:
    found = page.ask("GET", "games")
    assert [game["name"] for game in found["games"]] == list(GAMES)
    assert found["own"] == []
    for game in found["games"]:
        given = [f"{each['name']}={each['default']}" for each in game["parameters"] if each["default"]]
        if given and game["example"] == game["name"]:
            assert rue.problem(f"{game['name']}({', '.join(given)})").name.startswith(game["name"])
    assert typed([[1, 0.9], [-0.7, 1]]) == "[[1, 0.9], [-0.7, 1]]"
    assert "dcfr" in [each["name"] for each in found["algorithms"]]


def test_a_game_is_told_with_what_it_takes(page: Page) -> None:
    found = page.ask("POST", "game", {"game": "leduc", "algorithms": ["cfr", "dcfr"]})
    told = rue.estimate("leduc", "cfr"), rue.estimate("leduc", "dcfr")
    assert told[0] is not None
    assert told[1] is not None
    assert (found["infosets"], found["histories"]) == (936, told[0].histories)
    assert found["bytes"] == told[0].bytes + told[1].bytes
    assert (found["sentence"], found["value"]) == ("", GAMES["leduc"].value)
    other = page.ask("POST", "game", {"game": "leduc( suits=3 )", "algorithms": ["cfr", "nonsense", "cfr()"]})
    assert (other["game"], other["arguments"], other["value"]) == ("leduc(suits=3)", {"suits": "3"}, None)
    assert [bool(each["error"]) for each in other["algorithms"]] == [False, True, False]
    assert "the same algorithm" in other["sentence"]


def test_a_game_that_is_too_large_is_refused_with_the_figure_before_it_is_started(page: Page) -> None:
    found = page.ask("POST", "game", {"game": "liars-dice(dice=2)", "algorithms": ["dcfr"]})
    assert found["bytes"] > 1e12
    assert "2.1 TB" in found["sentence"]
    assert found["exact"] is False
    assert "2.1 TB" in page.refused("POST", "games/runs", {"game": "liars-dice(dice=2)"})
    pytest.importorskip("pyspiel")
    found = page.ask("POST", "game", {"game": "openspiel:dots_and_boxes"})
    assert "histories: to find them all would take" in found["sentence"]
    assert found["sentence"] == page.refused("POST", "games/runs", {"game": "openspiel:dots_and_boxes"})
    assert page.ask("GET", "runs") == []


def test_several_algorithms_take_turns_and_give_what_compare_gives(page: Page) -> None:
    keys = started(page, "leduc", "cfr+", "dcfr", "mccfr", iterations=300)
    plain = rue.compare("leduc", ["cfr+", "dcfr", "mccfr"], iterations=300)
    for key, result in zip(keys, plain, strict=True):
        run = page.wait(key, "done")
        assert run["algorithm"] == result.algorithm
        shown = [(iteration, nodes, height) for iteration, _, height, nodes in run["curve"]]
        assert shown == [(point.iteration, point.nodes, point.exploitability) for point in result.curve]
    text = page.ask("GET", f"curves?runs={','.join(keys)}")["text"]
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["exploitability"]) for row in rows] == [
        point.exploitability for result in plain for point in result.curve
    ]
    assert {row["algorithm"] for row in rows} == {"cfr+", "dcfr", "mccfr"}


def test_endless_runs_of_a_game_grow_side_by_side_and_are_stopped_paused_and_continued(page: Page) -> None:
    keys = started(page, "leduc", "cfr", "dcfr", iterations=10**9)
    last = {}
    for key in keys * 2:
        run = page.wait(key, "running")
        while run["iteration"] <= last.get(key, 0):
            run = page.ask("GET", f"runs/{key}")
        last[key] = run["iteration"]
    page.ask("POST", f"runs/{keys[0]}/pause", {})
    paused = page.wait(keys[0], "paused")
    page.ask("POST", f"runs/{keys[1]}/stop", {})
    stopped = page.wait(keys[1], "stopped")
    assert page.ask("GET", f"runs/{keys[0]}")["iteration"] == paused["iteration"]
    page.ask("POST", f"runs/{keys[0]}/go", {})
    page.wait(keys[0], "running")
    page.ask("POST", f"runs/{keys[0]}/stop", {})
    page.wait(keys[0], "stopped")
    page.ask("POST", f"runs/{keys[1]}/go", {"iterations": 10})
    assert page.wait(keys[1], "done")["iteration"] == stopped["iteration"] + 10


def test_closing_between_turns_keeps_every_run(opened: Callable[[], Page]) -> None:
    page = opened()
    for key in started(page, "kuhn", "cfr", "cfr+", "dcfr", iterations=10**9):
        page.wait(key, "running")
    again = opened()
    states = {run["algorithm"]: run["state"] for run in again.ask("GET", "runs")}
    assert states == dict.fromkeys(("cfr", "cfr+", "dcfr"), "stopped")
    assert all(run["iteration"] > 0 for run in again.ask("GET", "runs"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "no 'game'"),
        ({"game": 3}, "must be a text"),
        ({"game": "leduk"}, "did you mean leduc"),
        ({"game": "leduc(suits=0)"}, "suits must be"),
        ({"game": "kuhn", "algorithms": "cfr"}, "must be a list"),
        ({"game": "kuhn", "algorithms": ["cfr", 3]}, "an algorithm is a name"),
        ({"game": "kuhn", "algorithms": ["cfr"] * 13}, "at most 12"),
        ({"game": "kuhn", "algorithms": ["cfr", "cfr"]}, "named twice"),
        ({"game": "kuhn", "algorithms": ["my.py:rule"]}, "command line only"),
        ({"game": "kuhn", "iterations": 0}, "at least 1"),
        ({"game": "spot:turn"}, "by its parts"),
        ({"game": "secret.efg"}, "command line only"),
        ({"game": "games/evil.py:Game"}, "command line only"),
        ({"game": "openspiel:efg_game(filename=secret.efg)"}, "may not read files"),
        ({"game": "openspiel:misere(game=nfg_game( filename = x))"}, "may not read files"),
        ({"game": " openspiel:crossword(puzzles_root=etc)"}, "may not read files"),
    ],
)
def test_what_means_nothing_or_names_a_file_is_refused_in_a_sentence(page: Page, asked: Any, said: str) -> None:
    assert said in page.refused("POST", "games/runs", asked)
    assert said in page.refused("POST", "runs", {"iterations": 1, **asked}) or "algorithm" in str(asked) or not asked
    assert page.ask("GET", "runs") == []


def test_no_parameter_of_openspiel_that_reads_a_file_gets_through() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    words = ("file", "path", "root", "dir", "folder")
    found = [
        (kind.short_name, name)
        for kind in pyspiel.registered_games()
        for name in kind.parameter_specification
        if any(word in name for word in words)
    ]
    assert ("efg_game", "filename") in found
    for game, name in found:
        with pytest.raises(rue.RueError, match="may not read files"):
            refuse_files(f"openspiel:{game}({name}=x)")


def test_openspiels_games_are_listed_and_solved_if_it_is_installed(page: Page) -> None:
    pytest.importorskip("pyspiel")
    names = page.ask("GET", "games/openspiel")["names"]
    assert "openspiel:leduc_poker" in names
    assert not [name for name in names if "efg" in name or "crossword" in name]
    (key,) = started(page, "openspiel:kuhn_poker", "lp")
    assert page.wait(key, "done")["value"] == pytest.approx(-1 / 18)


def test_a_game_of_ones_own_is_named_on_the_command_line(tmp_path: Path, opened: Callable[[], Page]) -> None:
    file = tmp_path / "pennies.py"
    file.write_text(OWN)
    command = [*COMMAND, "explore", str(file), "--folder", str(tmp_path / "runs"), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]

            def ask(path: str, data: Any = None) -> Any:
                body = None if data is None else json.dumps(data).encode()
                with urllib.request.urlopen(f"{address}api/{path}", body) as answer:
                    return json.load(answer)

            def done(key: str) -> Any:
                while (run := ask(f"runs/{key}"))["state"] != "done":
                    assert run["state"] != "failed", run["error"]
                    time.sleep(0.02)
                return run

            text = f"{file}:Pennies"
            assert ask("state")["start"] == {"page": "games", "game": text}
            assert ask("games")["own"] == [text]
            (run,) = ask("games/runs", {"game": text, "algorithms": ["cfr"], "iterations": 5})
            assert done(run["id"])["game"] == text
            ask(f"runs/{run['id']}/go", {"iterations": 5})
            assert done(run["id"])["iteration"] == 10
        finally:
            process.terminate()
    page = opened()
    (run,) = page.ask("GET", "runs")
    assert (run["game"], run["state"]) == (text, "done")
    assert "command line" in page.refused("POST", "games/runs", {"game": text})
    page.ask("POST", f"runs/{run['id']}/go", {"iterations": 5})
    for _ in range(3000):
        told = page.ask("GET", f"runs/{run['id']}")
        if told["error"]:
            break
        time.sleep(0.02)
    assert "only if you name it" in told["error"]


@pytest.mark.parametrize("what", ["leduc", "leduc(suits=3)", "Kuhn"])
def test_a_game_of_the_catalogue_is_opened_and_needs_no_permission(what: str, tmp_path: Path) -> None:
    from rue.cli.explore import _opening
    from rue.explore.folder import Folder
    from rue.explore.workshop import Workshop

    folder, start = _opening(what, tmp_path)
    workshop = Workshop(Folder(folder))
    assert start(workshop) == {"page": "games", "game": what}
    assert workshop.shelf.own == {}
    workshop.close()


def test_what_cannot_be_opened_as_a_game_is_told_in_a_sentence(rue: Any, tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(OWN + OWN.replace("Pennies", "Others"))
    (tmp_path / "none.py").write_text("x = 1")
    for what, said in (("two.py", "Pennies, Others"), ("none.py", "no class"), ("lost.py", "no file")):
        found = rue("explore", tmp_path / what, "--no-open", "--folder", tmp_path / "runs")
        assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
        assert said in found.err
    found = rue("explore", "leduc(suits=0)", "--no-open", "--folder", tmp_path / "runs")
    assert (found.code, found.err.count("\n")) == (2, 1)
