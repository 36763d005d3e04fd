"""An algorithm at every point of a grid of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Unpack

from rue.checked import members
from rue.errors import RueError
from rue.names import filled
from rue.options import ManyOptions, limits_of, problem_of, start_of, workers
from rue.problems.find import ProblemLike
from rue.problems.problem import Problem, as_text
from rue.records import dataclass
from rue.results.points import Point, check_number, check_point
from rue.runs.jobs import Job, Jobs
from rue.runs.run import Run
from rue.views.notebook import watching_solves
from rue.views.sweep import BY, MOST_POINTS, By, Sweep, SweepRow, checked_grid, points


@dataclass(frozen=True)
class Reached:
    """The numbers of a run, as a sweep tells them."""

    def __call__(self, run: Run) -> dict[str, Any]:
        last = run.curve[-1]
        numbers = {"iterations": last.iteration, "nodes": last.nodes, "seconds": last.seconds, "value": last.value}
        return {**numbers, "algorithm": run.algorithm.name, "exploitability": last.exploitability}

    def check(self, told: Mapping[str, Any]) -> None:
        """Refuse other numbers than those of a run."""
        exploitability = check_number(told["exploitability"])
        nash_conv = 2 * exploitability
        check_point(Point(told["iterations"], told["seconds"], exploitability, nash_conv, told["value"], told["nodes"]))
        as_text(told["algorithm"])


def sweep(
    games: ProblemLike | Sequence[ProblemLike],
    algorithm: str,
    grid: Mapping[str, Sequence[Any]],
    *,
    by: By | None = None,
    **options: Unpack[ManyOptions],
) -> Sweep:
    """Run an algorithm at every point of a grid of its parameters, on one game or several.

    algorithm: a name with parameters in braces, like `dcfr({alpha}, {beta}, 2)`; grid: the values of each. by: what the
    points are compared by: exploitability, or with `until` the iterations (or seconds, or nodes) it took to get there.
    out: a folder that keeps every run that is done; the same call goes on from there. executor: where the runs go, as
    in `concurrent.futures`; threads of our own by default, on all cores. on: a Ray cluster that they go to, `"local"`,
    `"auto"` or an address. progress: told a few times a second how far they are. The options are those of `solve`, for
    each run; threads: how many runs at once. Ctrl-C ends it and keeps what is done.

    >>> import rue
    >>> found = rue.sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5, 2]}, iterations=100)
    >>> [row.parameters["alpha"] for row in found.rows], found.by
    (['1', '1.5', '2'], 'exploitability')
    """
    given = (
        members("games", games, MOST_POINTS) if isinstance(games, Sequence) and not isinstance(games, str) else [games]
    )
    texts = checked_grid(algorithm, grid)
    chosen: By = by or ("iterations" if options.get("until") is not None else "exploitability")
    if chosen not in BY:
        raise RueError(f"a sweep is compared by {', '.join(BY[:-1])} or {BY[-1]}, not by {chosen!r}")
    if chosen != "exploitability" and options.get("until") is None:
        raise RueError(f"points are compared by {chosen} to an exploitability: say to which (--until, until=)")
    problems = [problem_of(game, options, ManyOptions) for game in given]
    jobs = jobs_of(problems, algorithm, texts, options)
    names = [problem.name for problem in problems]
    at = {job.label: point for job, point in zip(jobs, cycle(points(texts)), strict=False)}
    rows: dict[str, SweepRow] = {}
    failures = []
    with watching_solves(options.get("progress"), algorithm) as told:
        for job, solved in Jobs(jobs, workers({**options, "progress": told}), options.get("out")).run():
            if isinstance(solved, RueError):
                failures.append(f"{job.label}: {solved}")
            elif solved.stopped != "interrupted":
                rows[job.label] = SweepRow(job.problem.name, at[job.label], stopped=solved.stopped, **solved.told)
    ordered = tuple(rows[job.label] for job in jobs if job.label in rows)
    units = {problem.name: problem.unit.name for problem in problems}
    missing = len(jobs) - len(rows) - len(failures)
    return Sweep(algorithm, texts, tuple(names), units, chosen, ordered, tuple(failures), missing)


def jobs_of(
    problems: Sequence[Problem], algorithm: str, grid: Mapping[str, Sequence[Any]], options: Mapping[str, Any]
) -> list[Job]:
    """The solves of a sweep, checked: every point of the grid on each problem."""
    names = [problem.name for problem in problems]
    if not problems or len(set(names)) < len(names):
        raise RueError(f"{max(names, key=names.count)} is named twice" if names else "a sweep needs a game")
    found = list(points(checked_grid(algorithm, grid)))
    return [_job(problem, algorithm, point, options) for problem in problems for point in found]


def _job(problem: Problem, algorithm: str, point: dict[str, str], options: Mapping[str, Any]) -> Job:
    chosen = problem.algorithm(filled(algorithm, point))
    limits, start = limits_of(problem, options), start_of(options)
    problem.check_run(chosen, limits, start)
    if not problem.judged:
        raise RueError("by rules alone the exploitability is not known: there is nothing to compare")
    label = ", ".join(f"{name}={value}" for name, value in point.items())
    return Job(f"{problem.name}: {label}", problem, chosen, limits, Reached(), start)
