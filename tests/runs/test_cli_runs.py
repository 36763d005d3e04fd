"""Saved runs on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_solve_resume_show(rue: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert rue("solve", "leduc", "--iterations", 100, "--out", f"{run}/").code == 0
    said = rue("resume", run, "--iterations", "+100", "--json")
    assert (said.code, said.err) == (0, "")
    whole = json.loads(rue("solve", "leduc", "--iterations", 200, "--json").out)
    resumed = json.loads(said.out)
    assert (resumed["exploitability"], resumed["iterations"]) == (whole["exploitability"], 200)
    shown = json.loads(rue("show", run, "--player", 1, "--limit", 2, "--json").out)
    assert [decision["player"] for decision in shown["decisions"]] == [1, 1]
    assert len(shown["run"]["parts"]) == 2
    assert "exploitability" in rue("resume", run, "--seconds", 0.01).out
    assert rue("resume", run, "--iterations", "+5", "--plot", tmp_path / "x.svg").code == 0
    assert (tmp_path / "x.svg").exists()


def test_sentences(rue: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert rue("solve", "kuhn", "--iterations", 20, "--out", run, "--json").code == 0
    for words, sentence in (
        (("solve", "kuhn", "--out", run), "holds a run already"),
        (("solve", "kuhn", "--out", tmp_path), "a folder that holds other things"),
        (("resume", run), "complete after 20 iterations"),
        (("resume", tmp_path), "a folder without a run"),
        (("resume", tmp_path / "none"), "there is no run"),
        (("resume", run, "--iterations", "-5"), "iterations must be a whole number"),
        (("resume", run, "--until", "0.5%"), "share of a pot"),
        (("resume", run, "--seconds", "-1"), "seconds"),
        (("show", tmp_path), "a folder without a run"),
        (("show", run, "--line", "check"), "line, hands, unit and by go with hold'em"),
        (
            ("solve", "kuhn", "--streets", "turn", "--out", tmp_path / "x"),
            "streets (--streets) is an option of hold'em",
        ),
    ):
        said = rue(*words)
        assert (said.code, said.out) == (2, ""), words
        assert said.err.count("\n") == 1, said.err
        assert sentence in said.err
    assert rue("solve", "kuhn", "--iterations", 30, "--out", run, "--overwrite", "--json").code == 0
    assert json.loads(rue("show", run, "--json").out)["iterations"] == 30


def test_a_run_by_rules_and_an_exact_one(rue: Any, tmp_path: Path) -> None:
    words = ("--algorithm", "mccfr", "--by-rules", "--json")
    rue("solve", "leduc", *words, "--nodes", 1000, "--out", tmp_path / "rules.rue")
    assert rue("resume", tmp_path / "rules.rue", "--nodes", "+1000", "--json").code == 0
    shown = json.loads(rue("show", tmp_path / "rules.rue", "--json").out)
    assert shown["decisions"] == json.loads(rue("show", tmp_path / "rules.rue", "--json").out)["decisions"]
    assert rue("solve", "kuhn", "-a", "lp", "--out", tmp_path / "lp", "--json").code == 0
    assert "value -0.0555556" in rue("show", tmp_path / "lp").out


def test_a_run_that_was_not_ended_is_shown(rue: Any, tmp_path: Path) -> None:
    from rue import container
    from rue.container import Container

    path = tmp_path / "x.rue"
    assert rue("solve", "kuhn", "--iterations", 20, "--out", path, "--json").code == 0
    opened = Container(path)
    arrays, header = opened.arrays(), opened.header
    container.write(path, {**header, "stopped": None}, arrays)
    assert "killed or still goes on; rue resume" in rue("show", path).out
    container.write(path, {**header, "stopped": None, "iteration": 0, "curve": []}, arrays)
    assert "not begun" in rue("show", path).out
