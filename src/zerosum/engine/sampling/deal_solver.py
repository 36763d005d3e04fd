"""Monte Carlo CFR on a card game, one deal at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.sampling import PublicChanceSampling
from zerosum.engine.forms.public.columns import ACTIONS
from zerosum.engine.forms.public.rounds import Round
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.limits import Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sampling.deal_tables import HAND_ROWS, ONE_FOLDS, OUTCOMES, START, TWO_FOLDS, build_deal_tables
from zerosum.engine.sampling.deal_walk import WalkQueue, run_deal_walks
from zerosum.engine.sampling.deals import DealState
from zerosum.engine.sampling.sampled_solver import TableSolver
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.engine.solver import State
from zerosum.engine.time_costs import SECONDS_PER_NODE, estimate_public_evaluation
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property


class DealSampler(TableSolver):
    """Monte Carlo CFR on a card game, with two hands and a board at a time; a seed always gives the same run.

    An iteration is a walk for each player, each with a new deal. `nodes` counts every node that the walks
    enter: decisions, ends, the deal of the hands and those of public cards. Numbers are float64, because an average
    that grows by 1 a visit would stop growing at 2^24 in float32, and float32 is no faster here.

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.engine.forms.public.poker import build_poker_tree
    >>> from zerosum.games.poker.kuhn import Kuhn
    >>> solver = DealSampler(build_poker_tree(Kuhn()), algorithm("mccfr"), seed=1)
    >>> solver.run(20_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.02
    (-0.06, True)
    """

    kind = "dealt"
    form: PublicTree

    def __init__(self, tree: PublicTree, algorithm: Algorithm, seed: int = 0, limits: Limits | None = None) -> None:
        if isinstance(algorithm.sampling, PublicChanceSampling):
            raise ZerosumError(f"{algorithm.name} deals boards, not hands: use BoardSampler")
        super().__init__(tree, algorithm, seed, limits)
        self.evaluation_seconds = estimate_public_evaluation(tree) + SECONDS_PER_NODE * sum(tree.store_sizes)
        self.table = self._new_table(sum(tree.store_sizes))
        self._tables = build_deal_tables(tree)
        self._deal = allocate_deal(tree, self._generator)
        self._queue = self._new_queue()
        self._evaluated_at = -1

    def _new_queue(self) -> WalkQueue:
        decisions = 1 + _count_decisions(self.form.first, {})
        actions = int(self._tables.choices[:, ACTIONS].max())
        slots = len(self._deal.payoffs) + 1 + decisions * actions
        return WalkQueue(
            nodes=np.zeros((decisions, 4), np.int64),
            parent_slot=np.zeros(decisions, np.int64),
            values=np.zeros(slots),
            reach=np.zeros((slots, 2)),
        )

    def _run_walks(self, iterations: int, limit: int) -> int:
        return self.run_walks(0, 2 * iterations, limit) // 2

    @cached_property
    def run_walks(self) -> KernelCall:
        """The call that runs walks; its arguments are the first player, the number of walks, and a limit of nodes."""
        arrays = self._tables, self._deal, self.table, self._queue
        return run_deal_walks.bind(*arrays, self._scheme, self.touched, 0, 0, 0)

    def _copy_state(self, state: State) -> None:
        super()._copy_state(state)
        self._evaluated_at = -1

    def describe_decision_at(self, name: str, index: int) -> str:
        starts = self._tables.places[:, [START, START + 1]]
        place, player = np.unravel_index(np.where(starts <= index, starts, -1).argmax(), starts.shape)
        return f"{self.form.get_board(int(place)).label or 'the start'}, player {player + 1}"

    @property
    def bytes(self) -> int:
        """The memory of the learned numbers, the tables, and the averages in the order of the public form."""
        arrays = [*self._tables, *self.table, *self._queue, *self._deal]
        return int(sum(array.nbytes for array in arrays)) + 4 * sum(self.form.store_sizes)

    def arrange_in_public_order(self, numbers: Floats) -> tuple[Floats, Floats]:
        """Rearrange numbers of the table, which are hand by hand at each place, row by row as in the public form.

        Isomorphic hands get the same numbers.
        """
        stores = [np.empty(size) for size in self.form.store_sizes]
        for place in range(len(self._tables.places)):
            for player in (0, 1):
                start, rows = self._tables.places[place, [START + player, HAND_ROWS + player]]
                hands = self._tables.representatives[self.form.slice_hands_at(place, player)]
                by_hand = numbers[start : start + rows * len(hands)].reshape(len(hands), rows)[hands]
                stores[player][self.form.slice_place(place, player)] = by_hand.T.ravel()
        return stores[0], stores[1]

    @cached_property
    def _evaluator(self) -> PublicSolver:
        evaluator = PublicSolver(self.form, Algorithm(self.algorithm.name), 1, self.threads)
        evaluator.lock = self.lock
        return evaluator

    @property
    def evaluator(self) -> PublicSolver:
        """A solver of the public form that holds the average strategies, to evaluate and view them."""
        if self._evaluated_at != self.iteration:
            self._evaluator.set_averages(*self.arrange_in_public_order(self.table.average))
            self._evaluator.iteration = self._evaluated_at = self.iteration
        return self._evaluator

    def averages(self) -> tuple[Any, Any]:
        return self.evaluator.averages()

    def evaluate(self) -> Evaluation:
        return self.evaluator.evaluate()


def allocate_deal(tree: PublicTree, generator: NDArray[np.uint64]) -> DealState:
    """Allocate a deal that is drawn by a random generator (`zerosum.support.splitmix.initial_state`)."""
    payoffs = np.zeros(OUTCOMES * tree.extents.levels)
    payoffs[ONE_FOLDS::OUTCOMES], payoffs[TWO_FOLDS::OUTCOMES] = -1.0, 1.0
    return DealState(
        state=generator,
        hands=np.zeros((tree.extents.levels, 2), np.int64),
        cards=np.zeros(tree.extents.levels, np.int64),
        payoffs=payoffs,
    )


def _count_decisions(betting: Round, cache: dict[Round, int]) -> int:
    """Count the decisions that a walk with one deal can meet in a round and after it."""
    if betting not in cache:
        after = sum(_count_decisions(end.next_round, cache) for end in betting.deals if end.next_round is not None)
        cache[betting] = len(betting.choices) + after
    return cache[betting]
