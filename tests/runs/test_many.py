"""Many jobs: run together only as far as memory allows, in any executor, stored as they end, never run twice."""

from __future__ import annotations

import json
import pickle
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.engine.limits import Limits
from zerosum.jobs.job import JobContext, JobResult
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.solve_job import CurveMeasurement, SolveJob
from zerosum.jobs.store import JobStore
from zerosum.jobs.workers import Workers
from zerosum.runs.progress import TaskProgress
from zerosum.runs.run import Run
from zerosum.support.validation import decode_number

NAMES = ("cfr", "cfr+", "dcfr", "lcfr")


@dataclass(frozen=True)
class Value:
    """The value of the game for the first player, as a job records it."""

    def __call__(self, run: Run) -> dict[str, Any]:
        return {"value": run.result().value}

    def check_stored_content(self, content: Any) -> None:
        decode_number(content["value"])


@dataclass(frozen=True)
class Call:
    """A job that calls a function with a number and its context."""

    function: Callable[[int, JobContext], Any]
    number: int
    bytes: int | None = None

    @property
    def label(self) -> str:
        return f"job {self.number}"

    key = ""
    problem = zerosum.problem("kuhn")

    def load_kernels(self) -> None: ...

    def check_stored_content(self, content: Any) -> None: ...

    def run(self, context: JobContext) -> Any:
        return self.function(self.number, context)


def calls(function: Callable[[int, JobContext], Any], numbers: Iterable[int], size: int | None = None) -> list[Call]:
    return [Call(function, number, size) for number in numbers]


def jobs(iterations: int = 40, names: tuple[str, ...] = NAMES, game: Any = "kuhn") -> list[SolveJob]:
    problem = zerosum.problem(game)
    return [
        SolveJob(name, problem, problem.resolve_algorithm(name), Limits(iterations=iterations), Value())
        for name in names
    ]


def values(
    jobs: list[SolveJob], workers: Workers | None = None, out: Path | None = None, runner: JobRunner | None = None
) -> dict[str, float]:
    runner = runner or JobRunner(workers, None if out is None else JobStore(out))
    values = {}
    for job, result in runner.run(jobs):
        assert isinstance(result, JobResult)
        values[job.label] = result.content["value"]
    return values


@settings(max_examples=15)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=8), st.integers(1, 4), st.integers(1, 10))
def test_never_more_at_once_than_fit(sizes: list[int], count: int, room: int) -> None:
    """A single job may exceed the memory: refusing it is left to the solve."""
    running: list[int] = []
    lock, seen = threading.Lock(), []

    def work(number: int, context: JobContext) -> int:
        with lock:
            running.append(sizes[number])
            seen.append((len(running), sum(running), context.threads))
        time.sleep(0.001)
        with lock:
            running.remove(sizes[number])
        return number

    runner = JobRunner(Workers(count=count, bytes=room))
    jobs = [Call(work, number, size) for number, size in enumerate(sizes)]
    assert sorted(result for _, result in runner.run(jobs)) == list(range(len(sizes)))
    for together, taken, threads in seen:
        assert together <= count
        assert taken <= room or together == 1
        assert 1 <= threads <= count


def test_jobs_that_ended_at_once_come_in_order() -> None:
    """The progress callback is so slow that the next job, which waits with the executor, ends too."""
    runner = JobRunner(Workers(count=1, progress=lambda progress: time.sleep(0.005)))
    jobs = calls(lambda number, context: number, range(40))
    assert [result for _, result in runner.run(jobs)] == list(range(40))


def test_few_jobs_have_more_threads() -> None:
    for numbers, size, expected in (([1], 0, 4), ([1, 2], 0, 2), (range(8), 0, 1), (range(8), 10, 4)):
        runner = JobRunner(Workers(count=4, bytes=15))
        assert next(runner.run(calls(lambda number, context: context.threads, numbers, size)))[1] == expected


def test_a_cluster_reports_its_cores() -> None:
    class Cluster(ThreadPoolExecutor):
        cores = 7

    with Cluster(2) as cluster:
        jobs = calls(lambda number, context: context.threads, range(3), 10**15)
        assert [result for _, result in JobRunner(Workers(cluster)).run(jobs)] == [2, 2, 2]


def test_a_sentence_is_a_result_and_a_bug_is_not() -> None:
    def work(number: int, context: JobContext) -> int:
        if number == 1:
            raise zerosum.ZerosumError("one is refused")
        return 6 // number

    results = {job.number: result for job, result in JobRunner(Workers(count=1)).run(calls(work, [3, 1, 2]))}
    assert (results[3], str(results[1]), results[2]) == (2, "one is refused", 3)
    with pytest.raises(ZeroDivisionError):
        list(JobRunner(Workers(count=1)).run(calls(work, [3, 0, 2])))


def test_progress() -> None:
    seen: list[TaskProgress] = []
    runner = JobRunner(Workers(count=2, progress=seen.append))
    runner.reused = 2
    assert len(list(runner.run(calls(lambda number, context: number, range(5))))) == 5
    assert (seen[-1].done, seen[-1].total, seen[-1].running, seen[-1].remaining) == (7, 7, (), 0.0)
    assert {label for progress in seen for label in progress.running} <= {f"job {number}" for number in range(5)}


def test_finished_jobs_survive_an_interrupt(tmp_path: Path) -> None:
    """Nothing new starts, running jobs are cut short and not stored, and the next call does the rest."""
    quick, slow = jobs(40), jobs(10**9, ("cfr",))
    runner = JobRunner(Workers(count=1), JobStore(tmp_path))
    ended = []
    for job, result in runner.run([*quick, *slow]):
        assert isinstance(result, JobResult)
        ended.append((job.label, result.stopped))
        if len(ended) == len(quick):
            threading.Timer(0.3, runner.stop).start()
    assert ended == [*((name, "iterations") for name in NAMES), ("cfr", "interrupted")]
    assert runner.interrupted
    assert len(list((tmp_path / "jobs").iterdir())) == len(quick)


def test_nothing_is_solved_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    advance = Run.advance
    monkeypatch.setattr(Run, "advance", lambda run: begun.append(run.algorithm.name) or advance(run))
    first = values(jobs(names=NAMES[:2]), out=tmp_path)
    again = JobRunner(store=JobStore(tmp_path))
    assert values(jobs(), runner=again) == values(jobs())
    assert (again.reused, again.computed, sorted(begun)) == (2, 2, sorted([*NAMES, *NAMES]))
    assert first.items() <= values(jobs(), out=tmp_path).items()
    longer = JobRunner(store=JobStore(tmp_path))
    values(jobs(41), runner=longer)
    assert longer.reused == 0


def test_a_damaged_file_is_solved_again(tmp_path: Path) -> None:
    expected = values(jobs(), out=tmp_path)
    files = sorted((tmp_path / "jobs").iterdir())
    files[0].write_bytes(files[0].read_bytes()[:50])
    files[1].write_text("[]")
    files[2].write_text(json.dumps({**json.loads(files[2].read_text()), "key": "another"}))
    again = JobRunner(store=JobStore(tmp_path))
    assert values(jobs(), runner=again) == expected
    assert again.reused == 1


def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    store = JobStore(tmp_path / "store")
    with pytest.raises(zerosum.ZerosumError, match="another process is writing"):
        JobStore(tmp_path / "store")
    store.close()
    JobStore(tmp_path / "store").close()
    JobStore(tmp_path / "store", exclusive=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(zerosum.ZerosumError, match="cannot write"):
        JobStore(tmp_path / "file")


def test_any_executor_gives_the_same_digits() -> None:
    expected = values(jobs())
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(1) as processes:
        for executor in (threads, processes):
            assert values(jobs(), Workers(executor)) == expected
            assert executor.submit(int).result() == 0  # it stays open
    assert values(jobs(), Workers(processes=True, count=2)) == expected


def test_problems_are_sent_without_their_built_games() -> None:
    for game in ("leduc", "spot:river", zerosum.game("kuhn")):
        problem = zerosum.problem(game)
        sizes = problem.sizes
        sent = pickle.dumps(problem)
        assert len(sent) < 100_000
        assert pickle.loads(sent).sizes == sizes


def test_jobs_that_cannot_be_sent_or_stored_are_refused(tmp_path: Path) -> None:
    compiled = jobs(names=("cfr",), game=zerosum.compile_game(zerosum.game("kuhn")))
    with pytest.raises(zerosum.ZerosumError, match="cannot be sent to another process"):
        list(JobRunner(Workers(processes=True, count=1)).run(compiled))
    with pytest.raises(zerosum.ZerosumError, match="passed as an object"):
        list(JobRunner(store=JobStore(tmp_path)).run(compiled))
    with pytest.raises(zerosum.ZerosumError, match="method submit"):
        Workers(executor=3)  # type: ignore[arg-type]
    with pytest.raises(zerosum.ZerosumError, match="at least 1"):
        Workers(count=0)


def test_a_curve_is_recorded_whole() -> None:
    problem = zerosum.problem("kuhn")
    job = SolveJob("cfr+", problem, problem.resolve_algorithm("cfr+"), Limits(iterations=50), CurveMeasurement())
    ((_, result),) = JobRunner().run([job])
    assert isinstance(result, JobResult)
    points = CurveMeasurement.points(json.loads(json.dumps(result.content)))
    expected = zerosum.solve("kuhn", "cfr+", iterations=50).curve
    assert [(point.iteration, point.exploitability) for point in points] == [
        (point.iteration, point.exploitability) for point in expected
    ]
