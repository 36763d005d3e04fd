"""The locks of a spot as a part of its problem: their strategies, interchangeable suits and cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from zerosum.engine.forms.public.lines import FixedDecisions, pack_fixed_decisions, unpack_fixed_decisions
from zerosum.holdem.cards.suits import IDENTITY, SuitPermutation, find_suit_symmetries
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.lock_set import LockSet, SolveFunction
from zerosum.problems.locks import LocksLike, Reader, parse_locks, split_lock
from zerosum.support.thread_safety import cached_property

if TYPE_CHECKING:
    from zerosum.holdem.problem.locks import SpotLocks
    from zerosum.holdem.problem.problem import SpotProblem
    from zerosum.runs.saved_run import SavedRun


class SpotLockSet(LockSet):
    """The locks of a spot: for each decision a column per hand, nan where hands learn."""

    def __init__(self, spot: Spot, requested: LocksLike | None, unlocked: Any) -> None:
        super().__init__(requested, unlocked)
        self.spot = spot
        self._parsed = self._parse()
        self.texts = () if self._parsed is None else tuple(lock.lock.text for lock in self._parsed.locks)
        self._strategies: FixedDecisions | None = None if self else {}

    def _parse(self) -> SpotLocks | None:
        if self.requested is None:
            return None
        from zerosum.holdem.problem.locks import SpotLocks

        return SpotLocks(self.spot, parse_locks(self.requested, split_lock))

    @cached_property
    def suits(self) -> list[SuitPermutation] | None:
        """The suits that locks leave interchangeable; None for all that the spot allows."""
        if self._parsed is None:
            return None
        return self._parsed.find_invariant_suits(find_suit_symmetries(self.spot.board, self.spot.weights))

    def read_lock_files(self, reader: Reader) -> None:
        super().read_lock_files(reader)
        self._parsed = self._parse()

    def prepare_strategies(self, problem: SpotProblem, solve: SolveFunction | None = None) -> None:
        if self._strategies is not None or self._parsed is None:
            return
        from zerosum.holdem.problem.evaluation import check_unlocked_solution, compute_lock_cost

        # Overall frequencies stay close to the solution without locks.
        self.unlocked = self.unlocked or any(lock.lock.is_overall for lock in self._parsed.locks)
        tree, unlocked = problem.build_form(), self.take_unlocked_solution(problem, solve)
        if unlocked is not None:
            check_unlocked_solution(self.spot, unlocked)
        self._strategies = self._parsed.compute_strategies(tree, unlocked)
        if unlocked is not None:
            self.cost = compute_lock_cost(tree, unlocked, self._strategies)

    def collect_arrays(self, problem: SpotProblem) -> dict[str, NDArray[Any]]:
        return pack_fixed_decisions(self.compute_strategies(problem)) if self else {}

    def restore(self, problem: SpotProblem, saved: SavedRun) -> None:
        super().restore(problem, saved)
        if self:
            self.suits = read_saved_suits(saved.header)
            self._strategies = unpack_fixed_decisions(problem.build_form(), saved.read_array)

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "suits": [list(suits) for suits in self.suits or ()]} if self else {}


def read_saved_suits(header: Mapping[str, Any]) -> list[SuitPermutation]:
    """Return the interchangeable suits that a saved run states; none if they follow from its spot."""
    if not header["isomorphism"]:
        return [IDENTITY]
    return [tuple(suits) for suits in header.get("suits") or ()]
