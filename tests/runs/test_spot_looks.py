"""Saved hold'em runs, looked at: nothing is built or read twice, what time stopped goes on, damage is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
import rue.holdem
from rue.container import LazyArray
from rue.errors import RueError
from rue.holdem.form import public_tree
from rue.holdem.kept_boards import board_arrays, kept_tree
from rue.runs.opened import Opened
from rue.solvers.public_solver import PublicSolver


def test_a_run_that_time_stopped_keeps_all_its_streets_and_goes_on(tmp_path: Path) -> None:
    turn = rue.holdem.spot("Ks7h2d9c", 200, 300, "AA,99,87s", "KQs,QQ,65s", "50%", "allin")
    path = tmp_path / "run"
    first = rue.solve(turn, seconds=0.05, out=path, streets="turn")
    assert first.stopped == "seconds"
    assert rue.load(path).at("check check 4d").note == ""
    longer = rue.resume(path, iterations="+20")
    whole = rue.solve(turn, iterations=longer.iterations)
    assert (longer.at("check check 4d").strategy == whole.at("check check 4d").strategy).all()
    assert "solved again" in rue.load(path).at("check check 4d").note
    with pytest.raises(RueError, match="looked at, not go on"):
        rue.resume(path, iterations="+1")


@pytest.mark.parametrize("half", [False, True])
def test_looking_builds_nothing_and_reads_only_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bool
) -> None:
    """The digits are those of the run, and places that are not asked for stay unread."""
    turn = rue.holdem.load_spot("turn")
    result = rue.solve(turn, iterations=4, half=half, out=tmp_path / "run")
    cut = rue.solve(turn, iterations=4, half=half, out=tmp_path / "cut", streets="turn")
    monkeypatch.setattr("rue.problems.stored_spot.public_tree", None)
    read, kept = rue.load(tmp_path / "run"), rue.load(tmp_path / "cut")
    assert read == result
    assert (kept.infosets, kept.sequences) == (cut.infosets, cut.sequences)
    lines = ["", "check bet50", "check check 4d", "check bet50 call 2h check"]
    for line in lines:
        one, two = result.at(line), read.at(line)
        for name in ("strategy", "evs", "equities", "against", "hands"):
            assert np.array_equal(getattr(one, name), getattr(two, name)), (line, name)
        if line in ("", "check bet50"):
            assert kept.at(line).evs == pytest.approx(one.evs, abs=1e-2)
    waiting = [lazy._waiting for lazy in read.solution.solver._lazy]
    assert all(some.any() and not some.all() for some in waiting)
    assert (read.solution.solver.averages()[0] == result.solution.solver.averages()[0]).all()
    assert not any(some.any() for some in waiting)


def test_one_more_look_does_nothing_that_was_done_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No block is read twice, and the rows of a player at a place, which all its decisions share, are found once."""
    rue.solve(rue.holdem.load_spot("turn"), iterations=2, out=tmp_path / "run")
    walked: list[tuple[int, int]] = []
    blocks: list[tuple[int, int]] = []
    judge, take = PublicSolver._judge_rows, LazyArray._read

    def counted(self: Any, space: Any, place: int, entering: Any, player: int, best: bool) -> None:
        walked.append((place, player))
        judge(self, space, place, entering, player, best)

    def noted(self: Any, block: int) -> None:
        blocks.append((id(self), block))
        take(self, block)

    monkeypatch.setattr(PublicSolver, "_judge_rows", counted)
    monkeypatch.setattr(LazyArray, "_read", noted)
    monkeypatch.setattr("rue.problems.stored_spot.public_tree", None)
    read = rue.load(tmp_path / "run")
    for line in ("", "check", "check bet50", "bet50", "check bet50 raise"):
        assert read.at(line).judged
    assert walked == []
    read.at("check check 4d")
    read.at("check check 4d check")
    assert len(walked) == len(set(walked)) == 2
    done = len(blocks)
    for line in ("check check 4d", "check check 4d check bet100", "check check 4d bet50", "check check 4d check"):
        assert read.at(line).judged
    assert (len(walked), len(blocks)) == (2, done)
    assert len(blocks) == len(set(blocks)) > 0


def test_damage_is_found_when_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "run"
    rue.solve(rue.holdem.load_spot("turn"), iterations=2, out=path)
    file = path / "run.rue"
    with Opened(path) as run:
        places = {name: entry["at"] + entry["length"] - 40 for name, entry in run._listed.items()}
    raw = bytearray(file.read_bytes())
    raw[places["average1"]] ^= 1
    file.write_bytes(raw)
    read = rue.load(path)
    read.at("check")
    with pytest.raises(RueError, match="damaged.*checksum"):
        read.solution.solver.averages()
    raw[places["boards.hands"]] ^= 1
    file.write_bytes(raw)
    with pytest.raises(RueError, match="damaged"):
        rue.load(path)


SMALL = rue.holdem.spot("Ks7h2d9c", 200, 300, "AA,87s", "KQs,QQ", "allin")


@pytest.fixture(scope="module")
def boards() -> dict[str, Any]:
    return board_arrays(public_tree(SMALL))


@settings(max_examples=100)
@given(st.data())
def test_boards_of_a_stranger_lead_nowhere(boards: dict[str, Any], data: st.DataObject) -> None:
    """Whatever numbers stand in the arrays, they are refused or lead out of no table."""
    arrays = {name: array.copy() for name, array in boards.items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    if array.dtype.kind == "f":
        arrays[name] = array[:-1]
    else:
        number = data.draw(st.integers(0, int(np.iinfo(array.dtype).max)))
        array.reshape(-1)[data.draw(st.integers(0, array.size - 1))] = number
    try:
        form = kept_tree(SMALL, arrays).form
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
