"""The problems of figures: any that has a name, and the preflop and flop subgames of icfr's table 1."""

from __future__ import annotations

import threading
from copy import copy
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.limits import Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.solution.result import build_chip_unit
from zerosum.papers.curve_job import CurveJob, CurveSpec
from zerosum.papers.figure import LIBRATUS
from zerosum.problems.problem import Problem, StageCallback
from zerosum.problems.registry import problem
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.support.errors import ZerosumError

NAME_PREFIXES = ("deepstack:preflop-5k:", "deepstack:flop-5k:")
BIG_BLIND = 100


class ProblemCache:
    """Problems by the names of their games, each built once."""

    def __init__(self, libratus_folder: str | None = None) -> None:
        self.libratus_folder = libratus_folder
        self._problems: dict[str, Problem] = {}

    def load_problem(self, game: str) -> Problem:
        """Return the problem of a game."""
        if game not in self._problems:
            folder = self.libratus_folder if game.startswith(LIBRATUS) else None
            is_one_street = game.startswith(NAME_PREFIXES)
            self._problems[game] = OneStreetProblem(game) if is_one_street else problem(game, folder=folder)
        return self._problems[game]

    def build_job(self, spec: CurveSpec) -> CurveJob:
        """Return the job of a run."""
        return CurveJob(spec, self.load_problem(spec.game))


class OneStreetProblem(Problem):
    """A subgame of one street that is checked down after it (`zerosum.holdem.spots.deepstack`).

    Its runs serve figures only, so they have no result and are not saved.
    """

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
        from zerosum.holdem.spots.deepstack import ONE_STREET_POT

        return build_chip_unit(ONE_STREET_POT, BIG_BLIND)

    def build_form(self, notify: StageCallback | None = None, sampled: bool = False) -> PublicTree:
        from zerosum.holdem.spots.deepstack import draw_random_tree

        with self._lock:
            if self._form is None:
                self._form = draw_random_tree(self.kind, self.seed)
            return self._form

    def release_form(self) -> None:
        self._form = None

    def scaled(self, times: float) -> OneStreetProblem:
        if times == 1.0:
            return self
        other = copy(self)
        other._form, other.payoffs = self.build_form().scaled(times), self.payoffs * times
        return other

    def check(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that does not walk every history."""
        if algorithm.sampling is not None or algorithm.exact:
            raise ZerosumError(
                f"{algorithm.name} cannot solve {self.name}: use an algorithm that walks every history, like dcfr"
            )

    def estimate(self, algorithm: Algorithm, threads: int | None = None, notify: StageCallback | None = None) -> None:
        """Return None: it takes a few megabytes."""

    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> PublicSolver:
        return PublicSolver(self.build_form(), algorithm, limits.find_horizon(algorithm), limits.threads)

    def collect_result(self, solver: Any, outcome: Any) -> Any:
        raise NotImplementedError

    @classmethod
    def codec(cls) -> Any:
        raise NotImplementedError
