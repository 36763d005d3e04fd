"""Run the jobs of figures: on all cores, from what is kept where it is, told as they go, and stopped by Ctrl-C."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

import numba

from rue.errors import RueError
from rue.papers.jobs import Job, Prepared, StoppedError, compute
from rue.papers.kept import Kept, curve_code
from rue.papers.traces import Trace
from rue.solvers.iterate import interruptible


class Watch(Protocol):
    """Who is told how the work goes."""

    def started(self, job: Job) -> None:
        """A run starts."""

    def going(self, job: Job, share: float, height: float) -> None:
        """A run has done a share of its way; the height of its curve."""

    def done(self, job: Job, left: int) -> None:
        """A run is over, so many are left."""


@dataclass(frozen=True)
class Done:
    """A finished job: its curve, or why there is none."""

    job: Job
    trace: Trace | None
    error: RueError | None = None


class Work:
    """Jobs on their way to curves."""

    def __init__(self, data: str | None = None, threads: int | None = None, kept: Kept | None = None) -> None:
        """`data` is the folder of the Libratus endgames; threads, all cores by default."""
        self.data = data
        self.cores = threads or int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
        self.kept = kept or Kept()
        self._games: dict[str, Prepared] = {}
        self.computed = 0

    def game(self, name: str) -> Prepared:
        """A game, made once."""
        if name not in self._games:
            self._games[name] = Prepared(name, self.data)
        return self._games[name]

    def key(self, job: Job) -> str:
        """What a job is kept under."""
        return job.key(self.game(job.game).data, curve_code())

    def run(self, jobs: Sequence[Job], watch: Watch | None = None) -> Iterator[Done]:
        """Every job once, in the order in which they are done: kept ones first. Ctrl-C raises KeyboardInterrupt."""
        waiting: list[Job] = []
        for job in dict.fromkeys(jobs):
            found = self.kept.load(self.key(job))
            if found is None:
                waiting.append(job)
            else:
                yield Done(job, found)
        if waiting:
            yield from self._compute(waiting, watch)

    def _compute(self, jobs: list[Job], watch: Watch | None) -> Iterator[Done]:
        left = Counter(job.game for job in jobs)
        each = max(1, self.cores // len(jobs))
        with interruptible() as stop, ThreadPoolExecutor(min(self.cores, len(jobs))) as pool:

            def work(job: Job) -> Done:
                return self._one(job, each, stop, watch)

            futures: set[Future[Done]] = {pool.submit(work, job) for job in jobs}
            try:
                while futures:
                    finished, futures = wait(futures, timeout=0.2, return_when=FIRST_COMPLETED)
                    if stop.is_set():
                        raise KeyboardInterrupt
                    for future in finished:
                        done = future.result()
                        left[done.job.game] -= 1
                        if not left[done.job.game]:
                            self._games[done.job.game].let_go()
                        if watch is not None:
                            watch.done(done.job, sum(left.values()))
                        yield done
            finally:
                stop.set()
                for future in futures:
                    future.cancel()

    def _one(self, job: Job, threads: int, stop: threading.Event, watch: Watch | None) -> Done:
        tell: Callable[[float, float], None] = lambda share, height: None  # noqa: E731
        if watch is not None:
            watch.started(job)
            tell = lambda share, height: watch.going(job, share, height)  # noqa: E731
        try:
            found = compute(job, self.game(job.game), threads, stop, tell, self.kept.waiting(self.key(job)))
        except StoppedError:
            return Done(job, None)
        except RueError as error:
            return Done(job, None, error)
        self.kept.store(self.key(job), found)
        self.computed += 1
        return Done(job, found)
