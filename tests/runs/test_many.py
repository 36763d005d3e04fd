"""Many pieces of work: no more at once than fit, in any executor, kept as they end, never done twice."""

from __future__ import annotations

import json
import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
from rue.results.points import check_number
from rue.runs.jobs import Curve, Folder, Job, Jobs, Solved
from rue.runs.many import Going, Many, Standing, Workers
from rue.runs.run import Run
from rue.solvers.limits import Limits

NAMES = ("cfr", "cfr+", "dcfr", "lcfr")


@dataclass(frozen=True)
class Value:
    """What the first player wins, as a job tells it."""

    def __call__(self, run: Run) -> dict[str, Any]:
        return {"value": run.result().value}

    def check(self, told: Any) -> None:
        check_number(told["value"])


def jobs(iterations: int = 40, names: tuple[str, ...] = NAMES, game: Any = "kuhn") -> list[Job]:
    problem = rue.problem(game)
    return [Job(name, problem, problem.algorithm(name), Limits(iterations=iterations), Value()) for name in names]


def values(of: Jobs) -> dict[str, float]:
    found = {}
    for job, solved in of.run():
        assert isinstance(solved, Solved)
        found[job.label] = solved.told["value"]
    return found


@settings(max_examples=15)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=8), st.integers(1, 4), st.integers(1, 10))
def test_never_more_at_once_than_fit(sizes: list[int], count: int, room: int) -> None:
    """One alone may be larger than the room: it is for the solve itself to refuse that."""
    running: list[int] = []
    lock, seen = threading.Lock(), []

    def work(piece: tuple[int, int], going: Going) -> int:
        with lock:
            running.append(piece[1])
            seen.append((len(running), sum(running), going.threads))
        time.sleep(0.001)
        with lock:
            running.remove(piece[1])
        return piece[0]

    many = Many(work, Workers(count=count, bytes=room), lambda piece: piece[1])
    assert sorted(left for _, left in many.run(enumerate(sizes))) == list(range(len(sizes)))
    for together, taken, threads in seen:
        assert together <= count
        assert taken <= room or together == 1
        assert 1 <= threads <= count


def test_pieces_that_ended_at_once_come_in_order() -> None:
    """Whoever is told of the progress takes so long that the next piece, which waits with the executor, ends too."""
    many = Many(lambda piece, going: piece, Workers(count=1, progress=lambda standing: time.sleep(0.005)))
    assert [left for _, left in many.run(range(40))] == list(range(40))


def test_few_pieces_have_more_threads() -> None:
    for pieces, size, expected in (([1], 0, 4), ([1, 2], 0, 2), (range(8), 0, 1), (range(8), 10, 4)):
        many = Many(lambda piece, going: going.threads, Workers(count=4, bytes=15), lambda piece, size=size: size)
        assert next(many.run(pieces))[1] == expected


def test_a_cluster_tells_its_cores() -> None:
    class Cluster(ThreadPoolExecutor):
        cores = 7

    with Cluster(2) as cluster:
        many = Many(lambda piece, going: going.threads, Workers(cluster), lambda piece: 10**15)
        assert [left for _, left in many.run(range(3))] == [2, 2, 2]


def test_a_sentence_is_a_result_and_a_bug_is_not() -> None:
    def work(piece: int, going: Going) -> int:
        if piece == 1:
            raise rue.RueError("one is refused")
        return 6 // piece

    found = dict(Many(work, Workers(count=1)).run([3, 1, 2]))
    assert (found[3], str(found[1]), found[2]) == (2, "one is refused", 3)
    with pytest.raises(ZeroDivisionError):
        list(Many(work, Workers(count=1)).run([3, 0, 2]))


def test_progress() -> None:
    seen: list[Standing] = []
    many = Many(lambda piece, going: piece, Workers(count=2, progress=seen.append), name=lambda piece: f"piece {piece}")
    assert len(list(many.run(range(5), before=2))) == 5
    assert (seen[-1].done, seen[-1].count, seen[-1].running, seen[-1].remaining) == (7, 7, (), 0.0)
    assert {name for each in seen for name in each.running} <= {f"piece {piece}" for piece in range(5)}


def test_stopped_by_hand_keeps_what_is_done(tmp_path: Path) -> None:
    """Nothing new starts, what runs is cut short and not kept, and the next time goes on."""
    quick, slow = jobs(40), jobs(10**9, ("cfr",))
    going = Jobs([*quick, *slow], Workers(count=1), tmp_path)
    ended = []
    for job, solved in going.run():
        assert isinstance(solved, Solved)
        ended.append((job.label, solved.stopped))
        if len(ended) == len(quick):
            threading.Timer(0.3, going.stop).start()
    assert ended == [*((name, "iterations") for name in NAMES), ("cfr", "interrupted")]
    assert going.interrupted
    assert len(list((tmp_path / "solved").iterdir())) == len(quick)


def test_nothing_is_solved_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    advance = Run.advance
    monkeypatch.setattr(Run, "advance", lambda run: begun.append(run.algorithm.name) or advance(run))
    first = values(Jobs(jobs(names=NAMES[:2]), out=tmp_path))
    again = Jobs(jobs(), out=tmp_path)
    assert values(again) == values(Jobs(jobs()))
    assert (again.found, sorted(begun)) == (2, sorted([*NAMES, *NAMES]))
    assert first.items() <= values(Jobs(jobs(), out=tmp_path)).items()
    longer = Jobs(jobs(41), out=tmp_path)
    values(longer)
    assert longer.found == 0


def test_a_damaged_file_is_solved_again(tmp_path: Path) -> None:
    expected = values(Jobs(jobs(), out=tmp_path))
    files = sorted((tmp_path / "solved").iterdir())
    files[0].write_bytes(files[0].read_bytes()[:50])
    files[1].write_text("[]")
    files[2].write_text(json.dumps({**json.loads(files[2].read_text()), "key": "another"}))
    again = Jobs(jobs(), out=tmp_path)
    assert values(again) == expected
    assert again.found == 1


def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    mine = Folder(tmp_path / "mine")
    with pytest.raises(rue.RueError, match="another process is writing"):
        Jobs(jobs(), out=tmp_path / "mine")
    mine.close()
    Folder(tmp_path / "mine").close()
    (tmp_path / "file").write_text("")
    with pytest.raises(rue.RueError, match="cannot write"):
        Jobs(jobs(), out=tmp_path / "file")


def test_any_executor_gives_the_same_digits() -> None:
    expected = values(Jobs(jobs()))
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(1) as processes:
        for executor in (threads, processes):
            assert values(Jobs(jobs(), Workers(executor))) == expected
            assert executor.submit(int).result() == 0  # it stays open
    assert values(Jobs(jobs(), Workers(processes=True, count=2))) == expected


def test_problems_are_sent_without_what_was_built() -> None:
    for game in ("leduc", "spot:river", rue.game("kuhn")):
        problem = rue.problem(game)
        sizes = problem.sizes
        sent = pickle.dumps(problem)
        assert len(sent) < 100_000
        assert pickle.loads(sent).sizes == sizes


def test_what_cannot_be_sent_or_kept_is_a_sentence(tmp_path: Path) -> None:
    compiled = jobs(names=("cfr",), game=rue.compile_game(rue.game("kuhn")))
    with pytest.raises(rue.RueError, match="cannot be sent to another process"):
        list(Jobs(compiled, Workers(processes=True, count=1)).run())
    with pytest.raises(rue.RueError, match="given as an object"):
        list(Jobs(compiled, out=tmp_path).run())
    with pytest.raises(rue.RueError, match="method submit"):
        Workers(executor=3)  # type: ignore[arg-type]
    with pytest.raises(rue.RueError, match="at least 1"):
        Workers(count=0)


def test_a_curve_is_told_whole() -> None:
    problem = rue.problem("kuhn")
    job = Job("one", problem, problem.algorithm("cfr+"), Limits(iterations=50), Curve())
    ((_, solved),) = Jobs([job]).run()
    assert isinstance(solved, Solved)
    told = Curve.read(json.loads(json.dumps(solved.told)))
    expected = rue.solve("kuhn", "cfr+", iterations=50).curve
    assert [(point.iteration, point.exploitability) for point in told] == [
        (point.iteration, point.exploitability) for point in expected
    ]
