"""The command with algorithms that sample."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_solve_with_a_seed(rue: Any) -> None:
    def solved(*more: object) -> dict[str, Any]:
        return dict(json.loads(rue("solve", "kuhn", "-a", "mccfr", "--nodes", 5000, "--json", *more).out))

    one, again, two = solved("--seed", 1), solved("--seed", 1, "--threads", 1), solved("--seed", 2)
    assert one["exploitability"] == again["exploitability"] != two["exploitability"]
    assert (one["seed"], one["stopped"]) == (1, "nodes")
    assert 5000 <= one["nodes"] < 5100
    assert [point["nodes"] for point in one["curve"]] == [point["nodes"] for point in again["curve"]]
    assert solved()["seed"] == 0
    out = rue("solve", "kuhn", "-a", "os-mccfr", "--iterations", 2000, "--start-seed", 3).out
    assert "nodes touched" in out
    assert "seed" in out


def test_solve_with_many_seeds(rue: Any, tmp_path: Path) -> None:
    picture = tmp_path / "seeds.svg"
    line = ("solve", "kuhn", "-a", "linear-mccfr(1e4)", "--seeds", 4, "--seed", 10, "--nodes", "1e4")
    code, out, err = rue(*line, "--json", "--plot", picture)
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content["seeds"] == [10, 11, 12, 13]
    assert len(content["reached"]) == 4
    assert content["low"] < content["exploitability"] < content["high"]
    assert content["curve"][-1]["low"] == content["low"]
    text = picture.read_text()
    assert "nodes touched" in text
    assert "mean of 4 seeds" in text
    assert "95% confidence" in rue(*line).out


def test_compare_with_seeds(rue: Any, tmp_path: Path) -> None:
    picture = tmp_path / "compare.svg"
    line = ("compare", "kuhn", "mccfr", "cs-cfr", "dcfr", "--nodes", "1e4", "--x", "nodes")
    code, out, err = rue(*line, "--seeds", 3, "--plot", picture)
    assert (code, err) == (0, "")
    assert "95% of the mean" in out
    assert "nodes touched" in out
    for name in ("mccfr", "cs-cfr", "dcfr"):
        assert name in picture.read_text()
    content = json.loads(rue(*line, "--seeds", 3, "--json").out)
    assert [len(run.get("seeds", [])) for run in content["results"]] == [3, 3, 0]
    assert content["results"][2]["nodes"] >= 1e4
    single = json.loads(rue(*line, "--seed", 2, "--json").out)
    assert [run["seed"] for run in single["results"]] == [2, 2, None]


def test_solve_by_rules(rue: Any, tmp_path: Path) -> None:
    path = tmp_path / "dice.json"
    line = ("solve", "liars-dice(dice=2)", "-a", "mccfr", "--by-rules", "--nodes", 10_000, "--out", path)
    code, out, err = rue(*line)
    assert (code, err) == (0, "")
    assert "not computed: the game is not enumerated" in out
    assert "met so far" in out
    assert "memory" in out
    shown = rue("show", path, "--limit", 3)
    assert shown.code == 0
    assert "not computed" in shown.out
    assert "nan" not in shown.out
    content = json.loads(rue(*line, "--json").out)
    assert content["exploitability"] is None
    assert content["infosets"] > 1000
    assert json.loads(rue("show", path, "--json", "--limit", 1).out)["exploitability"] is None
