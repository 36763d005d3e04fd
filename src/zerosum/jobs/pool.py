"""Run jobs on workers, as many at once as fit in memory, and pass on their results as they finish."""

from __future__ import annotations

import math
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from zerosum.jobs.job import Job, JobContext, JobResult, run_job
from zerosum.jobs.stop_flag import StopFlag
from zerosum.jobs.task_progress import TaskProgress
from zerosum.jobs.workers import MAIN_GUARD, Workers
from zerosum.support.errors import ZerosumError
from zerosum.support.signals import stop_on_interrupt

POLL_SECONDS = 0.2
"""Seconds between two checks of the jobs that are running."""

AnyJob = TypeVar("AnyJob", bound=Job)
Running = dict[Future[JobResult | None], tuple[AnyJob, int]]
"""The jobs that were sent to the executor, with their bytes."""


class JobPool:
    """Runs jobs on workers, in their order: each starts when a worker and the memory that it takes are free.

    If fewer jobs remain than there are cores, or fewer fit in memory, each gets several threads. Ctrl-C starts no more
    jobs and asks the running ones to stop; their results are passed on all the same, and `interrupted` is set.

    checkpoint_of: returns the file in which a job saves its state when it is stopped.
    job_report: called with a job, the share of it that is done and its last measurement, from any thread. Both serve
    jobs in this process only.
    """

    def __init__(
        self,
        workers: Workers | None = None,
        checkpoint_of: Callable[[Job], Path] | None = None,
        job_report: Callable[[Job, float, float], None] | None = None,
    ) -> None:
        self.workers = workers or Workers()
        self.checkpoint_of, self.job_report = checkpoint_of, job_report
        self.interrupted = False
        self._stop = self.workers.stop or StopFlag()
        self._executor: AbstractContextManager[Executor] | None = None

    def start_processes(self, job: Job, count: int) -> None:
        """Start processes for a number of jobs like the given one, while this process prepares; then `run` or
        `close`."""
        self._executor = executor = self.workers.open_executor(count)
        if isinstance(executor, Executor):
            fitting = int(self.workers.memory // max(1, self._bytes(job)))
            for _ in range(max(1, min(self.workers.parallelism, count, fitting))):
                executor.submit(id, job)  # unpickling the job loads most of the package

    def close(self) -> None:
        """End processes that were started and not used."""
        if self._executor is not None:
            with self._executor:
                self._executor = None

    def stop(self) -> None:
        """Start no more jobs and ask the running ones to stop; from any thread."""
        self.interrupted = True
        self._stop.set()

    def run(self, jobs: Iterable[AnyJob], done: int = 0) -> Iterator[tuple[AnyJob, JobResult | ZerosumError | None]]:
        """Yield each job with its result or its error as it ends; those found to have ended together in their order.

        `done` is how many jobs were done before these; progress counts them.
        """
        waiting = deque(jobs)
        running: Running[AnyJob] = {}
        finished: deque[tuple[AnyJob, Future[JobResult | None]]] = deque()
        timer = _Timer(done, len(waiting))
        self._report(timer, running)
        try:
            with stop_on_interrupt(self.stop), self._open(len(waiting)) as executor:
                try:
                    while waiting or running or finished:
                        self.interrupted = self.interrupted or self._stop.is_set()
                        self._submit(executor, waiting, running)
                        self._report(timer, running)
                        while finished:  # the next jobs have started: storing these delays none of them
                            yield finished[0][0], self._outcome(*finished.popleft())
                        ended, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                        if self.interrupted:
                            waiting.clear()
                            for future in running:
                                future.cancel()
                        for future in [future for future in running if future in ended]:  # a set has no order
                            job, _ = running.pop(future)
                            timer.done += 1
                            if not future.cancelled():
                                finished.append((job, future))
                finally:
                    if running:
                        self._stop.set()
                        wait([future for future in running if not future.cancel()])
        except BrokenExecutor:
            raise ZerosumError(
                "a worker process died: it was killed, ran out of memory, or its script has no guard and must call "
                f"zerosum {MAIN_GUARD}; finished results are saved"
            ) from None
        finally:
            self._stop.clear()

    def _open(self, jobs: int) -> AbstractContextManager[Executor]:
        started, self._executor = self._executor, None
        return started or self.workers.open_executor(jobs)

    def _submit(self, executor: Executor, waiting: deque[AnyJob], running: Running[AnyJob]) -> None:
        """Start the next jobs that fit on the workers and in memory; always one if nothing is running."""
        workers, memory = self.workers, self.workers.memory
        while waiting and not self.interrupted and len(running) < workers.parallelism + workers.prefetch:
            size = self._bytes(waiting[0])
            if running and size + sum(taken for _, taken in running.values()) > memory:
                break
            job = waiting.popleft()
            fitting = workers.parallelism if memory == math.inf else max(1, int(memory // max(1, size)))
            parallel = min(workers.parallelism, len(waiting) + len(running) + 1, fitting)
            threads = workers.threads or min(workers.most_threads, max(1, workers.parallelism // parallel))
            running[executor.submit(run_job, job, self._context(job, threads))] = job, size

    def _context(self, job: Job, threads: int) -> JobContext:
        if self.workers.leaves_process:
            return JobContext(threads, self._stop)
        checkpoint = None if self.checkpoint_of is None else self.checkpoint_of(job)
        report = None if self.job_report is None else partial(self.job_report, job)
        return JobContext(threads, self._stop, checkpoint, report)

    def _bytes(self, job: Job) -> int:
        """Return the bytes that a job takes, with its worker."""
        return (job.bytes or 0) + self.workers.worker_bytes

    def _outcome(self, job: Job, future: Future[JobResult | None]) -> JobResult | ZerosumError | None:
        """Return what a job left, or its error if that is a `ZerosumError`; raise others."""
        error = future.exception()
        if error is not None and self.workers.leaves_process and str(_pickling_error(job)) == str(error):
            raise ZerosumError(
                f"this cannot be sent to another process ({error}): name games and algorithms, or use threads"
            )
        return error if isinstance(error, ZerosumError) else future.result()

    def _report(self, timer: _Timer, running: Running[Any]) -> None:
        if self.workers.progress is not None:
            labels = (_label_with_machine(job.label, future) for future, (job, _) in running.items())
            self.workers.progress(timer.progress(tuple(filter(None, labels))))


def _label_with_machine(label: str, future: Future[Any]) -> str:
    """Return the label of a job with its machine, where the executor knows it; "" if the job has not started."""
    machine: str | None = getattr(future, "machine", "" if future.running() or future.done() else None)
    return "" if machine is None else f"{label} on {machine}" if machine else label


def _pickling_error(job: Job) -> Exception | None:
    """Return why a job cannot be sent to another process: the type of the error depends on the version of Python."""
    try:
        pickle.dumps(job)
    except Exception as error:
        return error
    return None


class _Timer:
    """Counts the finished jobs and estimates when the others will be finished."""

    def __init__(self, done_before: int, count: int) -> None:
        self.done_before, self.count, self.done = done_before, count, 0
        self._started = time.perf_counter()

    def progress(self, running: tuple[str, ...]) -> TaskProgress:
        """Return how many jobs are finished, which are running, and the time they took and still need."""
        seconds = time.perf_counter() - self._started
        remaining = None if not self.done else seconds * (self.count - self.done) / self.done
        return TaskProgress(self.done_before + self.done, self.done_before + self.count, running, seconds, remaining)
