"""The manual of hold'em is complete: every part of a spot, every option, the order of hands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zerosum.cli.main import run
from zerosum.holdem.cards.cards import CLASS_ORDER
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.spots.options import SpotFileOptions
from zerosum.holdem.spots.spot import spot

KEYS = SpotFileOptions.__annotations__
PAGE = (Path(__file__).parents[2] / "docs" / "holdem.md").read_text()


def test_it_has_every_part_of_a_spot_with_its_default() -> None:
    keys = PAGE.partition("### Ranges")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|", keys, re.MULTILINE))
    assert set(KEYS) <= set(rows)
    needed = {"board": "Ks7h2d", "pot": 500, "stack": 900}
    assert {key for key in KEYS if rows[key] == "required"} == set(needed)
    values = {
        key: rows[key].strip("`") for key in ("oop", "ip", "bets", "raises", "by", "big_blind", "allin_threshold")
    }
    values |= {key: rows[key] for key in ("force_allin", "add_allin", "merge", "rake")}
    assert spot(**needed, **values) == spot(**needed)  # type: ignore[arg-type]


def test_it_has_every_option(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["solve", "--help"]) == 0
    options = {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", capsys.readouterr().out)} - {"--help"}
    keys = {f"--{name.replace('_', '-')}" for name in KEYS}
    assert len(options) > 20
    assert [option for option in options - keys if f"`{option}" not in PAGE] == []


def test_its_python_runs_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (file,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my.toml").write_text(file)
    examples = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(examples) == 2
    for code in examples:
        exec(code, {})


def test_it_has_every_column_of_a_decision() -> None:
    table = (
        PAGE.partition("A decision is a table with a row for each hand:")[2].partition("\n\n|")[2].partition("\n\n")[0]
    )
    missing = {column.name for column in DecisionTable.schema} - set(re.findall(r"`(\w+)`", table))
    assert not missing, f"docs/holdem.md, table of a decision: add {', '.join(sorted(missing))}"


def test_it_has_the_order_of_hands() -> None:
    (block,) = (block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if block.startswith("AA KK"))
    assert tuple(block.split()) == CLASS_ORDER
