"""The locks of a game as a part of its problem: their strategies and their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from zerosum.engine.fixed_strategies import FREE, GivenSequences
from zerosum.problems.games.game_storage import read_fixed_strategies
from zerosum.problems.lock_set import LockSet, SolveFunction
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.problems.games.game_problem import GameProblem
    from zerosum.problems.locks import LocksLike
    from zerosum.runs.saved_run import SavedRun


class GameLocks(LockSet):
    """The locks of a game in sequence form: for each player the probabilities of sequences, nan where they are free."""

    def __init__(self, requested: LocksLike | None, unlocked: Any) -> None:
        super().__init__(requested, unlocked)
        if requested is not None:
            from zerosum.problems.games.game_locks import parse_game_locks

            self.texts = tuple(lock.text for lock in parse_game_locks(requested))
        self._strategies: GivenSequences | None = None if self else FREE

    def prepare_strategies(self, problem: GameProblem, solve: SolveFunction | None = None) -> None:
        if self._strategies is not None:
            return
        from zerosum.problems.games.game_locks import compute_fixed_sequences, compute_lock_cost, parse_game_locks
        from zerosum.problems.games.strategy_profile import as_game_strategy

        form = problem.build_form()
        locks = parse_game_locks(self.requested, form)
        self.texts = tuple(lock.text for lock in locks)
        self._strategies = compute_fixed_sequences(form, locks)
        solution = self.take_unlocked_solution(problem, solve)
        if solution is not None:
            unlocked = as_game_strategy(solution)
            if unlocked.locks:
                raise ZerosumError(f"the solution without locks has a lock itself: {unlocked.locks[0]}")
            self.cost = compute_lock_cost(form, unlocked, self._strategies)

    def collect_arrays(self, problem: GameProblem) -> dict[str, NDArray[Any]]:
        strategies = self.compute_strategies(problem)
        return {f"given{player}": strategy for player, strategy in enumerate(strategies) if strategy is not None}

    def restore(self, problem: GameProblem, saved: SavedRun) -> None:
        super().restore(problem, saved)
        self._strategies = read_fixed_strategies(saved)
