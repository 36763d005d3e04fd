"""An algorithm at every point of a grid of its parameters, on one problem or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.engine.limits import Limits
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.solve_job import SolveJob
from zerosum.jobs.store import JobStore
from zerosum.jobs.workers import Workers
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.curve import Point, check_point
from zerosum.results.sweep import BY, By, Sweep, SweepRow, list_grid_points, parse_grid
from zerosum.runs.run import Run
from zerosum.support.call_syntax import fill_placeholders
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import decode_number, decode_text


@dataclass(frozen=True)
class FinalMeasurement:
    """What a run had reached at its end, as the rows of a sweep hold it."""

    def __call__(self, run: Run) -> dict[str, Any]:
        last = run.curve[-1]
        numbers = {"iterations": last.iteration, "nodes": last.nodes, "seconds": last.seconds, "value": last.value}
        return {**numbers, "algorithm": run.algorithm.name, "exploitability": last.exploitability}

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        exploitability = decode_number(content["exploitability"])
        nash_conv, value = 2 * exploitability, content["value"]
        check_point(
            Point(content["iterations"], content["seconds"], exploitability, nash_conv, value, content["nodes"])
        )
        decode_text(content["algorithm"])


class SweepPlan:
    """The solves of a sweep, checked before any of them is run: every point of the grid on each problem.

    limits: those of each problem, as an exploitability may be given in its unit. by: the measure by which points
    are compared.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        algorithm: str,
        grid: Mapping[str, Sequence[Any]],
        limits: Sequence[Limits],
        start: Start | None = None,
        by: By | None = None,
    ) -> None:
        self.problems, self.algorithm = problems, algorithm
        self.grid = parse_grid(algorithm, grid)
        self.by: By = _choose_measure(by, limits)
        names = [problem.name for problem in problems]
        if not problems or len(set(names)) < len(names):
            raise ZerosumError(f"{max(names, key=names.count)} is named twice" if names else "a sweep needs a game")
        self.points: dict[str, dict[str, str]] = {}
        """The point of the grid of each job, by its label."""
        self.jobs: list[SolveJob] = []
        for problem, problem_limits in zip(problems, limits, strict=True):
            for point in list_grid_points(self.grid):
                job = _build_job(problem, algorithm, point, problem_limits, start or Start())
                self.points[job.label] = point
                self.jobs.append(job)

    def run(self, workers: Workers, out: str | Path | None = None) -> Sweep:
        """Run all solves; `out` is a folder that keeps those that are done."""
        rows: dict[str, SweepRow] = {}
        failures = []
        for job, result in JobRunner(workers, None if out is None else JobStore(out)).run(self.jobs):
            if isinstance(result, ZerosumError):
                failures.append(f"{job.label}: {result}")
            elif result.is_complete:
                game = job.problem.name
                rows[job.label] = SweepRow(game, self.points[job.label], stopped=result.stopped, **result.content)
        ordered = tuple(rows[job.label] for job in self.jobs if job.label in rows)
        games = {problem.name: problem.unit.name for problem in self.problems}
        missing = len(self.jobs) - len(rows) - len(failures)
        return Sweep(self.algorithm, self.grid, tuple(games), games, self.by, ordered, tuple(failures), missing)


def _choose_measure(by: By | None, limits: Sequence[Limits]) -> By:
    until = any(limit.until is not None for limit in limits)
    chosen: By = by or ("iterations" if until else "exploitability")
    if chosen not in BY:
        raise ZerosumError(f"a sweep is compared by {', '.join(BY[:-1])} or {BY[-1]}, not by {chosen!r}")
    if chosen != "exploitability" and not until:
        raise ZerosumError(f"comparing points by {chosen} needs an exploitability to reach: add {option_name('until')}")
    return chosen


def _build_job(problem: Problem, algorithm: str, point: dict[str, str], limits: Limits, start: Start) -> SolveJob:
    chosen = problem.resolve_algorithm(fill_placeholders(algorithm, point))
    problem.check_run(chosen, limits, start)
    if not problem.codec().has_exploitability:
        raise ZerosumError("sampling by rules computes no exploitability, so there is nothing to compare")
    label = ", ".join(f"{name}={value}" for name, value in point.items())
    return SolveJob(f"{problem.name}: {label}", problem, chosen, limits, FinalMeasurement(), start)
