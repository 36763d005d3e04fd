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

import zerosum
from zerosum.runs.export import export, list_format_names


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "run"
    zerosum.solve("leduc", iterations=100, out=path)
    return path


def test_csv_and_json(run: Path, zerosum: Any, tmp_path: Path) -> None:
    import zerosum as package

    result = package.load(run)
    output = zerosum("export", run, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output.out)))
    assert output.code == 0
    assert [(row["infoset"], row["action"], float(row["probability"])) for row in rows] == [
        (row["infoset"], row["action"], row["probability"]) for row in result.rows()
    ]
    assert list(rows[0]) == ["player", "infoset", "reach", "action", "probability"]
    assert zerosum("export", run, "--format", "json", "--out", tmp_path / "x.json").code == 0
    assert package.load(tmp_path / "x.json") == result == package.GameResult.load(tmp_path / "x.json")
    again = zerosum("export", tmp_path / "x.json", "--format", "csv")
    assert again.out == output.out


def test_parquet(run: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    result = zerosum.load(run)
    export(result, "parquet", tmp_path / "x.parquet")
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == list(result.rows())
    with pytest.raises(zerosum.ZerosumError, match="name a file"):
        export(result, "parquet", io.StringIO())


def test_without_pyarrow(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(zerosum.ZerosumError, match='Parquet needs pyarrow: pip install "pyarrow>=14"'):
        export(zerosum.load(run), "parquet", tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "game", ["kuhn", "leduc", "openspiel:kuhn_poker", "openspiel:leduc_poker", "openspiel:liars_dice(dice_sides=3)"]
)
def test_openspiel_finds_the_same_exploitability(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    result = zerosum.solve(game, iterations=60)
    written = io.StringIO()
    export(result, "openspiel", written)
    content = json.loads(written.getvalue())
    theirs = pyspiel.load_game(content["game"])
    table = {state: [(action, chance) for action, chance in row] for state, row in content["policy"].items()}
    policy = pyspiel.TabularPolicy(table)
    assert pyspiel.exploitability(theirs, policy) == pytest.approx(result.exploitability, abs=1e-9)
    from open_spiel.python import policy as tabular

    listed = tabular.TabularPolicy(theirs)
    assert set(listed.state_lookup) == set(table)


def test_strategies_that_cannot_be_exported(run: Path, zerosum: Any, tmp_path: Path) -> None:
    for words, sentence in (
        (("--format", "pio"), "pio cannot hold the strategy of leduc"),
        (("--format", "xml"), f"--format must be one of {', '.join(list_format_names())}, not 'xml'"),
        (("--format", "csv", "--streets", "turn"), "streets are those of hold'em"),
        (("--format", "csv", "--out", tmp_path / "no" / "x.csv"), "cannot write"),
        (("--format", "parquet"), "name a file"),
    ):
        output = zerosum("export", run, *words)
        assert (output.code, output.err.count("\n")) == (2, 1)
        assert sentence in output.err
    assert "cannot read" in zerosum("export", tmp_path / "none", "--format", "csv").err


def test_openspiel_opens_no_file_that_a_result_names(tmp_path: Path) -> None:
    """A pipe, for example, would block it for ever."""
    os.mkfifo(tmp_path / "pipe")
    result = replace(zerosum.solve("kuhn", iterations=2), game=f"openspiel:efg_game(filename={tmp_path / 'pipe'})")
    with pytest.raises(
        zerosum.ZerosumError, match="would read the file that openspiel:efg_game.* names, and an export does not"
    ):
        export(result, "openspiel", io.StringIO())


def test_openspiel_refuses_games_it_does_not_have() -> None:
    with pytest.raises(zerosum.ZerosumError, match="OpenSpiel does not know the infosets of rps"):
        export(zerosum.solve("rps", iterations=10), "openspiel", io.StringIO())
