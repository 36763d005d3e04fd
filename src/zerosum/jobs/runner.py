"""Run jobs on workers, as many at once as fit in memory, except those whose results are stored."""

from __future__ import annotations

import math
import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, TypeVar

from zerosum.jobs.job import Job, JobContext, JobResult, StopFlag
from zerosum.jobs.store import JobStore
from zerosum.jobs.workers import MAIN_GUARD, Workers
from zerosum.runs.progress import TaskProgress
from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import code_version
from zerosum.support.system import stop_on_interrupt

POLL_SECONDS = 0.2
"""Seconds between two checks of the jobs that are running."""

AnyJob = TypeVar("AnyJob", bound=Job)
Running = dict[Future[JobResult | None], tuple[AnyJob, int]]
"""The jobs that were sent to the executor, with their bytes."""


class JobRunner:
    """Runs jobs in their order: each starts when a worker and the memory that it takes are free.

    Each result is stored as soon as it is there; stored results are not computed again. If fewer jobs remain than there
    are cores, or fewer fit in memory, each gets several threads. Jobs may share a problem: in this process its form is
    built once, and freed after the last of them. Ctrl-C starts no more jobs and asks the running ones to stop; their
    results are passed on all the same, and `interrupted` is set.

    job_report: called with a job of this process, the share of it that is done and its last measurement, from any
    thread.
    """

    def __init__(
        self,
        workers: Workers | None = None,
        store: JobStore | None = None,
        job_report: Callable[[Job, float, float], None] | None = None,
    ) -> None:
        self.workers, self.store, self.job_report = workers or Workers(), store, job_report
        self.reused = 0
        """Results that were in the store."""
        self.from_other_code = 0
        """How many of these were computed by other sources than the present ones."""
        self.computed = 0
        """Complete results that were computed."""
        self.interrupted = False
        """Whether Ctrl-C or `stop` ended it."""
        self._stop = self.workers.stop or StopFlag()

    def stop(self) -> None:
        """Start no more jobs and ask the running ones to stop; from any thread, also before `run`."""
        self.interrupted = True
        self._stop.set()

    def run(self, jobs: Sequence[AnyJob]) -> Iterator[tuple[AnyJob, JobResult | ZerosumError]]:
        """Yield every job with its result, or with the error it failed with; stored results come first.

        Jobs that are found to have ended together come in their order. After Ctrl-C, interrupted jobs come with what
        they had reached, which is not stored.
        """
        executor: Executor | None = None
        waiting: list[AnyJob] = []
        with ExitStack() as cleanup:
            if self.store is not None:
                cleanup.callback(self.store.close)
            for job in jobs:
                result = None if self.store is None else self.store.load(job)
                if result is not None:
                    self.reused += 1
                    self.from_other_code += result.code != code_version()
                    yield job, result
                    continue
                if executor is None and self.workers.processes and self.workers.executor is None:
                    executor = cleanup.enter_context(self.workers.open_executor(len(jobs)))
                    self._start_processes(executor, job, len(jobs))
                waiting.append(job)
            if waiting and self.store is not None:
                self.store.check_writable()
            if waiting and self.workers.processes:  # compiled once, not once per process
                waiting[0].load_kernels()
            cleanup.callback(self._stop.clear)
            cleanup.enter_context(stop_on_interrupt(self.stop))
            if executor is None:
                executor = cleanup.enter_context(self.workers.open_executor(len(waiting)))
            remaining = Counter(id(job.problem) for job in waiting)
            for job, outcome in cleanup.enter_context(closing(self._compute_jobs(executor, waiting))):
                remaining[id(job.problem)] -= 1
                if not remaining[id(job.problem)]:
                    job.problem.release_form()
                if isinstance(outcome, JobResult) and outcome.is_complete:
                    self.computed += 1
                    if self.store is not None:
                        self.store.save(job, outcome)
                if outcome is not None:
                    yield job, outcome

    def _start_processes(self, executor: Executor, job: Job, count: int) -> None:
        """Start processes for a number of jobs like the given one, while this process prepares."""
        fitting = int(self.workers.memory // max(1, self._count_job_bytes(job)))
        for _ in range(max(1, min(self.workers.parallelism, count, fitting))):
            executor.submit(id, job)  # unpickling the job loads most of the package

    def _compute_jobs(
        self, executor: Executor, jobs: list[AnyJob]
    ) -> Generator[tuple[AnyJob, JobResult | ZerosumError | None], None, None]:
        waiting = deque(jobs)
        running: Running[AnyJob] = {}
        finished: deque[tuple[AnyJob, Future[JobResult | None]]] = deque()
        done, start = 0, time.perf_counter()
        self._report_progress(running, done, len(jobs), start)
        try:
            while waiting or running or finished:
                self.interrupted = self.interrupted or self._stop.is_set()
                self._submit_jobs(executor, waiting, running)
                self._report_progress(running, done, len(jobs), start)
                while finished:  # the next jobs have started: storing these delays none of them
                    yield finished[0][0], self._get_job_outcome(*finished.popleft())
                ended, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                if self.interrupted:
                    waiting.clear()
                    for future in running:
                        future.cancel()
                for future in [future for future in running if future in ended]:  # a set has no order
                    job, _ = running.pop(future)
                    done += 1
                    if not future.cancelled():
                        finished.append((job, future))
        except BrokenExecutor:
            raise ZerosumError(
                "a worker process died: it was killed, ran out of memory, or its script has no guard and must call "
                f"zerosum {MAIN_GUARD}; finished results are saved"
            ) from None
        finally:
            if running:
                self._stop.set()
                wait([future for future in running if not future.cancel()])

    def _submit_jobs(self, executor: Executor, waiting: deque[AnyJob], running: Running[AnyJob]) -> None:
        """Start the next jobs that fit on the workers and in memory; always one if nothing is running."""
        workers, memory = self.workers, self.workers.memory
        while waiting and not self.interrupted and len(running) < workers.parallelism + workers.prefetch:
            size = self._count_job_bytes(waiting[0])
            if running and size + sum(taken for _, taken in running.values()) > memory:
                break
            job = waiting.popleft()
            fitting = workers.parallelism if memory == math.inf else max(1, int(memory // max(1, size)))
            parallel = min(workers.parallelism, len(waiting) + len(running) + 1, fitting)
            threads = workers.threads or min(workers.most_threads, max(1, workers.parallelism // parallel))
            context = JobContext(threads, self._stop)
            if not workers.leaves_process:
                checkpoint = None if self.store is None else self.store.checkpoint_path(job)
                report = None if self.job_report is None else partial(self.job_report, job)
                context = JobContext(threads, self._stop, checkpoint, report)
            running[executor.submit(run_job, job, context)] = job, size

    def _count_job_bytes(self, job: Job) -> int:
        """Return the bytes that a job takes, with its worker."""
        return (job.bytes or 0) + self.workers.worker_bytes

    def _get_job_outcome(self, job: Job, future: Future[JobResult | None]) -> JobResult | ZerosumError | None:
        """Return what a job left, or its error if that is a `ZerosumError`; raise others."""
        error = future.exception()
        if error is not None and self.workers.leaves_process and str(_find_pickling_error(job)) == str(error):
            raise ZerosumError(
                f"this cannot be sent to another process ({error}): name games and algorithms, or use threads"
            )
        return error if isinstance(error, ZerosumError) else future.result()

    def _report_progress(self, running: Running[Any], done: int, total: int, start: float) -> None:
        """Report how many jobs are done, which are running, and the time that they took and still need."""
        if self.workers.progress is None:
            return
        labels = (_label_with_machine(job.label, future) for future, (job, _) in running.items())
        seconds = time.perf_counter() - start
        remaining = seconds * (total - done) / done if done else None
        counts = self.reused + done, self.reused + total
        self.workers.progress(TaskProgress(*counts, tuple(filter(None, labels)), seconds, remaining))


def run_job(job: Job, context: JobContext) -> JobResult | None:
    """Run a job: the function that is sent to workers."""
    return job.run(context)


def _label_with_machine(label: str, future: Future[Any]) -> str:
    """Return the label of a job with its machine, where the executor knows it; "" if the job has not started."""
    machine: str | None = getattr(future, "machine", "" if future.running() or future.done() else None)
    return "" if machine is None else f"{label} on {machine}" if machine else label


def _find_pickling_error(job: Job) -> Exception | None:
    """Return why a job cannot be sent to another process: the type of the error depends on the version of Python."""
    try:
        pickle.dumps(job)
    except Exception as error:
        return error
    return None
