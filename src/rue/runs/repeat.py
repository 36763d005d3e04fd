"""Many seeds of a sampled run: all cores, one seed each, and the mean with its band."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from numbers import Integral
from pathlib import Path
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.checked import check_whole, members, shown
from rue.errors import RueError
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.results.points import MeanPoint, Point, mean_and_margin
from rue.results.repeated import Repeated
from rue.runs.checkpoints import POINTS_A_DECADE
from rue.runs.jobs import Curve, Job, Jobs
from rue.runs.many import Workers
from rue.solvers.limits import Limits

MOST_SEEDS = 10**6


def seeds_of(given: Any) -> list[int]:
    """The seeds that were asked for: so many from 0 on, or those of a list, each once.

    >>> seeds_of(3), seeds_of([5, 7])
    ([0, 1, 2], [5, 7])
    """
    number = isinstance(given, Integral) and not isinstance(given, bool) and int(given) >= 0
    if not number and (isinstance(given, str) or not isinstance(given, Iterable)):
        raise RueError(f"seeds are a number of them, at most {MOST_SEEDS:,}, or a list of numbers, not {shown(given)}")
    found: dict[int, None] = {}
    for seed in members("seeds", range(int(given)) if number else given, MOST_SEEDS):
        if seed is None:
            raise RueError("a seed is a whole number, not None")
        check_whole("seed", seed, least=0)
        if int(seed) in found:
            raise RueError(f"seed {seed} is given twice")
        found[int(seed)] = None
    return list(found)


def check_seeds(algorithm: Algorithm, limits: Limits) -> Algorithm:
    """The algorithm, if seeds make a difference to it and the limits end every seed alike."""
    limits.horizon(algorithm)
    if limits.until is not None:
        raise RueError("an exploitability would end every seed elsewhere: end them by nodes, iterations or seconds")
    if algorithm.sampling is None:
        raise RueError(
            f"{algorithm.name} draws nothing, so every seed gives the same: seeds go with mccfr and its kind"
        )
    return algorithm


def repeated(
    problem: Problem,
    algorithm: Algorithm,
    starts: Iterable[Start],
    limits: Limits,
    where: Workers | None = None,
    out: str | Path | None = None,
) -> Repeated:
    """Many starts of an algorithm that samples, each with a seed, on all cores or on an executor, and their mean.

    Their order, not that of their ends, decides every digit. `out` is a folder that keeps the curve of every seed that
    is done. Ctrl-C ends every run where it is.
    """
    given = tuple(starts)
    if not given:
        raise RueError("seeds must be at least one")
    if not problem.judged:
        raise RueError("by rules alone the exploitability is not known: there is nothing to take the mean of")
    where = where or Workers()
    problem.check_run(algorithm, limits, given[0])
    problem.check_memory(algorithm, 1)
    problem.build(sampled=True)
    jobs = [Job(f"{algorithm.name}, seed {start.seed}", problem, algorithm, limits, Curve(), start) for start in given]
    ended: dict[str, tuple[list[Point], str]] = {}
    for job, solved in Jobs(jobs, replace(where, count=where.count or limits.threads, threads=1), out).run():
        if isinstance(solved, RueError):
            raise solved
        ended[job.label] = Curve.read(solved.told), solved.stopped
    runs = [ended.get(job.label, ([], "interrupted")) for job in jobs]
    if not ended:  # interrupted before there was anything
        raise KeyboardInterrupt
    infosets, sequences = problem.sizes
    return Repeated(
        game=problem.name,
        algorithm=algorithm.name,
        infosets=infosets,
        sequences=sequences,
        unit=problem.unit,
        **means(runs, [start.seed or 0 for start in given]),
    )


def means(runs: Sequence[tuple[list[Point], str]], seeds: Sequence[int]) -> dict[str, Any]:
    """The fields of `Repeated` that come from the curves.

    If the runs were interrupted, those that were complete count; if none was, those that had begun.
    """
    begun = [(curve, stopped, seed) for (curve, stopped), seed in zip(runs, seeds, strict=True) if curve]
    complete = [run for run in begun if run[1] != "interrupted"]
    used = complete or begun
    curve = mean_curve([curve for curve, _, _ in used])
    last = curve[-1]
    interrupted = any(stopped == "interrupted" for _, stopped in runs)
    return {
        "seeds": tuple(seed for _, _, seed in used),
        "iterations": last.iteration,
        **{name: value for name, value in asdict(last).items() if name != "iteration"},
        "reached": tuple(curve[-1].exploitability for curve, _, _ in used),
        "curve": curve,
        "stopped": "interrupted" if interrupted else min(stopped for _, stopped, _ in used),
    }


def mean_curve(curves: Sequence[Sequence[Point]]) -> tuple[MeanPoint, ...]:
    """The mean of curves at the checkpoints that all of them passed, and at their ends.

    Runs that end by nodes pass a checkpoint at a slightly different number of nodes each; the mean is taken there too.

    >>> points = [[Point(1, 0.1, 2.0, 4.0, 0.0, 10)], [Point(1, 0.3, 4.0, 8.0, 0.0, 12)]]
    >>> mean_curve(points)[0].exploitability, mean_curve(points)[0].nodes
    (3.0, 11)
    """
    by_checkpoint = [{_checkpoint(point): point for point in curve[:-1]} for curve in curves]
    shared = [key for key in by_checkpoint[0] if all(key in points for points in by_checkpoint)]
    rows = [[points[key] for points in by_checkpoint] for key in shared]
    return tuple(_mean(row) for row in [*rows, [curve[-1] for curve in curves]])


def _checkpoint(point: Point) -> tuple[int, int]:
    """The cell of the logarithmic grid of checkpoints that a point lies in."""
    cell = 0 if not point.nodes else math.floor(math.log10(point.nodes) * POINTS_A_DECADE + 1e-9)
    return (0, point.iteration) if point.nodes is None else (1, cell)


def _mean(row: Sequence[Point]) -> MeanPoint:
    count = len(row)
    exploitability, margin = mean_and_margin([point.exploitability for point in row])
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
