"""A hold'em spot as a problem: solved and evaluated on its public form, in chips."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from zerosum.algorithms import DEFAULT_FOR_HOLDEM
from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.sampling import PublicChanceSampling
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.public.solver import PublicSolver, check_half_store
from zerosum.engine.solver import BaseSolver
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.betting.tree import RIVER
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.hand_strength import compute_equity, list_kernel_calls
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.engine.estimate import SpotEstimate, Storage, estimate_spot
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.problem.codec import SpotCodec, find_public_solver
from zerosum.holdem.problem.lock_set import SpotLockSet
from zerosum.holdem.solution.decision_table import CHIPS, find_ev_unit
from zerosum.holdem.solution.partial_solution import parse_saved_streets
from zerosum.holdem.solution.result import SpotResult, build_chip_unit
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.files import spot_from_dict, spot_to_dict
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.native.kernel_call import compile_missing
from zerosum.problems.codec import RunOutcome, collect_result_fields
from zerosum.problems.lock_set import collect_lock_fields, hash_repr
from zerosum.problems.locks import LocksLike, as_lock_list
from zerosum.problems.problem import Problem, StageCallback
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.thread_safety import cached_property

if TYPE_CHECKING:
    from zerosum.cluster.placement import MachinePool
    from zerosum.holdem.problem.evaluation import SpotEvaluation


class SpotProblem(Problem):
    """A spot that is solved, here or by many machines, and on which strategies are evaluated.

    isomorphism, half: how it is stored, see `Storage`.
    streets: the streets that a saved run is to keep, if not all.
    locks, unlocked: the strategies to fix, and the solution without them, see `zerosum.problems.lock_set.LockSet`.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> from zerosum.engine.public.saved_solution import EVALUATION_ONLY
    >>> SpotProblem(load_spot("river")).estimate(EVALUATION_ONLY).infosets
    6420
    """

    problem_kind = "holdem"
    default = DEFAULT_FOR_HOLDEM
    estimates_without_building = True
    rebuilt = ("_lock", "_tree")

    def __init__(
        self,
        spot: Spot,
        isomorphism: bool = True,
        half: bool = False,
        streets: str | Sequence[str] | None = None,
        locks: LocksLike | None = None,
        unlocked: Any = None,
    ) -> None:
        self.spot = replace(spot, locks=())
        self.storage = Storage(isomorphism, half)
        self.streets = parse_saved_streets(streets, spot)
        if self.streets is not None and (locks or spot.locks):
            raise ZerosumError("streets that are dropped are solved again, without locks: leave out either of them")
        self._tree: PublicTree | None = None
        self._lock = threading.Lock()
        self._pool: MachinePool | None = None
        """The machines that hold its deals, if it is shared."""
        self.locks: SpotLockSet = SpotLockSet(self.spot, [*spot.locks, *as_lock_list(locks)] or None, unlocked)

    @property
    def bare_name(self) -> str:
        return str(self.spot)

    @property
    def unit(self) -> Unit:
        return build_chip_unit(self.spot.pot, self.spot.big_blind)

    @property
    def fingerprint(self) -> str:
        """A hash of the cards, ranges, bets and locks."""
        locked = {"locks": self.locks.identity} if self.locks else {}
        return hash_repr(sorted({**spot_to_dict(self.spot), **locked}.items()))

    def build_form(self, notify: StageCallback | None = None, sampled: bool = False) -> PublicTree:
        with self._lock:
            if self._tree is None:
                if notify is not None:
                    notify(f"building {self.name}", 0)
                self._tree = build_public_tree(self.spot, self.storage.isomorphism, notify, self.locks.suits)
            return self._tree

    @property
    def fixed(self) -> FixedDecisions:
        """The strategies of the locks."""
        strategies: FixedDecisions = self.locks.compute_strategies(self)
        return strategies

    def without_locks(self) -> Self:
        bare = type(self)(self.spot, self.storage.isomorphism, self.storage.half)
        bare._tree = self.build_form()
        bare.locks.suits = self.locks.suits
        return bare

    def scaled(self, times: float) -> Self:
        if times == 1.0:
            return self
        other = copy.copy(self)
        other._tree, other.payoffs = self.build_form().scaled(times), self.payoffs * times
        return other

    def release_form(self) -> None:
        self._tree = None

    def use_tree(self, tree: PublicTree) -> None:
        """Take a tree that was read from a file instead of building one."""
        self._tree = tree

    def build_result(self, solution: Solution, numbers: dict[str, Any]) -> SpotResult:
        """Return the result of a solution, with the numbers of its run."""
        sizes = {"infosets": solution.tree.infosets, "sequences": solution.tree.sequences}
        fields = {"game": self.name, "equity": self.equity, "solution": solution, "unit": self.unit}
        locked = collect_lock_fields(self.locks.texts, self.locks.cost, numbers)
        return SpotResult(**{**sizes, **fields, **numbers, **locked})

    @cached_property
    def equity(self) -> float:
        """The share of the pot that the player out of position wins if nobody bets."""
        return compute_equity(self.spot.board, *(Range(weights) for weights in self.spot.weights))

    @cached_property
    def content(self) -> dict[str, Any]:
        """The spot as in a file; stored, because it is needed at every save of a run."""
        content = spot_to_dict(self.spot)
        if spot_from_dict(content) != self.spot:
            raise ZerosumError(f"{self.spot} cannot be stored and loaded again, so its run cannot be saved")
        return content

    @classmethod
    def codec(cls) -> SpotCodec:
        return SpotCodec(cls)

    def check_algorithm(self, algorithm: Algorithm) -> None:
        super().check_algorithm(algorithm)
        algorithm.check_without_enumeration()
        if algorithm.exact:
            raise ZerosumError(
                f"{algorithm.name} needs the whole payoff matrix, which hold'em never stores: choose another algorithm"
            )
        if self.storage.half:
            check_half_store(algorithm)

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        super().check_run(algorithm, limits, start)
        if start.start_seed is not None:
            raise ZerosumError(f"{option_name('start_seed')} does not apply to hold'em")
        if start.strategy is not None:
            if self.storage.half:
                raise ZerosumError("the 16-bit store starts from zero: leave out either the start or the 16-bit store")
            self.evaluation.check_strategy(start.strategy, start.fill)
        if self._pool is not None and (algorithm.sampling is not None or start.strategy is not None):
            reason = "starts from a strategy" if algorithm.sampling is None else "samples"
            raise ZerosumError(f"a run that {reason} stays on one machine: leave out {option_name('on')}")

    def check_view(self, view: Mapping[str, str | None]) -> None:
        find_ev_unit(self.spot, view.get("unit") or CHIPS.name)
        position, hand = find_decision(self.spot, view.get("line") or ""), view.get("hand")
        player = position.node.player
        if hand is not None and not (select_hands(hand, position.board) & (self.spot.weights[player] > 0)).any():
            raise ZerosumError(f"no hand of {hand} is in the range {PLAYER_NAMES[player]} there")

    def estimate(
        self, algorithm: Algorithm, threads: int | None = None, notify: StageCallback | None = None
    ) -> SpotEstimate:
        """Estimate the size, memory and time of solving it, without building anything."""
        size = replace(estimate_spot(self.spot, algorithm, self.storage, threads, self.locks.suits), game=self.name)
        if self._pool is None:
            return size
        whole = estimate_spot(self.spot, algorithm, self.storage, self._pool.count_threads(threads), self.locks.suits)
        from zerosum.holdem.engine.cluster_estimate import estimate_on_cluster

        return estimate_on_cluster(whole, self._pool)

    def load_kernels(self, algorithm: Algorithm) -> None:
        """Iterate and evaluate once on a tiny spot, so that a run is timed without loading and compiling.

        Kernels that are not compiled yet are compiled side by side.
        """
        hands = list_kernel_calls()
        if algorithm.sampling is None and not all(call.is_compiled for call in hands):
            from zerosum.engine.forms.public.poker import build_poker_tree
            from zerosum.games.poker.kuhn import Kuhn

            smallest = PublicSolver(build_poker_tree(Kuhn()), algorithm, 1, 1, self.storage.dtype)
            compile_missing([*smallest.bind_calls(), *hands])
        tiny = SpotProblem(spot("2s 2h 3d 3c 4s", 100, 100, "AA", "KK", "allin"), half=self.storage.half)
        limits = Limits(iterations=UNLIMITED, threads=1)
        solver = tiny._build_untuned_solver(algorithm, limits, Start())
        solver.load_kernels()
        solver.evaluate()

    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        tree = self.build_form()
        if isinstance(algorithm.sampling, PublicChanceSampling):
            from zerosum.engine.sampling.board_solver import BoardSampler

            return BoardSampler(tree, algorithm, start.seed or 0, limits)
        if algorithm.sampling is not None:
            from zerosum.engine.sampling.deal_solver import DealSampler

            return DealSampler(tree, algorithm, start.seed or 0, limits)
        horizon, dtype = limits.find_horizon(algorithm), self.storage.dtype
        if self._pool is not None:
            from zerosum.holdem.problem.sharing import start_shared_solver

            return start_shared_solver(self, self._pool, algorithm, limits)
        solver = PublicSolver(tree, algorithm, horizon, limits.threads, dtype, self.fixed)
        if start.strategy is not None:
            from zerosum.holdem.problem.evaluation import read_averages

            first = self.evaluation.convert_to_result(start.strategy, start.fill)
            solver.start_from(read_averages(tree, first), start.weight)
        return solver

    def check_can_be_shared(self) -> None:
        if self.spot.street == RIVER:
            raise ZerosumError("a river has no card to come, so machines cannot share it: solve it on one machine")
        if self.streets is not None:
            raise ZerosumError(f"{option_name('streets')} applies to runs on one machine: leave it out")

    def share_among(self, pool: MachinePool) -> SpotProblem:
        problem = copy.copy(self)
        problem._lock, problem._pool = threading.Lock(), pool
        return problem

    def collect_result(self, solver: BaseSolver, outcome: RunOutcome) -> SpotResult:
        return self.build_result(
            Solution(self.spot, find_public_solver(solver)), collect_result_fields(solver, outcome)
        )

    @property
    def evaluation(self) -> SpotEvaluation:
        from zerosum.holdem.problem.evaluation import SpotEvaluation

        return SpotEvaluation(self)
