"""Exports can be read back: the same infosets, actions and probabilities, of games and of hold'em."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import zerosum
import zerosum.holdem
from zerosum.runs.export import export
from zerosum.runs.strategy_reader import read_strategy


@pytest.fixture(scope="module")
def river() -> zerosum.SpotResult:
    spot = zerosum.holdem.spot(
        "Ks7h2d9c4s", 210, 900, "AA,99,87s,T8s:0.5", "KK,QQ,65s,A4s", "50%,allin", "100%", big_blind=10
    )
    return zerosum.solve(spot, iterations=30)


def entries(strategy: Any) -> dict[str, dict[str, float]]:
    return {entry.infoset: dict(entry.actions) for entry in strategy.entries}


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
@pytest.mark.parametrize("what", ["river", "kuhn"])
def test_exports_are_strategies(river: Any, tmp_path: Path, format: str, what: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    result = river if what == "river" else zerosum.solve("kuhn", iterations=20)
    path = tmp_path / f"x.{format}"
    export(result, format, path)
    read = read_strategy(path)
    assert entries(read) == {infoset.infoset: dict(infoset.actions) for infoset in result.iterate_infosets()}
    assert {entry.player for entry in read.entries} == {1, 2}


def test_columns_in_any_order_and_missing_entries(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("action,line,hand,probability,board\ncheck,,AsAh,0.25,Ks7h2d9c4s\nbet 50,,AsAh,0.75,Ks7h2d9c4s\n")
    assert entries(read_strategy(path)) == {"AsAh|Ks7h2d9c4s|": {"check": 0.25, "bet 50": 0.75}}
    path.write_text("action,hand,probability,board\ncheck,AsAh,1,Ks7h2d9c4s\n")
    with pytest.raises(zerosum.ZerosumError, match="hand, board and line instead of infoset"):
        read_strategy(path)


def test_parquet_that_is_none(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + bytes(40))
    with pytest.raises(zerosum.ZerosumError, match="not readable as Parquet"):
        read_strategy(path)
    parquet.write_table(pyarrow.table({"a": [1]}), path)
    with pytest.raises(zerosum.ZerosumError, match="it has the columns a"):
        read_strategy(path)


def test_memory_is_checked_first(river: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(river, "csv", tmp_path / "x.csv")
    monkeypatch.setattr("zerosum.runs.strategy_reader.available_bytes", lambda: 1000)
    with pytest.raises(zerosum.ZerosumError, match="export fewer streets"):
        read_strategy(tmp_path / "x.csv")


TURN = zerosum.holdem.spot("Ks7s2s9s", 200, 300, "AA", "TT", "50%", "allin", big_blind=10)
"""A spot whose other suits are interchangeable."""


@pytest.mark.parametrize("format", ["csv", "json", "parquet", "pio"])
@pytest.mark.parametrize("what", ["river", "turn"])
def test_exports_of_spots_are_judged_like_their_runs(river: Any, tmp_path: Path, format: str, what: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    result = river if what == "river" else zerosum.solve(TURN, iterations=8)
    path = tmp_path / f"x.{format}"
    export(result, format, path)
    from_run, from_file = zerosum.exploit(result.spot, result), zerosum.exploit(result.spot, path)
    near = 1e-2 if format == "pio" else 1e-4
    assert from_file.value == pytest.approx(from_run.value, abs=near)
    assert from_file.gains == pytest.approx(from_run.gains, abs=near)
    met = zerosum.head_to_head(result.spot, path, result)
    assert met.first == pytest.approx(from_run.value, abs=near)


def test_a_run_starts_from_an_export(river: Any, tmp_path: Path) -> None:
    export(river, "csv", tmp_path / "x.csv")
    from_run, from_file = (
        zerosum.solve(river.spot, "cfr+", iterations=3, start_from=start) for start in (river, tmp_path / "x.csv")
    )
    assert from_file.value == pytest.approx(from_run.value, abs=1e-3)
    assert from_file.at("check").frequency == pytest.approx(from_run.at("check").frequency, abs=1e-3)
    cold = zerosum.solve(river.spot, "cfr+", iterations=3)
    assert from_file.exploitability < cold.exploitability


def test_strategies_that_do_not_fit_or_do_not_exist(river: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    export(river, "csv", path)
    lines = path.read_text().splitlines()
    other = zerosum.holdem.spot("Ks7h2d9c4s", 210, 900, "AA,99", "KK,QQ", "33%,allin", "100%", big_blind=10)
    with pytest.raises(zerosum.ZerosumError, match="does not fit the spot"):
        zerosum.exploit(other, path)
    left = tmp_path / "left.csv"
    left.write_text("\n".join(line for line in lines if ",AsAh," not in line and ",AhAs," not in line))
    with pytest.raises(zerosum.ZerosumError, match="says nothing about AsAh at the start; play uniformly there"):
        zerosum.exploit(river.spot, left)
    filled = zerosum.exploit(river.spot, left, fill="uniform")
    assert filled.exploitability > zerosum.exploit(river.spot, path).exploitability
    with pytest.raises(zerosum.ZerosumError, match="a saved run has a strategy everywhere"):
        zerosum.exploit(river.spot, river, fill="uniform")
    with pytest.raises(zerosum.ZerosumError, match="another game"):
        zerosum.exploit(river.spot, zerosum.solve("kuhn", iterations=2))


def test_suits_that_a_file_distinguishes(tmp_path: Path) -> None:
    """Where suits are interchangeable a strategy must not distinguish them, unless every board is stored."""
    path = tmp_path / "x.csv"
    export(zerosum.solve(TURN, iterations=4), "csv", path)
    rows = [line.split(",") for line in path.read_text().splitlines()]
    at = next(number for number, row in enumerate(rows) if row[1] == "AhAd" and row[3] == "")
    rows[at][6], rows[at + 1][6] = "1.0", "0.0"
    path.write_text("\n".join(",".join(row) for row in rows))
    with pytest.raises(zerosum.ZerosumError, match="interchangeable"):
        zerosum.exploit(TURN, path)
    assert zerosum.exploit(zerosum.problem(TURN, isomorphism=False), path).exploitability > 0
