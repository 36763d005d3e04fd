"""Many seeds of a sampled run: all cores, one seed each, and the mean with its band."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numba

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.game import Game
from rue.result import MeanPoint, Point
from rue.solvers.iterate import POINTS_A_DECADE, Iterating, interruptible, iterate, stopped_by_hand
from rue.solvers.limits import Limits
from rue.solvers.run import EXACT, Start, compiled, resolved, sampled_solver

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Repeated:
    """The mean of many seeds of one sampled run; see `repeat`. Each number is the mean over the seeds.

    >>> import rue
    >>> runs = rue.repeat("kuhn", "mccfr", seeds=[3, 5], iterations=100)
    >>> runs.seeds, runs.exploitability == sum(runs.reached) / 2
    ((3, 5), True)
    """

    game: str
    algorithm: str
    seeds: tuple[int, ...]
    iterations: int
    nodes: int
    seconds: float
    exploitability: float
    low: float
    """The mean exploitability lies between low and high with 95% confidence (Student's t)."""
    high: float
    nash_conv: float
    value: float
    infosets: int
    sequences: int
    reached: tuple[float, ...]
    """The exploitability of each seed."""
    curve: tuple[MeanPoint, ...]
    stopped: str = "iterations"
    rue: str = field(default_factory=lambda: version("rue"))

    def summary(self) -> dict[str, Any]:
        """The numbers and the curve, ready for JSON."""
        return asdict(self)


def repeat(
    game: str | Game | SequenceForm,
    algorithm: str | Algorithm = "mccfr",
    *,
    seeds: int | Iterable[int] = 10,
    iterations: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    refine: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Repeated:
    """Solve a game with many seeds of an algorithm that samples, on all cores, and return the mean and its band.

    seeds: how many, counted from 0, or which. The limits are those of `solve`, for each seed. threads: how many seeds
    at a time; it changes nothing else. progress: called with the seeds done and their number. Ctrl-C ends all seeds.

    >>> runs = repeat("kuhn", "mccfr", seeds=4, nodes=20_000)
    >>> len(runs.reached), runs.low < runs.exploitability < runs.high
    (4, True)
    """
    limits = Limits(iterations, None, seconds, threads, nodes)
    chosen = check_seeds(resolved(algorithm), limits)
    form = compiled(game, refine, sampled=True)
    return repeat_form(form, chosen, range(seeds) if isinstance(seeds, int) else seeds, limits, progress=progress)


def check_seeds(algorithm: Algorithm | None, limits: Limits) -> Algorithm:
    """The algorithm, if seeds make a difference to it and the limits end every seed alike."""
    limits.horizon(algorithm)
    if limits.until is not None:
        raise RueError("an exploitability would end every seed elsewhere: end them by nodes, iterations or seconds")
    if algorithm is None or algorithm.sampling is None:
        name = EXACT if algorithm is None else algorithm.name
        raise RueError(f"{name} draws nothing, so every seed gives the same: seeds go with mccfr and its kind")
    return algorithm


def repeat_form(
    form: SequenceForm,
    algorithm: Algorithm,
    seeds: Iterable[int],
    limits: Limits,
    start_seed: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Repeated:
    """Many seeds on a compiled game."""
    numbers = tuple(seeds)

    def solver_of(seed: int) -> Iterating:
        return sampled_solver(form, algorithm, limits, Start(seed, start_seed))

    runs = run_seeds(solver_of, numbers, limits, progress)
    return Repeated(
        game=form.name,
        algorithm=algorithm.name,
        infosets=form.infosets,
        sequences=form.sequences,
        **means(runs, numbers),
    )


def run_seeds(
    solver_of: Callable[[int], Iterating],
    seeds: Sequence[int],
    limits: Limits,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[list[Point], str]]:
    """The curve of each seed and why it ended, in the order of the seeds, whatever the number of threads.

    `solver_of` makes the solver of a seed. Ctrl-C ends every run where it is.
    """
    if not seeds:
        raise RueError("seeds must be at least one")
    solver_of(seeds[0]).warm_up()
    cores = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    with interruptible() as interrupted, ThreadPoolExecutor(min(limits.threads or cores, len(seeds))) as pool:

        def run(seed: int) -> tuple[list[Point], str]:
            if stopped_by_hand(interrupted):
                return [], "interrupted"
            return iterate(solver_of(seed), limits, interrupted=interrupted)

        futures = [pool.submit(run, seed) for seed in seeds]
        waiting = set(futures)
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                if progress is not None:
                    progress(len(seeds) - len(waiting), len(seeds))
        except BaseException:
            interrupted.set()
            for future in futures:
                future.cancel()
            raise
        return [future.result() for future in futures]


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
        "nodes": last.nodes,
        "seconds": last.seconds,
        "exploitability": last.exploitability,
        "low": last.low,
        "high": last.high,
        "nash_conv": last.nash_conv,
        "value": last.value,
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
    exploitability = math.fsum(point.exploitability for point in row) / count
    margin = 0.0
    if count > 1:
        from scipy.special import stdtrit

        spread = math.fsum((point.exploitability - exploitability) ** 2 for point in row) / (count - 1)
        margin = float(stdtrit(count - 1, 0.5 + CONFIDENCE / 2)) * math.sqrt(spread / count)
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
