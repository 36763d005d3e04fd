"""Many solves: a list of jobs as data, and a folder of what they left that is never solved twice."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any, Protocol

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.recipe import has_own_function, to_data
from rue.checked import as_path
from rue.disk import DAMAGE, from_json, read_at_most, write_atomically
from rue.errors import RueError
from rue.machine import largest_text
from rue.once import cached_property
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.provenance import provenance
from rue.records import dataclass
from rue.results.points import Point, check_curve, check_number
from rue.runs.home import check_folder
from rue.runs.many import Going, Many, Workers
from rue.runs.progress import Listener
from rue.runs.run import Run, StoppedError
from rue.solvers.limits import Limits
from rue.sources import code_version

FORMAT, FORMAT_VERSION = "rue-job", 1


class Told(Protocol):
    """What is to be known of a run that is over: asked where it was run, it returns what JSON can hold.

    Its text (`repr`) says what it asks for: a job that was solved and told something else is solved again.
    """

    def __call__(self, run: Run) -> dict[str, Any]:
        """What is told of a run."""

    def check(self, told: Mapping[str, Any]) -> None:
        """Raise an error that damage makes if a file says what is never told."""


@dataclass(frozen=True)
class Curve:
    """The points of the curve."""

    def __call__(self, run: Run) -> dict[str, Any]:
        """A row a point."""
        return {"curve": [list(asdict(point).values()) for point in run.curve]}

    def check(self, told: Mapping[str, Any]) -> None:
        """Refuse what is no curve."""
        if not check_curve(self.read(told)):
            raise ValueError("it has no points")

    @staticmethod
    def read(told: Mapping[str, Any]) -> list[Point]:
        """The points that were told."""
        return [Point(*row) for row in told["curve"]]


@dataclass(frozen=True)
class Job:
    """One solve of many, as data that can be sent to another process: what, how, how long, and what is told of it."""

    label: str
    problem: Problem
    algorithm: Algorithm
    limits: Limits
    told: Told
    start: Start = field(default_factory=Start)

    @cached_property
    def key(self) -> str:
        """What it is kept under: a hash of everything its numbers depend on but the code."""
        about = self.problem.data()
        if "game" in about and about["game"] is None:
            raise RueError(
                f"{self.problem.name} was given as an object, so its solves cannot be kept: name it, or keep nothing"
            )
        limits = {name: value for name, value in asdict(self.limits).items() if name != "threads"}
        seeds = self.start.seed, self.start.start_seed
        parts = [about, to_data(self.algorithm), limits, seeds, repr(self.told)]
        return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=12).hexdigest()

    @cached_property
    def bytes(self) -> int | None:
        """The memory that it takes, where that is known before."""
        return self.problem.expected_bytes(self.algorithm)


@dataclass(frozen=True)
class Solved:
    """What a job left: what was told of its result, and how its run went."""

    told: Mapping[str, Any]
    stopped: str
    seconds: float
    """All in all, building included."""
    code: str
    """The version of the sources that solved it."""
    where: Mapping[str, Any]
    """The code, the machine and the time."""


def solve(job: Job, going: Going) -> Solved | None:
    """Solve a job; None if it was stopped before there was anything to tell."""
    began = time.perf_counter()

    def look(*_: object) -> None:
        if going.stop.is_set():
            run.stop()

    limits = replace(job.limits, threads=going.threads)
    run = Run(job.problem, job.algorithm, limits, job.start, listener=Listener(look, look))
    try:
        run.prepare()
        run.advance()
    except StoppedError:
        return None
    if not run.iteration and run.stopped == "interrupted":
        return None
    told = job.told(run)
    run.let_go()
    return Solved(told, run.stopped or "interrupted", time.perf_counter() - began, code_version(), provenance())


class Folder:
    """A folder of finished jobs, a JSON file each; one process writes to it at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = as_path(path)
        check_folder(self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise RueError(f"another process is writing to {self.path}: wait for it, or end it first") from None
        except OSError as error:
            raise RueError(f"cannot write to {self.path}: {error.strerror or error}") from None

    def _file(self, job: Job) -> Path:
        name = re.sub(r"[^A-Za-z0-9.+-]+", "-", job.label).strip("-")[:60]
        return self.path / "solved" / f"{name}.{job.key}.json"

    def load(self, job: Job) -> Solved | None:
        """What a job left, if it is there and whole."""
        try:
            content = from_json(read_at_most(self._file(job), largest_text()), self._file(job))
            if content["format"] != FORMAT or content["version"] != FORMAT_VERSION or content["key"] != job.key:
                return None
            job.told.check(content["told"])
            check_number(content["seconds"])
            return Solved(**{name: content[name] for name in Solved.__dataclass_fields__})
        except DAMAGE:
            return None

    def store(self, job: Job, solved: Solved) -> None:
        """Keep what a job left."""
        content = {"format": FORMAT, "version": FORMAT_VERSION, "key": job.key, "label": job.label}
        content |= asdict(solved)
        file = self._file(job)
        file.parent.mkdir(exist_ok=True)
        write_atomically(file, json.dumps(content, allow_nan=False).encode())

    def close(self) -> None:
        """Let others write to it."""
        os.close(self._lock)


class Jobs:
    """Jobs on their way: what the folder has is not solved again, what is solved is kept there at once.

    Jobs may share a problem: in one process its form is built once, and freed after the last of them.
    """

    def __init__(self, jobs: Iterable[Job], where: Workers | None = None, out: str | Path | None = None) -> None:
        self.jobs: Sequence[Job] = tuple(jobs)
        self.where = where or Workers()
        self.folder = None if out is None else Folder(out)
        self.found = 0
        """How many were in the folder before."""
        self.others = 0
        """How many of those were solved by other sources than these."""
        self._many = Many(solve, self.where, lambda job: job.bytes, lambda job: job.label)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self._many.interrupted

    def stop(self) -> None:
        """Start nothing more, and end what runs; from any thread."""
        self._many.stop()

    def run(self) -> Iterator[tuple[Job, Solved | RueError]]:
        """Every job with what it left, or with the sentence it failed with: those of the folder come first.

        After Ctrl-C also those that were cut short: their `stopped` says "interrupted", and they are not kept.
        """
        try:
            waiting: list[Job] = []
            for job in self.jobs:
                solved = None if self.folder is None else self.folder.load(job)
                if solved is None:
                    if not waiting and self.where.processes:
                        self._many.start(job, len(self.jobs))
                    waiting.append(job)
                    continue
                self.found += 1
                self.others += solved.code != code_version()
                yield job, solved
            yield from self._solve(waiting)
        finally:
            self._many.close()
            if self.folder is not None:
                self.folder.close()

    def _solve(self, waiting: list[Job]) -> Iterator[tuple[Job, Solved | RueError]]:
        if waiting and self.where.processes:  # compiled once, not once a process
            waiting[0].problem.load(waiting[0].algorithm)
        left = Counter(id(job.problem) for job in waiting)
        for job, solved in self._many.run(waiting, before=self.found):
            left[id(job.problem)] -= 1
            if not left[id(job.problem)]:
                job.problem.let_go()
            if solved is None:
                continue
            if self.folder is not None and isinstance(solved, Solved) and solved.stopped != "interrupted":
                self.folder.store(job, solved)
            yield job, solved


def in_processes(jobs: Sequence[Job]) -> bool:
    """Whether jobs can be sent to other processes: functions of one's own cannot.

    >>> import rue
    >>> leduc = rue.problem("leduc")
    >>> in_processes([Job("leduc", leduc, leduc.algorithm("cfr"), Limits(), Curve())])
    True
    """
    return not any(has_own_function(algorithm) for algorithm in {job.algorithm for job in jobs})
