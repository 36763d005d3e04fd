"""Games of the page: their parameters, several algorithms side by side, custom ones from the command line only."""

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

import zerosum
from command import COMMAND
from zerosum.explorer.file_access import refuse_file_names
from zerosum.games.catalogue import GAMES
from zerosum.support.call_syntax import format_argument

PENNIES = """
from zerosum.games.game import TERMINAL, ONE, TWO, Game


class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, TERMINAL)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return ("I choose", "you choose")[len(state)]
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
"""


def started(page: Page, game: str, *algorithms: str, **ends: Any) -> list[str]:
    """Start runs and return their keys."""
    runs = page.ask("POST", "games/runs", {"game": game, "algorithms": list(algorithms), **ends})
    return [run["id"] for run in runs]


def test_the_catalogue_is_listed_with_parameters_as_they_are_typed(page: Page) -> None:
    catalogue = page.ask("GET", "games")
    assert [game["name"] for game in catalogue["games"]] == list(GAMES)
    assert catalogue["custom"] == []
    for game in catalogue["games"]:
        arguments = [f"{name}={default}" for name, default in game["parameters"].items() if default]
        if arguments and game["example"] == game["name"]:
            assert zerosum.problem(f"{game['name']}({', '.join(arguments)})").name.startswith(game["name"])
    assert format_argument([[1, 0.9], [-0.7, 1]]) == "[[1, 0.9], [-0.7, 1]]"
    assert "dcfr" in [entry["name"] for entry in catalogue["algorithms"]]


def test_the_cost_of_a_game_is_estimated_before_a_run(page: Page) -> None:
    cost = page.ask("POST", "game", {"game": "leduc", "algorithms": ["cfr", "dcfr"]})
    estimates = zerosum.estimate("leduc", "cfr"), zerosum.estimate("leduc", "dcfr")
    assert estimates[0] is not None
    assert estimates[1] is not None
    assert (cost["infosets"], cost["histories"]) == (936, estimates[0].histories)
    assert cost["bytes"] == estimates[0].bytes + estimates[1].bytes
    assert (cost["problem"], cost["value"]) == ("", GAMES["leduc"].value)
    other = page.ask("POST", "game", {"game": "leduc( suits=3 )", "algorithms": ["cfr", "nonsense", "cfr()"]})
    assert (other["game"], other["arguments"], other["value"]) == ("leduc(suits=3)", {"suits": "3"}, None)
    assert [bool(row["error"]) for row in other["algorithms"]] == [False, True, False]
    assert "the same algorithm" in other["problem"]


def test_a_game_that_is_too_large_is_refused_with_the_figure_before_it_is_started(page: Page) -> None:
    cost = page.ask("POST", "game", {"game": "liars-dice(dice=2)", "algorithms": ["dcfr"]})
    assert cost["bytes"] > 1e12
    assert "2.1 TB" in cost["problem"]
    assert cost["exact"] is False
    assert "2.1 TB" in page.refused("POST", "games/runs", {"game": "liars-dice(dice=2)"})
    pytest.importorskip("pyspiel")
    cost = page.ask("POST", "game", {"game": "openspiel:dots_and_boxes"})
    assert "histories: enumerating them takes about" in cost["problem"]
    assert cost["problem"] == page.refused("POST", "games/runs", {"game": "openspiel:dots_and_boxes"})
    assert page.ask("GET", "runs") == []


def test_several_algorithms_take_turns_and_agree_with_compare(page: Page) -> None:
    keys = started(page, "leduc", "cfr+", "dcfr", "mccfr", iterations=300)
    plain = zerosum.compare("leduc", ["cfr+", "dcfr", "mccfr"], iterations=300)
    for key, result in zip(keys, plain, strict=True):
        run = page.wait(key, "done")
        assert run["algorithm"] == result.algorithm
        points = [(iteration, nodes, height) for iteration, _, height, nodes in run["curve"]]
        assert points == [(point.iteration, point.nodes, point.exploitability) for point in result.curve]
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
    page.ask("POST", f"runs/{keys[0]}/resume", {})
    page.wait(keys[0], "running")
    page.ask("POST", f"runs/{keys[0]}/stop", {})
    page.wait(keys[0], "stopped")
    page.ask("POST", f"runs/{keys[1]}/resume", {"iterations": 10})
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
    ("body", "message"),
    [
        ({}, "needs 'game'"),
        ({"game": 3}, "must be a string"),
        ({"game": "leduk"}, "did you mean leduc"),
        ({"game": "leduc(suits=0)"}, "suits must be"),
        ({"game": "kuhn", "algorithms": "cfr"}, "must be a list"),
        ({"game": "kuhn", "algorithms": ["cfr", 3]}, "an algorithm must be a name"),
        ({"game": "kuhn", "algorithms": ["cfr"] * 13}, "at most 12"),
        ({"game": "kuhn", "algorithms": ["cfr", "cfr"]}, "named twice"),
        ({"game": "kuhn", "algorithms": ["my.py:rule"]}, "command line only"),
        ({"game": "kuhn", "iterations": 0}, "at least 1"),
        ({"game": "spot:turn"}, "the parts of a spot"),
        ({"game": "secret.efg"}, "command line only"),
        ({"game": "games/evil.py:Game"}, "command line only"),
        ({"game": "openspiel:efg_game(filename=secret.efg)"}, "may not read files"),
        ({"game": "openspiel:misere(game=nfg_game( filename = x))"}, "may not read files"),
        ({"game": " openspiel:crossword(puzzles_root=etc)"}, "may not read files"),
    ],
)
def test_requests_that_are_invalid_or_name_a_file_are_refused_with_a_message(
    page: Page, body: Any, message: str
) -> None:
    assert message in page.refused("POST", "games/runs", body)
    assert message in page.refused("POST", "runs", {"iterations": 1, **body}) or "algorithm" in str(body) or not body
    assert page.ask("GET", "runs") == []


def test_no_parameter_of_openspiel_that_reads_a_file_gets_through() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    words = ("file", "path", "root", "dir", "folder")
    runs = [
        (kind.short_name, name)
        for kind in pyspiel.registered_games()
        for name in kind.parameter_specification
        if any(word in name for word in words)
    ]
    assert ("efg_game", "filename") in runs
    for game, name in runs:
        with pytest.raises(zerosum.ZerosumError, match="may not read files"):
            refuse_file_names(f"openspiel:{game}({name}=x)")


def test_openspiels_games_are_listed_and_solved_if_it_is_installed(page: Page) -> None:
    pytest.importorskip("pyspiel")
    names = page.ask("GET", "games/openspiel")["names"]
    assert "openspiel:leduc_poker" in names
    assert not [name for name in names if "efg" in name or "crossword" in name]
    (key,) = started(page, "openspiel:kuhn_poker", "lp")
    assert page.wait(key, "done")["value"] == pytest.approx(-1 / 18)


def test_a_custom_game_is_named_on_the_command_line(tmp_path: Path, opened: Callable[[], Page]) -> None:
    file = tmp_path / "pennies.py"
    file.write_text(PENNIES)
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
            assert ask("games")["custom"] == [text]
            (run,) = ask("games/runs", {"game": text, "algorithms": ["cfr"], "iterations": 5})
            assert done(run["id"])["game"] == text
            ask(f"runs/{run['id']}/resume", {"iterations": 5})
            assert done(run["id"])["iteration"] == 10
        finally:
            process.terminate()
    page = opened()
    (run,) = page.ask("GET", "runs")
    assert (run["game"], run["state"]) == (text, "done")
    assert "command line" in page.refused("POST", "games/runs", {"game": text})
    page.ask("POST", f"runs/{run['id']}/resume", {"iterations": 5})
    for _ in range(3000):
        run_json = page.ask("GET", f"runs/{run['id']}")
        if run_json["error"]:
            break
        time.sleep(0.02)
    assert "only if you name it" in run_json["error"]


@pytest.mark.parametrize("what", ["leduc", "leduc(suits=3)", "Kuhn"])
def test_a_game_of_the_catalogue_is_opened_and_needs_no_permission(what: str, tmp_path: Path) -> None:
    from zerosum.cli.commands.explore import resolve_start_page
    from zerosum.explorer.run_manager import RunManager
    from zerosum.explorer.workspace import Workspace

    folder, start = resolve_start_page(what, tmp_path)
    runs = RunManager(Workspace(folder))
    assert start(runs) == {"page": "games", "game": what}
    assert runs.games.custom == {}
    runs.close()


def test_files_that_are_no_game_are_refused_with_a_message(zerosum: Any, tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(PENNIES + PENNIES.replace("Pennies", "Others"))
    (tmp_path / "none.py").write_text("x = 1")
    for what, message in (("two.py", "Pennies, Others"), ("none.py", "no class"), ("lost.py", "no file")):
        output = zerosum("explore", tmp_path / what, "--no-open", "--folder", tmp_path / "runs")
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1)
        assert message in output.err
    output = zerosum("explore", "leduc(suits=0)", "--no-open", "--folder", tmp_path / "runs")
    assert (output.code, output.err.count("\n")) == (2, 1)
