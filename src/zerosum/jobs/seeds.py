"""Many seeds of a sampling algorithm: one run for each, and the mean of their curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from numbers import Integral
from pathlib import Path
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.solve_job import CurveMeasurement, SolveJob
from zerosum.jobs.store import JobStore
from zerosum.jobs.workers import Workers
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.curve import MeanPoint, Point, compute_mean_and_margin
from zerosum.results.result import SeedAverage
from zerosum.runs.evaluation_schedule import POINTS_PER_DECADE
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import check_list, check_whole_number, short_repr

MAX_SEEDS = 10**6


def parse_seeds(seeds: Any) -> list[int]:
    """Return the seeds that a number of seeds, counted from 0, or a list of distinct seeds stands for.

    >>> parse_seeds(3), parse_seeds([5, 7])
    ([0, 1, 2], [5, 7])
    """
    is_count = isinstance(seeds, Integral) and not isinstance(seeds, bool) and int(seeds) >= 0
    if not is_count and (isinstance(seeds, str) or not isinstance(seeds, Iterable)):
        raise ZerosumError(
            f"seeds must be a number of seeds, at most {MAX_SEEDS:,}, or a list of seeds, not {short_repr(seeds)}"
        )
    distinct: dict[int, None] = {}
    for seed in check_list("seeds", range(int(seeds)) if is_count else seeds, MAX_SEEDS):
        if seed is None:
            raise ZerosumError("a seed is a whole number, not None")
        check_whole_number("seed", seed, least=0)
        if int(seed) in distinct:
            raise ZerosumError(f"seed {seed} is listed twice")
        distinct[int(seed)] = None
    return list(distinct)


def check_seeds_apply(algorithm: Algorithm, limits: Limits) -> Algorithm:
    """Return the algorithm if it samples and the limits end every seed at the same point; raise otherwise."""
    limits.find_horizon(algorithm)
    if limits.until is not None:
        raise ZerosumError(
            f"{option_name('until')} would stop each seed at a different point: limit nodes, iterations or seconds "
            "instead"
        )
    if algorithm.sampling is None:
        raise ZerosumError(
            f"{algorithm.name} does not sample, so every seed gives the same result: use seeds with mccfr or another "
            "sampling algorithm"
        )
    return algorithm


def run_seeds(
    problem: Problem,
    algorithm: Algorithm,
    starts: Iterable[Start],
    limits: Limits,
    workers: Workers | None = None,
    out: str | Path | None = None,
) -> SeedAverage:
    """Run a sampling algorithm from many starts, which differ by their seeds, and return the mean.

    The order of the starts, not that in which they end, decides every digit. `out` is a folder that keeps the curves of
    seeds that are done. Ctrl-C ends every run where it is.
    """
    starts = tuple(starts)
    if not starts:
        raise ZerosumError("seeds must be at least one")
    if not problem.codec().has_exploitability:
        raise ZerosumError("sampling by rules computes no exploitability, so there is nothing to average over seeds")
    workers = workers or Workers()
    problem.check_run(algorithm, limits, starts[0])
    problem.check_memory(algorithm, 1)
    problem.build_form(sampled=True)
    measurement = CurveMeasurement()
    jobs = [
        SolveJob(f"{algorithm.name}, seed {start.seed}", problem, algorithm, limits, measurement, start)
        for start in starts
    ]
    workers = replace(workers, count=workers.count or limits.threads, threads=1)
    curves: dict[str, tuple[list[Point], str]] = {}
    for job, result in JobRunner(workers, None if out is None else JobStore(out)).run(jobs):
        if isinstance(result, ZerosumError):
            raise result
        curves[job.label] = measurement.points(result.content), result.stopped
    if not curves:  # interrupted before the first point
        raise KeyboardInterrupt
    infosets, sequences = problem.sizes
    return SeedAverage(
        game=problem.name,
        algorithm=algorithm.name,
        infosets=infosets,
        sequences=sequences,
        unit=problem.unit,
        **summarize_seeds(
            [curves.get(job.label, ([], "interrupted")) for job in jobs], [start.seed or 0 for start in starts]
        ),
    )


def summarize_seeds(runs: Sequence[tuple[list[Point], str]], seeds: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a `SeedAverage` that depend on the curves.

    runs: the curve of each seed and why it ended. If some were interrupted, the complete ones count, or if there are
    none, those that have begun.
    """
    started = [(curve, stopped, seed) for (curve, stopped), seed in zip(runs, seeds, strict=True) if curve]
    complete = [run for run in started if run[1] != "interrupted"]
    counted = complete or started
    curve = average_curves([curve for curve, _, _ in counted])
    last = curve[-1]
    interrupted = any(stopped == "interrupted" for _, stopped in runs)
    return {
        "seeds": tuple(seed for _, _, seed in counted),
        "iterations": last.iteration,
        **{name: value for name, value in asdict(last).items() if name != "iteration"},
        "reached": tuple(curve[-1].exploitability for curve, _, _ in counted),
        "curve": curve,
        "stopped": "interrupted" if interrupted else min(stopped for _, stopped, _ in counted),
    }


def average_curves(curves: Sequence[Sequence[Point]]) -> tuple[MeanPoint, ...]:
    """Return the mean of curves at the checkpoints that all of them passed, and at their ends.

    Runs that end by nodes pass a checkpoint at slightly different numbers of nodes, of which the mean is taken, too.

    >>> points = [[Point(1, 0.1, 2.0, 4.0, 0.0, 10)], [Point(1, 0.3, 4.0, 8.0, 0.0, 12)]]
    >>> average_curves(points)[0].exploitability, average_curves(points)[0].nodes
    (3.0, 11)
    """
    by_checkpoint = [{_find_checkpoint_cell(point): point for point in curve[:-1]} for curve in curves]
    shared = [key for key in by_checkpoint[0] if all(key in points for points in by_checkpoint)]
    rows = [[points[key] for points in by_checkpoint] for key in shared]
    return tuple(_average_points(row) for row in [*rows, [curve[-1] for curve in curves]])


def _find_checkpoint_cell(point: Point) -> tuple[int, int]:
    """Return the cell of the logarithmic grid of checkpoints that contains a point."""
    cell = 0 if not point.nodes else math.floor(math.log10(point.nodes) * POINTS_PER_DECADE + 1e-9)
    return (0, point.iteration) if point.nodes is None else (1, cell)


def _average_points(row: Sequence[Point]) -> MeanPoint:
    count = len(row)
    exploitability, margin = compute_mean_and_margin([point.exploitability for point in row])
    return MeanPoint(
        iteration=round(sum(point.iteration for point in row) / count),
        seconds=math.fsum(point.seconds for point in row) / count,
        exploitability=exploitability,
        nash_conv=math.fsum(point.nash_conv for point in row) / count,
        value=math.fsum(point.value for point in row) / count,
        nodes=round(sum(point.nodes or 0 for point in row) / count),
        low=exploitability - margin,
        high=exploitability + margin,
    )
