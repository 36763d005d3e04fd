"""The problems of figures by the names of their games, each built once."""

from __future__ import annotations

from zerosum.papers.curve_job import CurveJob
from zerosum.papers.curve_spec import CurveSpec
from zerosum.papers.figure import LIBRATUS
from zerosum.papers.one_street_game import NAME_PREFIXES, OneStreetProblem
from zerosum.problems.problem import Problem
from zerosum.problems.registry import problem


class ProblemCache:
    """Problems by the names of their games."""

    def __init__(self, libratus_folder: str | None = None) -> None:
        self.libratus_folder = libratus_folder
        self._problems: dict[str, Problem] = {}

    def find(self, game: str) -> Problem:
        """Return the problem of a game."""
        if game not in self._problems:
            folder = self.libratus_folder if game.startswith(LIBRATUS) else None
            one_street = game.startswith(NAME_PREFIXES)
            self._problems[game] = OneStreetProblem(game) if one_street else problem(game, folder=folder)
        return self._problems[game]

    def job(self, spec: CurveSpec) -> CurveJob:
        """Return the job of a run."""
        return CurveJob(spec, self.find(spec.game))
