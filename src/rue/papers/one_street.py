"""The subgames of icfr before the turn, for its table 1: one street, checked down (`rue.holdem.one_street`)."""

from __future__ import annotations

import threading
from copy import copy
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.problems.problem import Tell
from rue.problems.start import Start
from rue.results.spot import chips
from rue.results.unit import Unit
from rue.solvers.limits import Limits
from rue.solvers.public_solver import PublicSolver

KINDS = ("deepstack:preflop-5k:", "deepstack:flop-5k:")
BIG_BLIND = 100


class OneStreet:
    """What a figure's run needs to know of such a game."""

    payoffs = 1.0

    def __init__(self, name: str) -> None:
        _, self.kind, seed = name.split(":")
        self.name, self.seed = name, int(seed)
        self._tree: PublicTree | None = None
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process builds it anew."""
        return OneStreet, (self.name,)

    def expected_bytes(self, algorithm: Algorithm) -> int | None:
        """A few megabytes."""
        return None

    @property
    def unit(self) -> Unit:
        """Chips, with 5,000 in the pot."""
        from rue.holdem.one_street import POT

        return chips(POT, BIG_BLIND)

    @property
    def fingerprint(self) -> str:
        """Nothing: the name says it all."""
        return ""

    @property
    def sizes(self) -> tuple[int, int]:
        """The infosets and the sequences of both players."""
        tree = self.build()
        return tree.infosets, tree.sequences

    def build(self, tell: Tell | None = None, sampled: bool = False) -> PublicTree:
        """The public form, built once."""
        from rue.holdem.one_street import random_tree

        with self._lock:
            if self._tree is None:
                self._tree = random_tree(self.kind, self.seed)
            return self._tree

    def let_go(self) -> None:
        """Free the memory of the form."""
        self._tree = None

    def scaled(self, times: float) -> OneStreet:
        """The same with every payoff times a number."""
        if times == 1.0:
            return self
        other = copy(self)
        other._tree, other.payoffs = self.build().scaled(times), self.payoffs * times
        return other

    def algorithm(self, given: str) -> Algorithm:
        """An algorithm that walks every history."""
        chosen = named_algorithm(given)
        if chosen.sampling is not None or chosen.exact:
            raise RueError(f"{given} does not go with {self.name}: it is solved by full walks")
        return chosen

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        """Refuse what means nothing together."""
        limits.horizon(algorithm)
        start.check(algorithm)

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Nothing to refuse: it takes a few megabytes."""

    def solver(self, algorithm: Algorithm, limits: Limits, start: Any = None) -> PublicSolver:
        """The solver of a run."""
        return PublicSolver(self.build(), algorithm, limits.horizon(algorithm), limits.threads)
