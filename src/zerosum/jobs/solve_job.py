"""A solve as a job, and the measurements that it records."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.serialization import encode_algorithm, has_custom_function
from zerosum.engine.limits import Limits
from zerosum.jobs.job import JobContext, JobResult
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.curve import Point, check_curve
from zerosum.runs.progress import Listener
from zerosum.runs.provenance import collect_provenance
from zerosum.runs.run import Run, StoppedError
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.source_hash import code_version
from zerosum.support.thread_safety import cached_property


class Measurement(Protocol):
    """What to record of a finished run: it is called where the run took place and returns what JSON can hold.

    Its `repr` belongs to the key of a job: recording something else is another job.
    """

    def __call__(self, run: Run) -> dict[str, Any]:
        """Return what is recorded of a run."""

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        """Raise one of the `DAMAGE_ERRORS` errors if a stored content was not recorded like this."""


@dataclass(frozen=True)
class CurveMeasurement:
    """The points of the curve."""

    def __call__(self, run: Run) -> dict[str, Any]:
        return {"curve": [list(asdict(point).values()) for point in run.curve]}

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        if not check_curve(self.points(content)):
            raise ValueError("the curve has no points")

    @staticmethod
    def points(content: Mapping[str, Any]) -> list[Point]:
        return [Point(*row) for row in content["curve"]]


@dataclass(frozen=True)
class SolveJob:
    """A solve as data: the problem, the algorithm, when it ends, and what is recorded of it."""

    label: str
    problem: Problem
    algorithm: Algorithm
    limits: Limits
    measurement: Measurement
    start: Start = field(default_factory=Start)

    @cached_property
    def key(self) -> str:
        """A hash of everything its numbers depend on, except the code."""
        problem = self.problem.codec().to_json(self.problem)
        if "game" in problem and problem["game"] is None:
            raise ZerosumError(
                f"{self.problem.name} was passed as an object, so its solves cannot be saved: pass its name, or drop "
                f"{option_name('out')}"
            )
        limits = {name: value for name, value in asdict(self.limits).items() if name != "threads"}
        seeds = self.start.seed, self.start.start_seed
        parts = [problem, encode_algorithm(self.algorithm), limits, seeds, repr(self.measurement)]
        return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=12).hexdigest()

    @cached_property
    def bytes(self) -> int | None:
        return self.problem.estimate_bytes(self.algorithm)

    def load_kernels(self) -> None:
        self.problem.load_kernels(self.algorithm)

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        self.measurement.check_stored_content(content)

    def run(self, context: JobContext) -> JobResult | None:
        """Solve; return None if it was stopped before the first iteration."""
        started = time.perf_counter()

        def check_stop(*_: object) -> None:
            if context.stop.is_set():
                run.stop()

        limits = replace(self.limits, threads=context.threads)
        run = Run(self.problem, self.algorithm, limits, self.start, listener=Listener(check_stop, check_stop))
        try:
            run.prepare()
            run.advance()
        except StoppedError:
            return None
        if not run.iteration and run.stopped == "interrupted":
            return None
        content = self.measurement(run)
        run.release_solver()
        seconds = time.perf_counter() - started
        return JobResult(content, run.stopped or "interrupted", seconds, code_version(), collect_provenance())


def are_picklable(jobs: Sequence[SolveJob]) -> bool:
    """Return whether jobs can be sent to other processes: custom functions cannot.

    >>> import zerosum
    >>> leduc = zerosum.problem("leduc")
    >>> are_picklable([SolveJob("leduc", leduc, leduc.resolve_algorithm("cfr"), Limits(), CurveMeasurement())])
    True
    """
    return not any(has_custom_function(algorithm) for algorithm in {job.algorithm for job in jobs})
