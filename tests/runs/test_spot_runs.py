"""Saved hold'em runs: whole, cut after a street, of earlier versions; inspected and exported."""

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

import zerosum
import zerosum.holdem
from zerosum.holdem.cards.cards import find_hand_order, parse_hand
from zerosum.holdem.study.comparison import compare_decision
from zerosum.holdem.study.line_steps import list_runouts
from zerosum.holdem.study.report_runner import report
from zerosum.runs.export import export
from zerosum.runs.saved_run import load
from zerosum.support import array_file
from zerosum.support.array_file import ArrayFile
from zerosum.support.errors import ZerosumError

TURN = ["holdem", "--board", "Ks 7h 2d 9c", "--pot", "200", "--stack", "400", "--oop", "AA,99,87s,KQs:0.3"]
TURN += ["--ip", "KK,QQ,65s,A9s", "--bets", "50%,allin", "--big-blind", "2", "--json"]


@pytest.fixture(scope="module")
def spot() -> zerosum.holdem.Spot:
    return zerosum.holdem.spot("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin", big_blind=2)


@pytest.fixture(scope="module")
def solved(spot: zerosum.holdem.Spot) -> zerosum.SpotResult:
    return zerosum.solve(spot, iterations=200)


@pytest.fixture(scope="module")
def cut(spot: zerosum.holdem.Spot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cut") / "turn"
    zerosum.solve(spot, iterations=200, out=path, streets="turn")
    return path


def test_a_cut_run_is_small_and_its_streets_are_right(cut: Path, solved: Any, tmp_path: Path) -> None:
    solved.save(tmp_path / "all.zs")
    assert (cut / "run.zs").stat().st_size * 10 < (tmp_path / "all.zs").stat().st_size
    read = zerosum.load(cut)
    assert (read.exploitability, read.iterations, read.spot) == (solved.exploitability, 200, solved.spot)
    for line in ("", "check", "check bet50", "bet50 allin"):
        read_decision, whole = read.at(line), solved.at(line)
        assert read_decision.note == ""
        assert np.array_equal(read_decision.frequency, whole.frequency)
        assert read_decision.action_ev == pytest.approx(whole.action_ev, abs=1e-3)
        assert read_decision.ranges[0] == pytest.approx(whole.ranges[0])


def test_a_dropped_street_is_solved_again(cut: Path, solved: Any) -> None:
    read = zerosum.load(cut)
    line = "check check 4d"
    again, whole = read.at(line), solved.at(line)
    assert "the river was not saved: solved again from the ranges that get there" in again.note
    assert (again.line, again.board, again.pot, again.actions) == (whole.line, whole.board, whole.pot, whole.actions)
    for mine, theirs in zip(again.ranges, whole.ranges, strict=True):
        assert mine == pytest.approx(np.where(np.arange(1326) >= 0, theirs, 0), abs=1e-9)
    worth, before = (float((p.ev * p.deals).sum() / p.deals.sum()) for p in (again, whole))
    assert worth == pytest.approx(before, abs=0.02 * whole.pot)
    deeper = read.at("check check 4d check allin")
    assert deeper.line == ("check", "check", "4d", "check", "allin")


def test_a_line_that_nobody_takes_cannot_be_solved_again(cut: Path) -> None:
    read = zerosum.load(cut)
    solver = read.solution.solver
    solver._average[0, 0][:] = np.where(solver._average[0, 0] > 0, solver._average[0, 0], 0)
    width = len(read.solution.tree.board.hands[0])
    solver._average[0, 0][width : 2 * width] = 0.0
    with pytest.raises(zerosum.ZerosumError, match="nobody gets to bet 100 call 4d"):
        read.at("bet50 call 4d")


def test_limits_of_a_cut_run(cut: Path, spot: zerosum.holdem.Spot, tmp_path: Path) -> None:
    with pytest.raises(zerosum.ZerosumError, match="contains only the turn"):
        zerosum.resume(cut, iterations="+10")
    with pytest.raises(zerosum.ZerosumError, match="must begin with the first one of the spot"):
        zerosum.solve(spot, iterations=10, out=tmp_path / "x", streets="river")
    with pytest.raises(zerosum.ZerosumError, match="no street 'tern'"):
        zerosum.solve(spot, iterations=10, out=tmp_path / "x", streets="tern")
    with pytest.raises(zerosum.ZerosumError, match="add out"):
        zerosum.solve(spot, iterations=10, streets="turn")
    with pytest.raises(zerosum.ZerosumError, match=r"a folder or a file in .zs"):
        zerosum.solve(spot, iterations=10, out=tmp_path / "x.json")


def test_a_stopped_run_keeps_all_streets(spot: zerosum.holdem.Spot, tmp_path: Path) -> None:
    """Resuming needs all streets, so a run is cut only when it is complete."""
    from zerosum.runs.saved_run import SavedRun

    zerosum.solve(spot, iterations=20, out=tmp_path, streets="turn", seconds=0)
    zerosum.solve(spot, iterations=20, out=tmp_path, streets="turn", overwrite=True)
    with SavedRun(tmp_path) as run:
        assert run.kind == "cut"


def test_the_command_shows_resumes_and_exports(tmp_path: Path, zerosum: Any) -> None:
    run, whole = tmp_path / "run", tmp_path / "whole"
    assert zerosum("solve", *TURN, "--iterations", 30, "--out", run).code == 0
    assert zerosum("solve", *TURN, "--iterations", 50, "--out", whole).code == 0
    resumed = json.loads(zerosum("resume", run, "--iterations", 50, "--json").out)
    assert resumed["exploitability"] == json.loads(zerosum("show", whole, "--json").out)["exploitability"]
    content = json.loads(zerosum("show", run, "--line", "check bet50", "--json").out)
    assert content["run"]["spot"]["board"] == "Ks 7h 2d 9c"
    assert content["decision"]["line"] == ["check", "bet 100"]
    assert zerosum("resume", run, "--until", "0.5%", "--json").code == 0
    assert "no curve" not in zerosum("show", run).out
    output = zerosum("solve", *TURN, "--iterations", 10, "--streets", "turn")
    assert (output.code, "selects what a saved run keeps: add" in output.err) == (2, True)
    saved = tmp_path / "saved"
    assert zerosum("solve", *TURN, "--iterations", 50, "--streets", "turn", "--out", saved).code == 0
    assert "the river was not saved" in zerosum("show", saved, "--line", "check check 4d").out
    assert (
        "the river was not saved"
        in json.loads(zerosum("show", saved, "--line", "check check 4d", "--json").out)["note"]
    )


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_strategies_are_refused_or_harmless(
    solved: Any, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    whole = tmp_path_factory.getbasetemp() / "whole.zs"
    if not whole.exists():
        tiny = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA", "KK", "allin")
        zerosum.solve(tiny, iterations=5).save(whole)
    content = bytearray(whole.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content)))]
    for _ in range(data.draw(st.integers(0, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "old.zs"
    path.write_bytes(content)
    try:
        zerosum.load(path)
    except zerosum.ZerosumError as error:
        assert str(error)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_values_that_are_no_numbers_are_refused(spot: zerosum.holdem.Spot, tmp_path: Path, number: float) -> None:
    path = tmp_path / "run.zs"
    zerosum.solve(spot, iterations=2, out=path)
    with closing(ArrayFile(path)) as saved:
        header, arrays = saved.header, saved.read_arrays()
    arrays["value1"][2, 3] = number
    array_file.write_array_file(path, header, arrays)
    with pytest.raises(zerosum.ZerosumError, match="is damaged: a value is not a number"):
        zerosum.load(path)


def test_strategies_of_another_shape_are_those_they_are(cut: Path, tmp_path: Path) -> None:
    path, whole = tmp_path / "run.zs", zerosum.load(cut)
    with closing(ArrayFile(cut / "run.zs")) as saved:
        header, arrays = saved.header, saved.read_arrays()
    array_file.write_array_file(path, header, arrays | {"average0": arrays["average0"][None]})
    assert (zerosum.load(path).at("").frequency == whole.at("").frequency).all()


def test_pio(solved: Any, cut: Path, tmp_path: Path) -> None:
    """Node names hold the chips of both players; every action has a line of 1,326 numbers, in Pio's order."""
    export(solved, "pio", tmp_path / "turn.txt")
    text = (tmp_path / "turn.txt").read_text()
    blocks = {block.splitlines()[1]: block.splitlines() for block in text.split("\n\n") if "show_node" in block}
    root = blocks["r:0"]
    assert root[2:6] == ["OOP_DEC", "Ks 7h 2d 9c", "0 0 200", "3 children"]
    assert root[6] == "show_children r:0:c r:0:b100 r:0:b400"
    point = solved.at("check bet50")
    lines = np.array([line.split() for line in blocks["r:0:c:b100"][8:]], dtype=float)
    assert lines.shape == (len(point.actions), 1326)
    frequency = np.zeros((len(point.actions), 1326))
    frequency[:, point.hand] = point.frequency
    assert lines == pytest.approx(frequency[:, find_hand_order("pio")], abs=1e-5)
    assert blocks["r:0:b100:c:4d:b300"][4] == "300 100 200"
    deep = solved.at("bet50 call 4d bet50")
    assert len(blocks["r:0:b100:c:4d:b300"]) == 8 + len(deep.actions)
    export(zerosum.load(cut), "pio", tmp_path / "cut.txt")
    text_of_cut = (tmp_path / "cut.txt").read_text()
    export(solved, "pio", tmp_path / "first.txt", streets="turn")
    assert text_of_cut == (tmp_path / "first.txt").read_text()
    assert text.startswith(text_of_cut[: text_of_cut.index("show_node")])


def test_rows_of_a_spot(solved: Any) -> None:
    written = io.StringIO()
    export(solved, "csv", written, streets="turn")
    rows = list(csv.DictReader(io.StringIO(written.getvalue())))
    point = solved.at("check bet50")
    assert list(rows[0]) == ["player", "hand", "board", "line", "reach", "action", "probability", "ev", "equity"]
    held = [row for row in rows if (row["board"], row["line"]) == ("Ks7h2d9c", "check bet 100")]
    assert len(held) == len(point.hand) * len(point.actions)
    for row in held:
        k, number = point.hand.tolist().index(parse_hand(row["hand"])), point.actions.index(row["action"])
        assert float(row["probability"]) == point.frequency[number, k]
        assert float(row["ev"]) == pytest.approx(point.action_ev[number, k], abs=1e-6)
        assert float(row["equity"]) == pytest.approx(point.equity[k], abs=1e-6)
    written = io.StringIO()
    export(solved, "json", written, streets="turn")
    content = json.loads(written.getvalue())
    assert len(content["decisions"]) == len({(row["hand"], row["board"], row["line"]) for row in rows})
    assert content["decisions"][0]["evs"].keys() == content["decisions"][0]["actions"].keys()
    assert content["spot"]["pot"] == 200
    with pytest.raises(zerosum.ZerosumError, match="openspiel cannot hold .* a hold'em spot: use one of csv"):
        export(solved, "openspiel", io.StringIO())


def test_reports_and_comparisons_of_a_run_without_its_rivers(cut: Path, solved: Any, zerosum: Any) -> None:
    """A report over rivers that were not saved is refused with a remedy; a single decision is solved again."""
    output = zerosum("report", cut, "--line", "check check")
    assert output.code == 2
    assert "the river was not saved (--streets)" in output.err
    assert "save the run with all its streets" in output.err
    for line in ("check check * check", "check bet50 call *"):
        with pytest.raises(ZerosumError, match="the river was not saved"):
            report(cut, line=line)
    loaded = load(cut)
    compared = compare_decision(solved, loaded, "check check 4d")
    assert compared.after.range_evs == pytest.approx(compared.before.range_evs, abs=0.02 * solved.spot.pot)
    assert sum(compared.after.range_evs) == pytest.approx(solved.spot.pot)
    assert compared.changes.strategy_change.max() <= 1
    assert "solved again" in compared.after.table.note
    assert np.isnan(list_runouts(loaded, "check check").rows.ev_oop).all()
    assert loaded.solution.compute_range_evs("check") == pytest.approx(
        solved.solution.compute_range_evs("check"), abs=1e-3
    )
