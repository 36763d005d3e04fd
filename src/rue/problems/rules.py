"""A game by its rules alone: sampled without an enumeration, for games that are too large for one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import unpacked
from rue.problems.game import GameLike, GameProblem
from rue.problems.judge import Judging
from rue.problems.locks import LocksLike
from rue.problems.problem import Reached, Saved, Tell, Written, as_text, numbers_of
from rue.problems.start import Start
from rue.results.game import GameResult
from rue.results.result import Decision
from rue.solvers.base import BaseSolver
from rue.solvers.limits import Limits
from rue.solvers.rules_solver import RulesSolver, decisions_of
from rue.solvers.rules_table import RulesTable

if TYPE_CHECKING:
    from rue.problems.diff import Comparing, Diff


class RulesProblem(GameProblem):
    """The rules of a game. Nothing can say how exploitable a strategy is: only the infosets met are known.

    >>> RulesProblem("liars-dice(dice=2)").name
    'liars-dice(dice=2)'
    """

    kinds = (RulesSolver.kind,)
    judged = False

    def __init__(self, game: GameLike, refine: bool = False, locks: LocksLike | None = None) -> None:
        if isinstance(game, SequenceForm):
            raise RueError(f"{game.name} is compiled: a run by rules needs the rules")
        if locks:
            raise RueError("nothing can be locked where infosets are not known: leave that out (--by-rules, by_rules=)")
        super().__init__(game)

    def build(self, tell: Tell | None = None, sampled: bool = True) -> Any:
        """The rules, which need no building."""
        return self.rules

    def check(self, algorithm: Algorithm) -> None:
        """Refuse what needs the whole game."""
        if algorithm.sampling is None:
            raise RueError(
                f"{algorithm.name} needs the whole game: by rules alone goes with an algorithm that samples, like mccfr"
            )
        algorithm.check_histories()

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        super().check_run(algorithm, limits, start)
        if limits.until is not None:
            why = "by rules alone the exploitability is not known"
            raise RueError(f"{why}: end the run by nodes, iterations or seconds")
        if start.start_seed is not None:
            raise RueError("by rules alone every infoset starts from zero regret: leave out the start seed")

    def estimate(self, algorithm: Algorithm, threads: int | None = None, tell: Tell | None = None) -> None:
        """Nothing: the size of the game is not known."""

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Whatever is met fits, or ends the run."""

    def _solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        return RulesSolver(self.rules, algorithm, start.seed or 0, limits)

    def result(self, solver: BaseSolver, reached: Reached) -> GameResult:
        """The average strategies at the infosets met."""
        assert isinstance(solver, RulesSolver)
        return GameResult(
            game=self.name,
            infosets=solver.table.infosets,
            sequences=solver.table.sequences,
            decisions=tuple(solver.decisions()),
            **numbers_of(solver, reached),
        )

    def check_saved(self, saved: Saved) -> None:
        """Refuse a file of rules that has changed: nothing else tells one game from another."""
        if self.text is not None and self.data()["source"] != saved.header["source"]:
            raise RueError(f"{self.text} is not the game of this run, or its file has changed")

    @classmethod
    def _saved_decisions(cls, saved: Saved) -> Iterable[Decision]:
        """What is done at the infosets that were met."""
        arrays = saved.arrays()
        table = RulesTable(baselines=arrays["baseline"].size > 0)
        table.restore(arrays)
        names = dict(zip(table.actions, map(as_text, unpacked(arrays["names"])), strict=True))
        known = {key: names[slot] for slots in table.slots for key, slot in slots.items()}
        return decisions_of(table, known.__getitem__)

    def check_judging(self, strategy: Written, how: Judging) -> None:
        """Refused: best responses and meetings need every history."""
        raise RueError("a strategy is judged on every history of a game: leave out by_rules")

    def diff(self, one: Written, two: Written, how: Comparing, tell: Tell | None = None) -> Diff:
        """Refused for the same reason."""
        raise RueError("strategies are compared on every history of a game: leave out by_rules")
