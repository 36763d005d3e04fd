"""Saved hold'em runs, inspected: nothing is built or read twice, runs stopped by time resume, damage is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
import zerosum.holdem
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.engine.board_arrays import boards_to_arrays, load_public_tree
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.runs.saved_run import SavedRun
from zerosum.support.array_file import LazyArray
from zerosum.support.errors import ZerosumError


def test_a_run_stopped_by_time_keeps_all_its_streets_and_resumes(tmp_path: Path) -> None:
    turn = zerosum.holdem.spot("Ks7h2d9c", 200, 300, "AA,99,87s", "KQs,QQ,65s", "50%", "allin")
    path = tmp_path / "run"
    first = zerosum.solve(turn, seconds=0.05, out=path, streets="turn")
    assert first.stopped == "seconds"
    assert zerosum.load(path).at("check check 4d").note == ""
    longer = zerosum.resume(path, iterations="+20")
    whole = zerosum.solve(turn, iterations=longer.iterations)
    assert (longer.at("check check 4d").frequency == whole.at("check check 4d").frequency).all()
    assert "solved again" in zerosum.load(path).at("check check 4d").note
    with pytest.raises(ZerosumError, match="view it or solve again"):
        zerosum.resume(path, iterations="+1")


@pytest.mark.parametrize("half", [False, True])
def test_inspection_builds_nothing_and_reads_only_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bool
) -> None:
    """The digits are those of the run, and places that are not requested stay unread."""
    turn = zerosum.holdem.load_spot("turn")
    result = zerosum.solve(turn, iterations=4, half=half, out=tmp_path / "run")
    cut = zerosum.solve(turn, iterations=4, half=half, out=tmp_path / "cut", streets="turn")
    monkeypatch.setattr("zerosum.holdem.problem.problem.build_public_tree", None)
    read, cut_read = zerosum.load(tmp_path / "run"), zerosum.load(tmp_path / "cut")
    assert read == result
    assert (cut_read.infosets, cut_read.sequences) == (cut.infosets, cut.sequences)
    lines = ["", "check bet50", "check check 4d", "check bet50 call 2h check"]
    for line in lines:
        original, loaded = result.at(line), read.at(line)
        for name in ("frequency", "action_ev", "equity", "opposing_reach", "hand"):
            assert np.array_equal(getattr(original, name), getattr(loaded, name)), (line, name)
        if line in ("", "check bet50"):
            assert cut_read.at(line).action_ev == pytest.approx(original.action_ev, abs=1e-2)
    waiting = [lazy._waiting for lazy in read.solution.solver._lazy]
    assert all(some.any() and not some.all() for some in waiting)
    assert (read.solution.solver.averages()[0] == result.solution.solver.averages()[0]).all()
    assert not any(some.any() for some in waiting)


def test_a_second_inspection_repeats_no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No block is read twice, and the rows of a player at a place, shared by all its decisions, are located once."""
    zerosum.solve(zerosum.holdem.load_spot("turn"), iterations=2, out=tmp_path / "run")
    walked: list[tuple[int, int]] = []
    blocks: list[tuple[int, int]] = []
    evaluate_rows, take = PublicSolver._evaluate_into_scratch, LazyArray._read_block

    def counted(self: Any, space: Any, place: int, entering: Any, player: int, best: bool) -> None:
        walked.append((place, player))
        evaluate_rows(self, space, place, entering, player, best)

    def noted(self: Any, block: int) -> None:
        blocks.append((id(self), block))
        take(self, block)

    monkeypatch.setattr(PublicSolver, "_evaluate_into_scratch", counted)
    monkeypatch.setattr(LazyArray, "_read_block", noted)
    monkeypatch.setattr("zerosum.holdem.problem.problem.build_public_tree", None)
    read = zerosum.load(tmp_path / "run")
    for line in ("", "check", "check bet50", "bet50", "check bet50 raise"):
        assert read.at(line).has_ev
    assert walked == []
    read.at("check check 4d")
    read.at("check check 4d check")
    assert len(walked) == len(set(walked)) == 2
    done = len(blocks)
    for line in ("check check 4d", "check check 4d check bet100", "check check 4d bet50", "check check 4d check"):
        assert read.at(line).has_ev
    assert (len(walked), len(blocks)) == (2, done)
    assert len(blocks) == len(set(blocks)) > 0


def test_damage_is_noticed_where_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run"
    zerosum.solve(zerosum.holdem.load_spot("turn"), iterations=2, out=path)
    file = path / "run.zs"
    with SavedRun(path) as run:
        places = {name: entry["at"] + entry["length"] - 40 for name, entry in run._entries.items()}
    raw = bytearray(file.read_bytes())
    raw[places["average1"]] ^= 1
    file.write_bytes(raw)
    read = zerosum.load(path)
    read.at("check")
    with pytest.raises(ZerosumError, match="damaged.*checksum"):
        read.solution.solver.averages()
    raw[places["boards.hands"]] ^= 1
    file.write_bytes(raw)
    with pytest.raises(ZerosumError, match="damaged"):
        zerosum.load(path)


SMALL = zerosum.holdem.spot("Ks7h2d9c", 200, 300, "AA,87s", "KQs,QQ", "allin")


@pytest.fixture(scope="module")
def boards() -> dict[str, Any]:
    return boards_to_arrays(build_public_tree(SMALL))


@settings(max_examples=100)
@given(st.data())
def test_boards_of_a_stranger_lead_nowhere(boards: dict[str, Any], data: st.DataObject) -> None:
    """Any numbers in the arrays are refused or stay within the tables."""
    arrays = {name: array.copy() for name, array in boards.items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    if array.dtype.kind == "f":
        arrays[name] = array[:-1]
    else:
        number = data.draw(st.integers(0, int(np.iinfo(array.dtype).max)))
        array.reshape(-1)[data.draw(st.integers(0, array.size - 1))] = number
    try:
        form = load_public_tree(SMALL, arrays).tables
    except (ValueError, IndexError, KeyError):
        return
    table = form.boards
    for board in range(len(table)):
        for player in (0, 1):
            start, width = table[board, [2 * player, 1 + 2 * player]]
            other = table[board, 3 - 2 * player]
            compare = form.compare[start : start + width]
            assert len(compare) == width
            assert (compare[:, :2] <= other).all()
            assert (compare[:, :2] >= 0).all()
            assert (compare[:, 2] < other).all()
    assert (form.cards < 52).all()
    assert form.sources.max() <= len(form.source)
    assert form.source.max() < table[0, [1, 3]].max()
