"""The command `solve`: output for people and for scripts, games and algorithms from files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command import GAME, KEYS, refused
from zerosum.results.game_result import GameResult


def test_solve_shows_a_table_and_a_chart(zerosum: Any) -> None:
    code, out, err = zerosum("solve", "kuhn", "--iterations", "200")
    assert (code, err) == (0, "")
    rows = dict(re.findall(r"^(\S+)\s+(.+?)\s*$", out, re.MULTILINE))
    assert rows["game"] == "kuhn"
    assert rows["algorithm"] == "dcfr"
    assert rows["iterations"] == "200"
    assert rows["infosets"] == "12"
    assert rows["sequences"] == "26"
    assert rows["value"].startswith("-0.05")
    assert rows["stopped"] == "all iterations done"
    assert {"time", "iterations/s", "NashConv"} <= rows.keys()
    assert "└┬" in out
    assert "\x1b" not in out


def test_solve_json(zerosum: Any) -> None:
    code, out, err = zerosum("solve", "leduc", "-a", "cfr+", "--iterations", "1e2", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content.keys() == KEYS
    assert content["algorithm"] == "cfr+"
    assert content["curve"][-1]["iteration"] == content["iterations"] == 100
    assert content["nash_conv"] == pytest.approx(2 * content["exploitability"])


def test_solve_exactly(zerosum: Any) -> None:
    code, out, _ = zerosum("solve", "kuhn", "--algorithm", "LP", "--json")
    assert code == 0
    assert json.loads(out)["value"] == pytest.approx(-1 / 18)
    code, out, _ = zerosum("solve", "kuhn", "--algorithm", "lp")
    assert code == 0
    assert "exact solution" in out
    assert "┤" not in out


def test_solve_writes_files(zerosum: Any, tmp_path: Path) -> None:
    code, _, _ = zerosum("solve", "kuhn", "--until", "0.01", "--out", tmp_path / "r.json", "--plot", tmp_path / "r.svg")
    assert code == 0
    assert GameResult.load(tmp_path / "r.json").stopped == "until"
    assert "<svg" in (tmp_path / "r.svg").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.json", "r.svg"]


def test_solve_ends_in_time(zerosum: Any) -> None:
    code, out, _ = zerosum("solve", "kuhn", "--seconds", "0.05", "--json")
    assert code == 0
    assert json.loads(out)["stopped"] == "seconds"


def test_seed_and_threads(zerosum: Any) -> None:
    def solved(*more: object) -> float:
        return float(json.loads(zerosum("solve", "kuhn", "--iterations", 7, "--json", *more).out)["exploitability"])

    assert solved() == solved("--threads", 1)
    assert solved("--start-seed", 1) == solved("--start-seed", 1) != solved("--start-seed", 2)


CHOICES = """
import zerosum

mine = zerosum.Algorithm(accumulate=zerosum.Discount(floor=True), average=zerosum.Power(1))
number = 3
"""


def test_own_game_and_algorithm(zerosum: Any, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(GAME)
    (tmp_path / "rule.py").write_text(CHOICES)
    game, algorithm = f"{tmp_path}/game.py:Pennies", f"{tmp_path}/rule.py:mine"
    code, out, err = zerosum("solve", game, "--algorithm", algorithm, "--json", "--start-seed", 1)
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert (content["game"], content["algorithm"]) == (game, algorithm)
    assert content["exploitability"] < 0.01


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (CHOICES, "mien", r"has no mien; did you mean mine\?"),
        (CHOICES, "", "does not say which of its names"),
        (CHOICES, "number", "is not a zerosum.Algorithm"),
        ("x = 1", "mine", "it has no zerosum.Algorithm"),
        ("def", "mine", "syntax error in line 1"),
        ("1 / 0", "mine", "ZeroDivisionError"),
    ],
)
def test_a_file_that_is_no_algorithm(zerosum: Any, tmp_path: Path, text: str, name: str, message: str) -> None:
    (tmp_path / "rule.py").write_text(text)
    output = zerosum("solve", "kuhn", "--algorithm", f"{tmp_path}/rule.py:{name}")
    refused(output, message)


def test_the_size_of_a_game(zerosum: Any) -> None:
    output = zerosum("solve", "kuhn", "--dry-run", "--json")
    assert json.loads(output.out)["infosets"] == 12
    assert "12, with 24 actions" in zerosum("solve", "kuhn", "--dry-run").out
    refused(zerosum("solve", "kuhn", "-a", "mccfr", "--by-rules", "--dry-run"), "needs the whole game")
    exact = zerosum("solve", "kuhn", "-a", "lp", "--dry-run", "--json")
    assert "seconds_per_iteration" not in json.loads(exact.out)
    assert "iteration" not in zerosum("solve", "kuhn", "-a", "lp", "--dry-run").out


def test_a_dry_run_runs_nothing(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(*arguments: object, **more: object) -> None:
        raise AssertionError("something was solved")

    monkeypatch.setattr("zerosum.runs.run.Run.prepare", solved)
    seeds = ("-a", "mccfr", "--seeds", "3", "--threads", "2", "--nodes", "3e6")
    plan = json.loads(zerosum("solve", "leduc", *seeds, "--dry-run", "--json").out)
    assert (plan["runs"], plan["dry_run"][0]["at_once"]) == (3, 2)
    assert plan["dry_run"][0]["seconds"] == pytest.approx(3e6 * 2e-8 * 3 / 2)
    single, three = (
        json.loads(zerosum("solve", "leduc", *seeds[:3], n, *seeds[4:], "--dry-run", "--json").out) for n in "13"
    )
    assert single["dry_run"][0]["bytes"] < three["dry_run"][0]["bytes"] < 2 * single["dry_run"][0]["bytes"]
    refused(zerosum("solve", "leduc", "-a", "cfr+", "--seeds", "3", "--dry-run"), "does not sample")
    compared = json.loads(zerosum("compare", "leduc", "cfr+", "lp", "mccfr", "--seeds", 2, "--dry-run", "--json").out)
    assert [row["algorithm"] for row in compared["dry_run"]] == ["cfr+", "lp", "mccfr"]
    assert [row["runs"] for row in compared["dry_run"]] == [1, 1, 2]
    assert compared["dry_run"][1]["seconds"] is None
    assert "unknown" in zerosum("compare", "leduc", "cfr+", "lp", "--dry-run").out
    grid = ("-a", "dcfr({alpha}, 0, 2)", "--grid", "alpha=1,1.5,2", "--dry-run")
    swept = json.loads(zerosum("sweep", "leduc", "kuhn", *grid, "--json").out)
    assert swept["runs"] == 6
    assert [(row["game"], row["runs"]) for row in swept["dry_run"]] == [("leduc", 3), ("kuhn", 3)]
    assert "leduc" in zerosum("sweep", "leduc", "kuhn", *grid).out
