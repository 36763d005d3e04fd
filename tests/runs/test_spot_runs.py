"""Saved hold'em runs: whole, cut after a street, of earlier versions; looked at and exported."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
import rue.holdem
from rue import container
from rue.container import Container
from rue.holdem.cards import hand_index
from rue.holdem.hand_classes import hand_order
from rue.runs.export import export

TURN = ["holdem", "--board", "Ks 7h 2d 9c", "--pot", "200", "--stack", "400", "--oop", "AA,99,87s,KQs:0.3"]
TURN += ["--ip", "KK,QQ,65s,A9s", "--bets", "50%,allin", "--big-blind", "2", "--json"]


@pytest.fixture(scope="module")
def spot() -> rue.holdem.Spot:
    return rue.holdem.spot("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin", big_blind=2)


@pytest.fixture(scope="module")
def solved(spot: rue.holdem.Spot) -> rue.SpotResult:
    return rue.solve(spot, iterations=200)


@pytest.fixture(scope="module")
def cut(spot: rue.holdem.Spot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cut") / "turn"
    rue.solve(spot, iterations=200, out=path, streets="turn")
    return path


def test_a_cut_run_is_small_and_right_about_what_it_kept(cut: Path, solved: Any, tmp_path: Path) -> None:
    solved.save(tmp_path / "all.rue")
    assert (cut / "run.rue").stat().st_size * 10 < (tmp_path / "all.rue").stat().st_size
    read = rue.load(cut)
    assert (read.exploitability, read.iterations, read.spot) == (solved.exploitability, 200, solved.spot)
    for line in ("", "check", "check bet50", "bet50 allin"):
        kept, whole = read.at(line), solved.at(line)
        assert kept.note == ""
        assert np.array_equal(kept.strategy, whole.strategy)
        assert kept.evs == pytest.approx(whole.evs, abs=1e-3)
        assert kept.ranges[0] == pytest.approx(whole.ranges[0])


def test_a_dropped_street_is_solved_again(cut: Path, solved: Any) -> None:
    read = rue.load(cut)
    line = "check check 4d"
    again, whole = read.at(line), solved.at(line)
    assert "the river was not saved: solved again from the ranges that get there" in again.note
    assert (again.line, again.board, again.pot, again.actions) == (whole.line, whole.board, whole.pot, whole.actions)
    for mine, theirs in zip(again.ranges, whole.ranges, strict=True):
        assert mine == pytest.approx(np.where(np.arange(1326) >= 0, theirs, 0), abs=1e-9)
    worth, before = (float((p.ev * p.likelihood).sum() / p.likelihood.sum()) for p in (again, whole))
    assert worth == pytest.approx(before, abs=0.02 * whole.pot)
    deeper = read.at("check check 4d check allin")
    assert deeper.line == ("check", "check", "4d", "check", "allin")


def test_a_line_that_nobody_takes_cannot_be_solved_again(cut: Path) -> None:
    read = rue.load(cut)
    kept = read.solution.solver
    kept._average[0, 0][:] = np.where(kept._average[0, 0] > 0, kept._average[0, 0], 0)
    width = len(read.solution.tree.board.hands[0])
    kept._average[0, 0][width : 2 * width] = 0.0
    with pytest.raises(rue.RueError, match="nobody gets to bet 100 call 4d"):
        read.at("bet50 call 4d")


def test_what_a_cut_run_cannot_do(cut: Path, spot: rue.holdem.Spot, tmp_path: Path) -> None:
    with pytest.raises(rue.RueError, match="has kept the turn only"):
        rue.resume(cut, iterations="+10")
    with pytest.raises(rue.RueError, match="must begin with the first one of the spot"):
        rue.solve(spot, iterations=10, out=tmp_path / "x", streets="river")
    with pytest.raises(rue.RueError, match="no street 'tern'"):
        rue.solve(spot, iterations=10, out=tmp_path / "x", streets="tern")
    with pytest.raises(rue.RueError, match="say where, too"):
        rue.solve(spot, iterations=10, streets="turn")
    with pytest.raises(rue.RueError, match=r"a folder or a file in .rue"):
        rue.solve(spot, iterations=10, out=tmp_path / "x.json")


def test_a_stopped_run_keeps_all_streets(spot: rue.holdem.Spot, tmp_path: Path) -> None:
    """What goes on needs them: a run is cut when it is complete."""
    from rue.runs.opened import Opened

    rue.solve(spot, iterations=20, out=tmp_path, streets="turn", seconds=0)
    rue.solve(spot, iterations=20, out=tmp_path, streets="turn", overwrite=True)
    with Opened(tmp_path) as run:
        assert run.kind == "cut"


def test_the_command_shows_resumes_and_exports(tmp_path: Path, rue: Any) -> None:
    run, whole = tmp_path / "run", tmp_path / "whole"
    assert rue("solve", *TURN, "--iterations", 30, "--out", run).code == 0
    assert rue("solve", *TURN, "--iterations", 50, "--out", whole).code == 0
    resumed = json.loads(rue("resume", run, "--iterations", 50, "--json").out)
    assert resumed["exploitability"] == json.loads(rue("show", whole, "--json").out)["exploitability"]
    shown = json.loads(rue("show", run, "--line", "check bet50", "--json").out)
    assert shown["run"]["spot"]["board"] == "Ks 7h 2d 9c"
    assert shown["point"]["line"] == ["check", "bet 100"]
    assert rue("resume", run, "--until", "0.5%", "--json").code == 0
    assert "no curve" not in rue("show", run).out
    said = rue("solve", *TURN, "--iterations", 10, "--streets", "turn")
    assert (said.code, "say where, too (--out, out=)" in said.err) == (2, True)
    kept = tmp_path / "kept"
    assert rue("solve", *TURN, "--iterations", 50, "--streets", "turn", "--out", kept).code == 0
    assert "the river was not saved" in rue("show", kept, "--line", "check check 4d").out
    assert "the river was not saved" in json.loads(rue("show", kept, "--line", "check check 4d", "--json").out)["note"]


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_strategies_are_refused_or_harmless(
    solved: Any, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    whole = tmp_path_factory.getbasetemp() / "whole.rue"
    if not whole.exists():
        tiny = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA", "KK", "allin")
        rue.solve(tiny, iterations=5).save(whole)
    content = bytearray(whole.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content)))]
    for _ in range(data.draw(st.integers(0, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "old.rue"
    path.write_bytes(content)
    try:
        rue.load(path)
    except rue.RueError as error:
        assert str(error)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_values_that_are_no_numbers_are_refused(spot: rue.holdem.Spot, tmp_path: Path, number: float) -> None:
    path = tmp_path / "run.rue"
    rue.solve(spot, iterations=2, out=path)
    with closing(Container(path)) as saved:
        header, arrays = saved.header, saved.arrays()
    arrays["value1"][2, 3] = number
    container.write(path, header, arrays)
    with pytest.raises(rue.RueError, match="is damaged: a value is not a number"):
        rue.load(path)


def test_strategies_of_another_shape_are_those_they_are(cut: Path, tmp_path: Path) -> None:
    path, whole = tmp_path / "run.rue", rue.load(cut)
    with closing(Container(cut / "run.rue")) as saved:
        header, arrays = saved.header, saved.arrays()
    container.write(path, header, arrays | {"average0": arrays["average0"][None]})
    assert (rue.load(path).at("").strategy == whole.at("").strategy).all()


def test_pio(solved: Any, cut: Path, tmp_path: Path) -> None:
    """Node names with what each player has put in; a line of 1,326 numbers an action, in Pio's order."""
    export(solved, "pio", tmp_path / "turn.txt")
    text = (tmp_path / "turn.txt").read_text()
    blocks = {block.splitlines()[1]: block.splitlines() for block in text.split("\n\n") if "show_node" in block}
    root = blocks["r:0"]
    assert root[2:6] == ["OOP_DEC", "Ks 7h 2d 9c", "0 0 200", "3 children"]
    assert root[6] == "show_children r:0:c r:0:b100 r:0:b400"
    point = solved.at("check bet50")
    lines = np.array([line.split() for line in blocks["r:0:c:b100"][8:]], dtype=float)
    assert lines.shape == (len(point.actions), 1326)
    here = np.zeros((len(point.actions), 1326))
    here[:, point.hands] = point.strategy
    assert lines == pytest.approx(here[:, hand_order("pio")], abs=1e-5)
    assert blocks["r:0:b100:c:4d:b300"][4] == "300 100 200"
    deep = solved.at("bet50 call 4d bet50")
    assert len(blocks["r:0:b100:c:4d:b300"]) == 8 + len(deep.actions)
    export(rue.load(cut), "pio", tmp_path / "cut.txt")
    kept = (tmp_path / "cut.txt").read_text()
    export(solved, "pio", tmp_path / "first.txt", streets="turn")
    assert kept == (tmp_path / "first.txt").read_text()
    assert text.startswith(kept[: kept.index("show_node")])


def test_rows_of_a_spot(solved: Any) -> None:
    written = io.StringIO()
    export(solved, "csv", written, streets="turn")
    rows = list(csv.DictReader(io.StringIO(written.getvalue())))
    point = solved.at("check bet50")
    assert list(rows[0]) == ["player", "hand", "board", "line", "reach", "action", "probability", "ev", "equity"]
    held = [row for row in rows if (row["board"], row["line"]) == ("Ks7h2d9c", "check bet 100")]
    assert len(held) == len(point.hands) * len(point.actions)
    for row in held:
        k, number = point.hands.tolist().index(hand_index(row["hand"])), point.actions.index(row["action"])
        assert float(row["probability"]) == point.strategy[number, k]
        assert float(row["ev"]) == pytest.approx(point.evs[number, k], abs=1e-6)
        assert float(row["equity"]) == pytest.approx(point.equities[k], abs=1e-6)
    written = io.StringIO()
    export(solved, "json", written, streets="turn")
    content = json.loads(written.getvalue())
    assert len(content["decisions"]) == len({(row["hand"], row["board"], row["line"]) for row in rows})
    assert content["decisions"][0]["evs"].keys() == content["decisions"][0]["actions"].keys()
    assert content["spot"]["pot"] == 200
    with pytest.raises(rue.RueError, match="no game that is a hold'em spot"):
        export(solved, "openspiel", io.StringIO())
