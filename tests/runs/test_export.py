"""Strategies for other programs."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rue
from rue.runs.export import export


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "run"
    rue.solve("leduc", iterations=100, out=path)
    return path


def test_csv_and_json(run: Path, rue: Any, tmp_path: Path) -> None:
    import rue as package

    result = package.load(run)
    said = rue("export", run, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert said.code == 0
    assert [(row["infoset"], row["action"], float(row["probability"])) for row in rows] == [
        (row["infoset"], row["action"], row["probability"]) for row in result.rows()
    ]
    assert list(rows[0]) == ["player", "infoset", "reach", "action", "probability"]
    assert rue("export", run, "--format", "json", "--out", tmp_path / "x.json").code == 0
    assert package.load(tmp_path / "x.json") == result == package.GameResult.load(tmp_path / "x.json")
    again = rue("export", tmp_path / "x.json", "--format", "csv")
    assert again.out == said.out


def test_parquet(run: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    result = rue.load(run)
    export(result, "parquet", tmp_path / "x.parquet")
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == list(result.rows())
    with pytest.raises(rue.RueError, match="name a file"):
        export(result, "parquet", io.StringIO())


def test_without_pyarrow(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(rue.RueError, match=r'pip install "rue\[parquet\]"'):
        export(rue.load(run), "parquet", tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "game", ["kuhn", "leduc", "openspiel:kuhn_poker", "openspiel:leduc_poker", "openspiel:liars_dice(dice_sides=3)"]
)
def test_openspiel_finds_the_same_exploitability(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    result = rue.solve(game, iterations=60)
    written = io.StringIO()
    export(result, "openspiel", written)
    content = json.loads(written.getvalue())
    theirs = pyspiel.load_game(content["game"])
    table = {state: [(action, chance) for action, chance in row] for state, row in content["policy"].items()}
    policy = pyspiel.TabularPolicy(table)
    assert pyspiel.exploitability(theirs, policy) == pytest.approx(result.exploitability, abs=1e-9)
    from open_spiel.python import policy as tabular

    own = tabular.TabularPolicy(theirs)
    assert set(own.state_lookup) == set(table)


def test_what_cannot_be_exported(run: Path, rue: Any, tmp_path: Path) -> None:
    for words, sentence in (
        (("--format", "pio"), "pio is a format of hold'em"),
        (("--format", "xml"), "--format must be one of csv, json, parquet, pio, openspiel"),
        (("--format", "csv", "--streets", "turn"), "streets are those of hold'em"),
        (("--format", "csv", "--out", tmp_path / "no" / "x.csv"), "cannot write"),
        (("--format", "parquet"), "name a file"),
    ):
        said = rue("export", run, *words)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert sentence in said.err
    assert "cannot read" in rue("export", tmp_path / "none", "--format", "csv").err


def test_openspiel_opens_no_file_that_a_result_names(tmp_path: Path) -> None:
    """It would wait for a pipe for ever."""
    os.mkfifo(tmp_path / "pipe")
    result = replace(rue.solve("kuhn", iterations=2), game=f"openspiel:efg_game(filename={tmp_path / 'pipe'})")
    with pytest.raises(
        rue.RueError, match="would read the file that openspiel:efg_game.* names, and an export does not"
    ):
        export(result, "openspiel", io.StringIO())


def test_openspiel_refuses_what_it_would_not_know() -> None:
    with pytest.raises(rue.RueError, match="OpenSpiel would not know the infosets of rps"):
        export(rue.solve("rps", iterations=10), "openspiel", io.StringIO())
