"""Run the jobs of figures: on all cores, from what is kept where it is, told as they go, and stopped by Ctrl-C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rue.errors import RueError
from rue.papers.figure import LIBRATUS
from rue.papers.jobs import Job, Solvable, Tell, compute
from rue.papers.kept import CurveStore, curve_code
from rue.papers.one_street import KINDS, OneStreet
from rue.papers.traces import Trace
from rue.problems.find import problem
from rue.records import dataclass
from rue.runs.many import Going, Many, Standing, Workers
from rue.runs.run import StoppedError


class Watch(Protocol):
    """Who is told how the work goes."""

    def started(self, job: Job) -> None:
        """A run starts."""

    def going(self, job: Job, share: float, height: float) -> None:
        """A run has done a share of its way; the height of its curve."""

    def done(self, job: Job, left: int) -> None:
        """A run is over, so many are left."""

    def standing(self, at: Standing) -> None:
        """How far all of them are, instead of the above, where they run in other processes or on other machines."""


@dataclass(frozen=True)
class Done:
    """A finished job: its curve, or why there is none."""

    job: Job
    trace: Trace | None
    error: RueError | None = None


@dataclass(frozen=True)
class Piece:
    """A job with all that computing it needs, as data that can be sent to another machine."""

    job: Job
    problem: Solvable
    waiting: Path | None
    """Where a run that is stopped waits: on this machine alone."""

    def __str__(self) -> str:
        return f"{self.job.algorithm} on {self.job.game}"

    @property
    def bytes(self) -> int | None:
        """The memory that it takes, where that is known before."""
        return self.problem.expected_bytes(self.problem.algorithm(self.job.algorithm))


def curve(piece: Piece, going: Going, tell: Tell = lambda share, height: None) -> Trace | None:
    """The curve of a job; None if it was stopped before its end."""
    try:
        return compute(piece.job, piece.problem, going.threads, going.stop, tell, piece.waiting)
    except StoppedError:
        return None


@dataclass(frozen=True)
class _Watched:
    """The same, and somebody of this process is told how far it is."""

    watch: Watch

    def __call__(self, piece: Piece, going: Going) -> Trace | None:
        self.watch.started(piece.job)
        return curve(piece, going, lambda share, height: self.watch.going(piece.job, share, height))


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
        run, of any kind; threads of our own by default."""
        self.data = data
        self.store = store or CurveStore()
        self.where = Workers(executor, threads)
        self._problems: dict[str, Solvable] = {}
        self._fingerprints: dict[str, str] = {}
        self.computed = 0
        self._stopped = False
        self._many: Many[Piece, Trace | None] | None = None

    def stop(self) -> None:
        """Stop what runs, from any thread: `run` raises KeyboardInterrupt, and goes on from there the next time."""
        self._stopped = True
        if self._many is not None:
            self._many.stop()

    def problem(self, game: str) -> Solvable:
        """The problem of a game, made once."""
        if game not in self._problems:
            folder = self.data if game.startswith(LIBRATUS) else None
            self._problems[game] = OneStreet(game) if game.startswith(KINDS) else problem(game, folder=folder)
        return self._problems[game]

    def key(self, job: Job) -> str:
        """What a job is kept under."""
        if job.game not in self._fingerprints:
            self._fingerprints[job.game] = self.problem(job.game).fingerprint
        return job.key(self._fingerprints[job.game], curve_code())

    def run(self, jobs: Sequence[Job], watch: Watch | None = None) -> Iterator[Done]:
        """Every job once, in the order in which they are done: kept ones first. Ctrl-C raises KeyboardInterrupt."""
        waiting: list[Job] = []
        for job in dict.fromkeys(jobs):
            if self._stopped:
                raise KeyboardInterrupt
            found = self.store.load(self.key(job))
            if found is None:
                waiting.append(job)
            else:
                yield Done(job, found)
        if waiting:
            self.store.check()
            yield from self._compute(waiting, watch)

    def _compute(self, jobs: list[Job], watch: Watch | None) -> Iterator[Done]:
        left = Counter(job.game for job in jobs)
        pieces = [self._piece(job) for job in jobs]
        work: Callable[[Piece, Going], Trace | None] = curve
        where = self.where
        if watch is not None:
            if where.elsewhere:
                where = replace(where, progress=watch.standing)
            else:
                work = _Watched(watch)
        many = self._many = Many(work, where, lambda piece: piece.bytes, str)
        if self._stopped:
            many.stop()
        for piece, found in many.run(pieces):
            job = piece.job
            if isinstance(found, Trace):
                self.store.store(self.key(job), found)
                self.computed += 1
            left[job.game] -= 1
            if not left[job.game]:
                self.problem(job.game).let_go()
            if many.interrupted:
                continue
            if watch is not None and not where.elsewhere:
                watch.done(job, sum(left.values()))
            yield Done(job, None, found) if isinstance(found, RueError) else Done(job, found)
        if many.interrupted:
            raise KeyboardInterrupt

    def _piece(self, job: Job) -> Piece:
        waiting = None if self.where.elsewhere else self.store.waiting(self.key(job))
        return Piece(job, self.problem(job.game), waiting)
