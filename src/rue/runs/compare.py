"""Several algorithms on one problem, within the same limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.interrupt import interruptible
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.results.repeated import Repeated
from rue.results.result import Result
from rue.runs.many import Workers
from rue.runs.progress import Listener
from rue.runs.repeat import check_seeds, repeated
from rue.runs.run import Run
from rue.solvers.limits import Limits


class Contest:
    """Algorithms that are to be compared on a problem; what means nothing is refused before anything is run.

    `start` has the seed of those that sample; with `seeds`, these are run with many seeds each. `one_by_one` runs them
    in order; one that is interrupted is the last.
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
            raise RueError("a comparison needs an algorithm, like dcfr or cfr+")
        check_distinct(algorithms)
        self.problem, self.algorithms, self.limits, self.seeds = problem, algorithms, limits, seeds
        start = start or Start()
        sampling = [algorithm for algorithm in algorithms if algorithm.sampling is not None]
        if not sampling:
            start.check(algorithms[0])
        self.starts = [start if each.sampling is not None else replace(start, seed=None) for each in algorithms]
        for algorithm, own in zip(algorithms, self.starts, strict=True):
            problem.check_run(algorithm, limits, own)
            problem.check_memory(algorithm, limits.threads)
        if seeds is not None:
            check_seeds(next(iter(sampling), algorithms[0]), limits)

    def build(self, listener: Listener | None = None) -> None:
        """Build the form, once for all."""
        sampled = any(algorithm.sampling is not None for algorithm in self.algorithms)
        self.problem.build(None if listener is None else listener.stage, sampled)

    def one_by_one(
        self, listener: Listener | None = None, where: Workers | None = None, out: Path | None = None
    ) -> Iterator[Result | Repeated]:
        """The results of the algorithms, each when it is there; many seeds run `where` and are kept in `out`."""
        for algorithm, start in zip(self.algorithms, self.starts, strict=True):
            if algorithm.sampling is not None and self.seeds is not None:
                starts = [replace(start, seed=seed) for seed in self.seeds]
                found: Result | Repeated = repeated(self.problem, algorithm, starts, self.limits, where, out)
            else:
                found = self._run(algorithm, start, listener)
            yield found
            if found.stopped == "interrupted":
                return

    def _run(self, algorithm: Algorithm, start: Start, listener: Listener | None) -> Result:
        run = Run(self.problem, algorithm, self.limits, start, listener=listener)
        run.prepare()
        with interruptible(run.stop):
            run.advance()
        return run.final()


def check_distinct(algorithms: Sequence[Algorithm]) -> None:
    """Refuse an algorithm that is named twice, also in other words, like cfr and cfr()."""
    for one, two in combinations(algorithms, 2):
        if one.name == two.name:
            raise RueError(f"{one.name} is named twice")
        if replace(one, name=two.name) == two:
            raise RueError(f"{one.name} and {two.name} are the same algorithm: name it once")
