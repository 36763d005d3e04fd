"""Saved runs on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_solve_resume_show(zerosum: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert zerosum("solve", "leduc", "--iterations", 100, "--out", f"{run}/").code == 0
    output = zerosum("resume", run, "--iterations", "+100", "--json")
    assert (output.code, output.err) == (0, "")
    whole = json.loads(zerosum("solve", "leduc", "--iterations", 200, "--json").out)
    resumed = json.loads(output.out)
    assert (resumed["exploitability"], resumed["iterations"]) == (whole["exploitability"], 200)
    content = json.loads(zerosum("show", run, "--player", 1, "--limit", 2, "--json").out)
    assert [decision["player"] for decision in content["decisions"]] == [1, 1]
    assert len(content["run"]["parts"]) == 2
    assert "exploitability" in zerosum("resume", run, "--seconds", 0.01).out
    assert zerosum("resume", run, "--iterations", "+5", "--plot", tmp_path / "x.svg").code == 0
    assert (tmp_path / "x.svg").exists()


def test_sentences(zerosum: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert zerosum("solve", "kuhn", "--iterations", 20, "--out", run, "--json").code == 0
    for words, sentence in (
        (("solve", "kuhn", "--out", run), "holds a run already"),
        (("solve", "kuhn", "--out", tmp_path), "a folder with other files"),
        (("resume", run), "complete after 20 iterations"),
        (("resume", tmp_path), "a folder without a run"),
        (("resume", tmp_path / "none"), "there is no run"),
        (("resume", run, "--iterations", "-5"), "iterations must be a whole number"),
        (("resume", run, "--until", "0.5%"), "share of a pot"),
        (("resume", run, "--seconds", "-1"), "seconds"),
        (("show", tmp_path), "a folder without a run"),
        (("show", run, "--line", "check"), "line, hands, unit and by are options of spots"),
        (
            ("solve", "kuhn", "--streets", "turn", "--out", tmp_path / "x"),
            "--streets is an option of hold'em",
        ),
    ):
        output = zerosum(*words)
        assert (output.code, output.out) == (2, ""), words
        assert output.err.count("\n") == 1, output.err
        assert sentence in output.err
    assert zerosum("solve", "kuhn", "--iterations", 30, "--out", run, "--overwrite", "--json").code == 0
    assert json.loads(zerosum("show", run, "--json").out)["iterations"] == 30


def test_a_run_by_rules_and_an_exact_one(zerosum: Any, tmp_path: Path) -> None:
    words = ("--algorithm", "mccfr", "--by-rules", "--json")
    zerosum("solve", "leduc", *words, "--nodes", 1000, "--out", tmp_path / "rules.zs")
    assert zerosum("resume", tmp_path / "rules.zs", "--nodes", "+1000", "--json").code == 0
    content = json.loads(zerosum("show", tmp_path / "rules.zs", "--json").out)
    assert content["decisions"] == json.loads(zerosum("show", tmp_path / "rules.zs", "--json").out)["decisions"]
    assert zerosum("solve", "kuhn", "-a", "lp", "--out", tmp_path / "lp", "--json").code == 0
    assert "value -0.0555556" in zerosum("show", tmp_path / "lp").out


def test_a_run_that_was_not_ended_is_shown(zerosum: Any, tmp_path: Path) -> None:
    from zerosum.support import array_file
    from zerosum.support.array_file import ArrayFile

    path = tmp_path / "x.zs"
    assert zerosum("solve", "kuhn", "--iterations", 20, "--out", path, "--json").code == 0
    opened = ArrayFile(path)
    arrays, header = opened.read_arrays(), opened.header
    array_file.write_array_file(path, {**header, "stopped": None}, arrays)
    assert "killed or is still running; zerosum resume" in zerosum("show", path).out
    array_file.write_array_file(path, {**header, "stopped": None, "iteration": 0, "curve": []}, arrays)
    assert "not begun" in zerosum("show", path).out
