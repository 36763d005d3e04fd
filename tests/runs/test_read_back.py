"""What rue exports it reads back: the same infosets, actions and probabilities, of games and of hold'em."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rue
import rue.holdem
from rue.runs.export import export
from rue.runs.read import read_strategy


@pytest.fixture(scope="module")
def river() -> rue.SpotResult:
    spot = rue.holdem.spot(
        "Ks7h2d9c4s", 210, 900, "AA,99,87s,T8s:0.5", "KK,QQ,65s,A4s", "50%,allin", "100%", big_blind=10
    )
    return rue.solve(spot, iterations=30)


def entries(strategy: Any) -> dict[str, dict[str, float]]:
    return {entry.infoset: dict(entry.actions) for entry in strategy.entries}


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
@pytest.mark.parametrize("what", ["river", "kuhn"])
def test_exports_are_strategies(river: Any, tmp_path: Path, format: str, what: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    result = river if what == "river" else rue.solve("kuhn", iterations=20)
    path = tmp_path / f"x.{format}"
    export(result, format, path)
    found = read_strategy(path)
    assert entries(found) == {each.infoset: dict(each.actions) for each in result.each_decision()}
    assert {entry.player for entry in found.entries} == {1, 2}


def test_columns_in_any_order_and_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("action,line,hand,probability,board\ncheck,,AsAh,0.25,Ks7h2d9c4s\nbet 50,,AsAh,0.75,Ks7h2d9c4s\n")
    assert entries(read_strategy(path)) == {"AsAh|Ks7h2d9c4s|": {"check": 0.25, "bet 50": 0.75}}
    path.write_text("action,hand,probability,board\ncheck,AsAh,1,Ks7h2d9c4s\n")
    with pytest.raises(rue.RueError, match="hand, board and line instead of infoset"):
        read_strategy(path)


def test_parquet_that_is_none(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + bytes(40))
    with pytest.raises(rue.RueError, match="not readable as Parquet"):
        read_strategy(path)
    parquet.write_table(pyarrow.table({"a": [1]}), path)
    with pytest.raises(rue.RueError, match="it has the columns a"):
        read_strategy(path)


def test_memory_is_asked_first(river: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(river, "csv", tmp_path / "x.csv")
    monkeypatch.setattr("rue.runs.read.available_bytes", lambda: 1000)
    with pytest.raises(rue.RueError, match="export fewer streets"):
        read_strategy(tmp_path / "x.csv")
