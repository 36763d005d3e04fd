"""The preflop and flop subgames of icfr's table 1: one street, checked down after it
(`zerosum.holdem.spots.deepstack`)."""

from __future__ import annotations

import threading
from copy import copy
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.limits import Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.solution.result import chips
from zerosum.problems.problem import Problem, StageCallback
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.support.errors import ZerosumError

NAME_PREFIXES = ("deepstack:preflop-5k:", "deepstack:flop-5k:")
BIG_BLIND = 100


class OneStreetProblem(Problem):
    """One of these subgames as a problem; its runs serve figures only, so they have no result and are not saved."""

    def __init__(self, name: str) -> None:
        _, self.kind, seed = name.split(":")
        self._name, self.seed = name, int(seed)
        self._form: PublicTree | None = None
        self._lock = threading.Lock()

    @property
    def bare_name(self) -> str:
        return self._name

    @property
    def unit(self) -> Unit:
        """Chips, with 5,000 in the pot."""
        from zerosum.holdem.spots.deepstack import ONE_STREET_POT

        return chips(ONE_STREET_POT, BIG_BLIND)

    def build(self, tell: StageCallback | None = None, sampled: bool = False) -> PublicTree:
        from zerosum.holdem.spots.deepstack import random_public_tree

        with self._lock:
            if self._form is None:
                self._form = random_public_tree(self.kind, self.seed)
            return self._form

    def release_form(self) -> None:
        self._form = None

    def scaled(self, times: float) -> OneStreetProblem:
        if times == 1.0:
            return self
        other = copy(self)
        other._form, other.payoffs = self.build().scaled(times), self.payoffs * times
        return other

    def check(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that does not walk every history."""
        if algorithm.sampling is not None or algorithm.exact:
            raise ZerosumError(
                f"{algorithm.name} cannot solve {self.name}: use an algorithm that walks every history, like dcfr"
            )

    def estimate(self, algorithm: Algorithm, threads: int | None = None, tell: StageCallback | None = None) -> None:
        """Return None: it takes a few megabytes."""

    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> PublicSolver:
        return PublicSolver(self.build(), algorithm, limits.horizon(algorithm), limits.threads)

    def result(self, solver: Any, outcome: Any) -> Any:
        raise NotImplementedError

    @classmethod
    def codec(cls) -> Any:
        raise NotImplementedError
