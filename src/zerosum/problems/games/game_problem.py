"""A game in sequence form: every history is enumerated, once."""

from __future__ import annotations

import threading
from dataclasses import astuple
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from zerosum.algorithms import DEFAULT_FOR_GAMES
from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.sampling import PublicChanceSampling
from zerosum.engine.fixed_strategies import GivenSequences
from zerosum.engine.forms.sequence.enumeration import CHECK_EVERY
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.forms.sequence.memory import GameCounts, estimate_peak_bytes, estimate_run_bytes
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.size_probe import ApproximateSize, probe_size
from zerosum.engine.limits import Limits
from zerosum.engine.sequence.solver import Solver
from zerosum.engine.solver import BaseSolver
from zerosum.engine.time_costs import (
    SECONDS_PER_ENTRY,
    SECONDS_PER_NODE,
    SECONDS_PER_SEQUENCE,
    estimate_sequence_iteration,
)
from zerosum.problems.codec import RunOutcome, collect_result_fields
from zerosum.problems.estimate import ROUGHNESS, Estimate, RoughEstimate
from zerosum.problems.games.game_lock_set import GameLocks
from zerosum.problems.games.game_storage import GameCodec, GameLike, GameSource, list_decisions
from zerosum.problems.lock_set import collect_lock_fields
from zerosum.problems.problem import Problem, StageCallback
from zerosum.problems.start import Start
from zerosum.results.game_result import GameResult
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

if TYPE_CHECKING:
    from zerosum.problems.games.game_evaluation import GameEvaluation
    from zerosum.problems.locks import LocksLike

SECONDS_PER_HISTORY = 4e-6
"""Time to enumerate a history by rules in Python."""
MAX_COUNTED = 10_000_000
"""Histories that are enumerated for an exact estimate; larger games get a rough one."""
LARGEST = 1e300


class GameProblem(Problem):
    """A game whose histories are enumerated.

    refine: split infosets of imperfect recall.
    locks: strategies that are fixed.
    unlocked: the solution without locks, if their cost is of interest.

    >>> GameProblem("kuhn").sizes
    (12, 26)
    """

    default = DEFAULT_FOR_GAMES

    def __init__(
        self, game: GameLike, refine: bool = False, locks: LocksLike | None = None, unlocked: Any = None
    ) -> None:
        self.source = GameSource(game)
        self.refine = refine
        self._form = game if isinstance(game, SequenceForm) else None
        self._lock = threading.Lock()
        self.locks: GameLocks = GameLocks(locks, unlocked)

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process, with the form if the problem has no rules to build it from."""
        return super().__getstate__() | ({"_form": self._form} if self.source.rules is None else {})

    @property
    def bare_name(self) -> str:
        return str(self.build_form().name) if self.source.rules is None else self.source.name

    def build_form(self, notify: StageCallback | None = None, sampled: bool = False) -> Any:
        with self._lock:
            if self._form is None:
                if notify is not None:
                    notify(f"compiling {self.name}", 0)
                    if self.approximate_size is not None and self.approximate_size.histories > CHECK_EVERY:
                        notify("expected", round(self.approximate_size.histories))
                count = None if notify is None else partial(notify, "histories")
                self._form = compile_game(self.source.rules, refine=self.refine, sampled=sampled, progress=count)
            return self._form

    def scaled(self, times: float) -> GameProblem:
        if times == 1.0:
            return self
        other = GameProblem(self.build_form().scaled(times), self.refine)
        other.payoffs = self.payoffs * times
        return other

    def release_form(self) -> None:
        """Free the memory of the form, unless it cannot be built again."""
        if self.source.rules is not None:
            self._form = None

    @property
    def fixed(self) -> GivenSequences:
        """The strategies of the locks."""
        strategies: GivenSequences = self.locks.compute_strategies(self)
        return strategies

    def without_locks(self) -> GameProblem:
        form = self.build_form()
        bare = GameProblem(form if self.source.rules is None else self.source.rules, self.refine)
        bare._form = form
        return bare

    @cached_property
    def approximate_size(self) -> ApproximateSize | None:
        """The approximate size of the game; None if its rules fail: enumerating it then reports a better error."""
        try:
            return probe_size(self.source.rules)
        except Exception:
            return None

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Raise an error if the game does not fit in memory: before it is enumerated, only if it is far too large."""
        size = self.rough_estimate if self._form is None else self._estimate_form(self._form, algorithm)
        if size is not None:
            size.check_memory()

    def estimate_bytes(self, algorithm: Algorithm) -> int | None:
        if self._form is not None:
            return self._estimate_form(self._form, algorithm).bytes
        return None if self.rough_estimate is None else ROUGHNESS * self.rough_estimate.bytes

    @cached_property
    def rough_estimate(self) -> RoughEstimate | None:
        """A rough estimate from the size of the game, without enumerating it."""
        if self.approximate_size is None:
            return None
        histories, ends, decisions = (int(min(number, LARGEST)) for number in astuple(self.approximate_size)[:3])
        return RoughEstimate(
            game=self.name,
            histories=histories,
            infosets=decisions,
            infoset_actions=histories,
            bytes=self._rules_bytes + GameCounts(histories, ends).peak_bytes,
            seconds=2 * SECONDS_PER_ENTRY * ends + SECONDS_PER_SEQUENCE * histories,
            enumeration=SECONDS_PER_HISTORY * histories,
        )

    def estimate(
        self, algorithm: Algorithm, threads: int | None = None, notify: StageCallback | None = None
    ) -> Estimate | None:
        """Return the cost of solving the game; very large games are not enumerated for that."""
        if self._form is None and self.approximate_size is not None and self.approximate_size.histories > MAX_COUNTED:
            return self.rough_estimate
        return self._estimate_form(self.build_form(notify, sampled=algorithm.sampling is not None), algorithm)

    def _estimate_form(self, form: SequenceForm, algorithm: Algorithm) -> Estimate:
        run = estimate_run_bytes(form, algorithm)
        whole = self._rules_bytes + estimate_peak_bytes(form, run)
        return Estimate(
            game=self.name,
            infosets=form.infosets,
            infoset_actions=form.sequences - 2,
            bytes=whole,
            seconds=estimate_sequence_iteration(form, algorithm),
            histories=form.histories,
            taken=whole - run,
            iterates=not algorithm.exact and algorithm.sampling is None,
            node_seconds=None if algorithm.sampling is None else SECONDS_PER_NODE,
        )

    @property
    def _rules_bytes(self) -> int:
        """Bytes of the tables of the rules."""
        return int(getattr(self.source.rules, "memory_bytes", 0))

    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        form = self.build_form(sampled=algorithm.sampling is not None)
        self._estimate_form(form, algorithm).check_memory()
        if algorithm.exact:
            from zerosum.engine.exact.linear_program import LinearProgramSolver

            return LinearProgramSolver(form, algorithm, self.fixed)
        if isinstance(algorithm.sampling, PublicChanceSampling):
            from zerosum.engine.sampling.board_solver import PokerBoardSampler

            if start.start_seed is not None:
                raise ZerosumError(f"{algorithm.name} starts from zero regret: leave out the start seed")
            return PokerBoardSampler(form, algorithm, start.seed or 0, limits)
        if algorithm.sampling is not None:
            from zerosum.engine.sampling.history_solver import HistorySampler

            return HistorySampler(form, algorithm, start.seed or 0, limits, start.start_seed)
        horizon = limits.find_horizon(algorithm)
        if limits.nodes is not None:
            horizon = min(horizon, -(-int(limits.nodes) // (2 * form.histories)))
        solver = Solver(form, algorithm, horizon, start.start_seed, limits.threads, self.fixed)
        if start.strategy is not None:
            from zerosum.problems.games.strategy_profile import as_game_strategy, match_strategy

            solver.start_from(
                match_strategy(form, as_game_strategy(start.strategy), start.fill).strategies, start.weight
            )
        return solver

    @classmethod
    def codec(cls) -> GameCodec[Self]:
        return GameCodec(cls)

    def collect_result(self, solver: BaseSolver, outcome: RunOutcome) -> GameResult:
        form, numbers = self.build_form(), collect_result_fields(solver, outcome)
        return GameResult(
            game=self.name if self.locks else form.name,
            infosets=form.infosets,
            sequences=form.sequences,
            decisions=tuple(list_decisions(form, form.plans_from_averages(solver.averages()), self.fixed)),
            **numbers,
            **collect_lock_fields(self.locks.texts, self.locks.cost, numbers),
        )

    @property
    def evaluation(self) -> GameEvaluation:
        from zerosum.problems.games.game_evaluation import GameEvaluation

        return GameEvaluation(self)
