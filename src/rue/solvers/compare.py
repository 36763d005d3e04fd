"""Several algorithms on one game, within the same limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Protocol, TypeVar

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.game import Game
from rue.result import Result
from rue.solvers.iterate import Progress
from rue.solvers.limits import Limits
from rue.solvers.run import EXACT, Start, compiled, resolved, solve_form


def compare(
    game: str | Game | SequenceForm,
    algorithms: Sequence[str | Algorithm],
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    refine: bool = False,
    seed: int | None = None,
    start_seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Result]:
    """Solve a game with several algorithms, one after the other, each within the same limits; see `solve`.

    The game is compiled once. `seed` is that of the algorithms that sample. Ctrl-C ends the comparison and keeps what
    was reached.

    >>> results = compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> min(results, key=lambda result: result.exploitability).algorithm
    'dcfr'
    """
    limits = Limits(iterations, until, seconds, threads, nodes)
    chosen = [resolved(algorithm) for algorithm in algorithms]
    check_distinct(chosen)
    for algorithm in chosen:
        limits.horizon(algorithm)
    starts = starts_of(chosen, Start(seed, start_seed))
    form = compiled(game, refine, samples(chosen))
    return list(one_by_one(chosen, lambda algorithm: solve_form(form, algorithm, limits, starts(algorithm), progress)))


def samples(algorithms: Sequence[Algorithm | None]) -> bool:
    """Whether any of the algorithms samples."""
    return any(algorithm is not None and algorithm.sampling is not None for algorithm in algorithms)


def starts_of(algorithms: Sequence[Algorithm | None], start: Start) -> Callable[[Algorithm | None], Start]:
    """Where each algorithm starts: the seed is for those that sample; if none does it is refused."""
    if algorithms and not samples(algorithms):
        start.check(algorithms[0])
    return lambda algorithm: start if samples([algorithm]) else Start(None, start.start_seed)


def check_distinct(algorithms: Sequence[Algorithm | None]) -> None:
    """Refuse an algorithm that is named twice, also in other words, like cfr and cfr()."""
    for one, two in combinations(algorithms, 2):
        names = [EXACT if algorithm is None else algorithm.name for algorithm in (one, two)]
        if names[0] == names[1]:
            raise RueError(f"{names[0]} is named twice")
        if one is not None and two is not None and replace(one, name=two.name) == two:
            raise RueError(f"{names[0]} and {names[1]} are the same algorithm: name it once")


class Ended(Protocol):
    """What is left of a run, whatever form its game has."""

    @property
    def stopped(self) -> str:
        """Why it ended."""


Chosen = TypeVar("Chosen")
Run = TypeVar("Run", bound=Ended)


def one_by_one(algorithms: Sequence[Chosen], run: Callable[[Chosen], Run]) -> Iterator[Run]:
    """The runs of the algorithms; one that is interrupted is the last."""
    for algorithm in algorithms:
        result = run(algorithm)
        yield result
        if result.stopped == "interrupted":
            return
