"""Run the jobs of figures: on all cores, from what is kept where it is, told as they go, and stopped by Ctrl-C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

from rue.errors import RueError
from rue.papers.figure import LIBRATUS
from rue.papers.jobs import Job, Solvable, compute
from rue.papers.kept import CurveStore, curve_code
from rue.papers.one_street import KINDS, OneStreet
from rue.papers.traces import Trace
from rue.problems.find import problem
from rue.runs.many import Going, Many, Workers
from rue.runs.run import StoppedError


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

    def __init__(
        self,
        data: str | None = None,
        threads: int | None = None,
        store: CurveStore | None = None,
        executor: Executor | None = None,
    ) -> None:
        """`data` is the folder of the Libratus endgames; threads, all cores by default; `executor` is where the jobs
        run, of threads, our own by default."""
        self.data = data
        self.store = store or CurveStore()
        self.where = Workers(executor, threads)
        self._problems: dict[str, Solvable] = {}
        self.computed = 0

    def problem(self, game: str) -> Solvable:
        """The problem of a game, made once."""
        if game not in self._problems:
            folder = self.data if game.startswith(LIBRATUS) else None
            self._problems[game] = OneStreet(game) if game.startswith(KINDS) else problem(game, folder=folder)
        return self._problems[game]

    def key(self, job: Job) -> str:
        """What a job is kept under."""
        return job.key(self.problem(job.game).fingerprint, curve_code())

    def run(self, jobs: Sequence[Job], watch: Watch | None = None) -> Iterator[Done]:
        """Every job once, in the order in which they are done: kept ones first. Ctrl-C raises KeyboardInterrupt."""
        waiting: list[Job] = []
        for job in dict.fromkeys(jobs):
            found = self.store.load(self.key(job))
            if found is None:
                waiting.append(job)
            else:
                yield Done(job, found)
        if waiting:
            yield from self._compute(waiting, watch)

    def _compute(self, jobs: list[Job], watch: Watch | None) -> Iterator[Done]:
        left = Counter(job.game for job in jobs)
        many: Many[Job, Done] = Many(lambda job, going: self._one(job, going, watch), self.where)
        for job, found in many.run(jobs):
            if many.interrupted:
                raise KeyboardInterrupt
            done = Done(job, None, found) if isinstance(found, RueError) else found
            left[job.game] -= 1
            if not left[job.game]:
                self.problem(job.game).let_go()
            if watch is not None:
                watch.done(job, sum(left.values()))
            yield done
        if many.interrupted:
            raise KeyboardInterrupt

    def _one(self, job: Job, going: Going, watch: Watch | None) -> Done:
        tell: Callable[[float, float], None] = lambda share, height: None  # noqa: E731
        if watch is not None:
            watch.started(job)
            tell = lambda share, height: watch.going(job, share, height)  # noqa: E731
        try:
            waiting = self.store.waiting(self.key(job))
            found = compute(job, self.problem(job.game), going.threads, going.stop, tell, waiting)
        except StoppedError:
            return Done(job, None)
        self.store.store(self.key(job), found)
        self.computed += 1
        return Done(job, found)
