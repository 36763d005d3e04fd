"""The command with algorithms that sample."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_solve_with_a_seed(zerosum: Any) -> None:
    def solved(*more: object) -> dict[str, Any]:
        return dict(json.loads(zerosum("solve", "kuhn", "-a", "mccfr", "--nodes", 5000, "--json", *more).out))

    first, again, other = solved("--seed", 1), solved("--seed", 1, "--threads", 1), solved("--seed", 2)
    assert first["exploitability"] == again["exploitability"] != other["exploitability"]
    assert (first["seed"], first["stopped"]) == (1, "nodes")
    assert 5000 <= first["nodes"] < 5100
    assert [point["nodes"] for point in first["curve"]] == [point["nodes"] for point in again["curve"]]
    assert solved()["seed"] == 0
    out = zerosum("solve", "kuhn", "-a", "os-mccfr", "--iterations", 2000, "--start-seed", 3).out
    assert "nodes touched" in out
    assert "seed" in out


def test_solve_with_many_seeds(zerosum: Any, tmp_path: Path) -> None:
    picture = tmp_path / "seeds.svg"
    line = ("solve", "kuhn", "-a", "linear-mccfr(1e4)", "--seeds", 4, "--seed", 10, "--nodes", "1e4")
    code, out, err = zerosum(*line, "--json", "--plot", picture)
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content["seeds"] == [10, 11, 12, 13]
    assert len(content["reached"]) == 4
    assert content["low"] < content["exploitability"] < content["high"]
    assert content["curve"][-1]["low"] == content["low"]
    text = picture.read_text()
    assert "nodes touched" in text
    assert "mean of 4 seeds" in text
    assert "95% confidence" in zerosum(*line).out


def test_compare_with_seeds(zerosum: Any, tmp_path: Path) -> None:
    picture = tmp_path / "compare.svg"
    line = ("compare", "kuhn", "mccfr", "cs-cfr", "dcfr", "--nodes", "1e4", "--x", "nodes")
    code, out, err = zerosum(*line, "--seeds", 3, "--plot", picture)
    assert (code, err) == (0, "")
    assert "95% of the mean" in out
    assert "nodes touched" in out
    for name in ("mccfr", "cs-cfr", "dcfr"):
        assert name in picture.read_text()
    content = json.loads(zerosum(*line, "--seeds", 3, "--json").out)
    assert [len(run.get("seeds", [])) for run in content["results"]] == [3, 3, 0]
    assert content["results"][2]["nodes"] >= 1e4
    single = json.loads(zerosum(*line, "--seed", 2, "--json").out)
    assert [run["seed"] for run in single["results"]] == [2, 2, None]


def test_solve_by_rules(zerosum: Any, tmp_path: Path) -> None:
    path = tmp_path / "dice.json"
    line = ("solve", "liars-dice(dice=2)", "-a", "mccfr", "--by-rules", "--nodes", 10_000, "--out", path)
    code, out, err = zerosum(*line)
    assert (code, err) == (0, "")
    assert "not computed: the game is not enumerated" in out
    assert "met so far" in out
    assert "memory" in out
    output = zerosum("show", path, "--limit", 3)
    assert output.code == 0
    assert "not computed" in output.out
    assert "nan" not in output.out
    content = json.loads(zerosum(*line, "--json").out)
    assert content["exploitability"] is None
    assert content["infosets"] > 1000
    assert json.loads(zerosum("show", path, "--json", "--limit", 1).out)["exploitability"] is None
