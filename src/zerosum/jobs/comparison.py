"""Several algorithms on one problem, within the same limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits
from zerosum.jobs.seeds import check_seeds_apply, run_seeds
from zerosum.jobs.workers import Workers
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.result import Result, SeedAverage
from zerosum.runs.progress import Listener
from zerosum.runs.run import Run
from zerosum.support.errors import ZerosumError


class AlgorithmComparison:
    """Algorithms to compare on a problem, checked before any of them is run.

    `start` holds the seed of the sampling algorithms; with `seeds`, each of these is run once per seed.
    """

    def __init__(
        self,
        problem: Problem,
        algorithms: Sequence[Algorithm],
        limits: Limits,
        start: Start | None = None,
        seeds: Sequence[int] | None = None,
    ) -> None:
        if not algorithms:
            raise ZerosumError("a comparison needs an algorithm, like dcfr or cfr+")
        check_algorithms_differ(algorithms)
        self.problem, self.algorithms, self.limits, self.seeds = problem, algorithms, limits, seeds
        start = start or Start()
        sampling = [algorithm for algorithm in algorithms if algorithm.sampling is not None]
        if not sampling:
            start.check_algorithm(algorithms[0])
        unseeded = replace(start, seed=None)
        self.starts = [unseeded if algorithm.sampling is None else start for algorithm in algorithms]
        for algorithm, algorithm_start in zip(algorithms, self.starts, strict=True):
            problem.check_run(algorithm, limits, algorithm_start)
            problem.check_memory(algorithm, limits.threads)
        if seeds is not None:
            check_seeds_apply(next(iter(sampling), algorithms[0]), limits)

    def build_form(self, listener: Listener | None = None) -> None:
        """Build the form, once for all algorithms."""
        sampled = any(algorithm.sampling is not None for algorithm in self.algorithms)
        self.problem.build_form(None if listener is None else listener.stage, sampled)

    def run_each(
        self, listener: Listener | None = None, workers: Workers | None = None, out: Path | None = None
    ) -> Iterator[Result | SeedAverage]:
        """Yield the result of each algorithm as it ends; an interrupted one is the last.

        Seeds run on `workers`; `out` is a folder that keeps those that are done.
        """
        for algorithm, start in zip(self.algorithms, self.starts, strict=True):
            result: Result | SeedAverage
            if algorithm.sampling is not None and self.seeds is not None:
                starts = [replace(start, seed=seed) for seed in self.seeds]
                result = run_seeds(self.problem, algorithm, starts, self.limits, workers, out)
            else:
                result = Run(self.problem, algorithm, self.limits, start, listener=listener).finish()
            yield result
            if result.stopped == "interrupted":
                return


def check_algorithms_differ(algorithms: Sequence[Algorithm]) -> None:
    """Raise if an algorithm is named twice, also under two names, like cfr and cfr()."""
    for first, second in combinations(algorithms, 2):
        if first.name == second.name:
            raise ZerosumError(f"{first.name} is named twice: leave one out")
        if replace(first, name=second.name) == second:
            raise ZerosumError(f"{first.name} and {second.name} are the same algorithm: name it once")
