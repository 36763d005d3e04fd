"""Several algorithms on one game, within the same limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Protocol, TypeVar

from rue.algorithms.choices import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.game import Game
from rue.result import Result
from rue.solve.limits import Limits
from rue.solve.run import EXACT, Progress, compiled, resolved, solve_form


def compare(
    game: str | Game | SequenceForm,
    algorithms: Sequence[str | Algorithm],
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    refine: bool = False,
    start_seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Result]:
    """Solve a game with several algorithms, one after the other, each within the same limits; see `solve`.

    The game is compiled once. Ctrl-C ends the comparison and keeps what was reached.

    >>> results = compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> min(results, key=lambda result: result.exploitability).algorithm
    'dcfr'
    """
    limits = Limits(iterations, until, seconds, threads)
    chosen = [resolved(algorithm) for algorithm in algorithms]
    check_distinct(chosen)
    for algorithm in chosen:
        limits.horizon(algorithm)
    form = compiled(game, refine)
    return list(one_by_one(chosen, lambda algorithm: solve_form(form, algorithm, limits, start_seed, progress)))


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
