"""Run jobs, except those whose results are stored, and store what they leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from zerosum.jobs.job import Job, JobResult
from zerosum.jobs.pool import JobPool
from zerosum.jobs.store import JobStore
from zerosum.jobs.workers import Workers
from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import code_version

AnyJob = TypeVar("AnyJob", bound=Job)


class JobRunner:
    """Runs jobs on workers and stores each result as soon as it is there; stored results are not computed again.

    Jobs may share a problem: in this process its form is built once, and freed after the last of them.
    job_report: called with a job, the share of it that is done and its last measurement, from any thread.
    """

    def __init__(
        self,
        workers: Workers | None = None,
        store: JobStore | None = None,
        job_report: Callable[[Job, float, float], None] | None = None,
    ) -> None:
        self.workers, self.store = workers or Workers(), store
        self.reused = 0
        """Results that were in the store."""
        self.from_other_code = 0
        """How many of these were computed by other sources than the present ones."""
        self.computed = 0
        """Complete results that were computed."""
        self._pool = JobPool(self.workers, None if store is None else store.checkpoint, job_report)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C or `stop` ended it."""
        return self._pool.interrupted

    def stop(self) -> None:
        """Start no more jobs and end the running ones; from any thread, also before `run`."""
        self._pool.stop()

    def run(self, jobs: Sequence[AnyJob]) -> Iterator[tuple[AnyJob, JobResult | ZerosumError]]:
        """Yield every job with its result, or with the error it failed with; stored results come first.

        After Ctrl-C this includes what interrupted jobs had reached, which is not stored.
        """
        try:
            waiting: list[AnyJob] = []
            for job in jobs:
                result = None if self.store is None else self.store.load(job)
                if result is None:
                    if not waiting and self.workers.processes:
                        self._pool.start_processes(job, len(jobs))
                    waiting.append(job)
                    continue
                self.reused += 1
                self.from_other_code += result.code != code_version()
                yield job, result
            yield from self._compute(waiting)
        finally:
            self._pool.close()
            if self.store is not None:
                self.store.close()

    def _compute(self, jobs: list[AnyJob]) -> Iterator[tuple[AnyJob, JobResult | ZerosumError]]:
        if jobs and self.store is not None:
            self.store.check_writable()
        if jobs and self.workers.processes:  # compiled once, not once per process
            jobs[0].load()
        remaining = Counter(id(job.problem) for job in jobs)
        for job, result in self._pool.run(jobs, done=self.reused):
            remaining[id(job.problem)] -= 1
            if not remaining[id(job.problem)]:
                job.problem.release_form()
            if isinstance(result, JobResult) and result.complete:
                self.computed += 1
                if self.store is not None:
                    self.store.save(job, result)
            if result is not None:
                yield job, result
