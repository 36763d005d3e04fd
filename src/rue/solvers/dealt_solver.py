"""A sampled run of an algorithm on a card game in public form, with dealt hands; the same two things to do as ever."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.sampling import PublicChanceSampling
from rue.algorithms.splitmix import first_state
from rue.errors import RueError
from rue.forms.dealt import HAND_ROWS, ONE_FOLDS, OUTCOMES, START, TWO_FOLDS, dealt
from rue.forms.public_form import ACTIONS
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import Round
from rue.forms.treeplex import Floats
from rue.native.kernel import Call
from rue.once import cached_property
from rue.solvers.base import MOST, State
from rue.solvers.costs import A_NODE, public_judgement_of
from rue.solvers.dealt_space import SAMPLE_DEALS, Deal, Queue
from rue.solvers.evaluate import Evaluation
from rue.solvers.limits import Limits
from rue.solvers.public_solver import PublicSolver
from rue.solvers.sampled_solver import TableSolver


class DealtSolver(TableSolver):
    """Samples an algorithm's walks on a card game, two hands and a board at a time; a seed always gives the same run.

    An iteration is a walk for each player, each with a deal of its own. `nodes` counts every node that the walks
    entered: decisions, ends, the deal of the hands and those of public cards. Numbers are float64: an average that
    grows by 1 a visit stands still at 2^24 in float32, and the walk is no slower.

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.poker_public import poker_tree
    >>> from rue.games.kuhn import Kuhn
    >>> solver = DealtSolver(poker_tree(Kuhn()), algorithm("mccfr"), seed=1)
    >>> solver.run(20_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.02
    (-0.06, True)
    """

    kind = "dealt"
    form: PublicTree

    def __init__(self, tree: PublicTree, algorithm: Algorithm, seed: int = 0, limits: Limits | None = None) -> None:
        if isinstance(algorithm.sampling, PublicChanceSampling):
            raise RueError(f"{algorithm.name} deals boards, not hands: use PublicSampler")
        super().__init__(tree, algorithm, seed, limits)
        self.look_seconds = public_judgement_of(tree) + A_NODE * sum(tree.store)
        self.table = self._new_table(sum(tree.store))
        self._dealt = dealt(tree)
        self._deal = new_deal(tree, seed)
        self._generator = self._deal.state
        self._queue = self._new_queue()
        self._judged = -1

    def _new_queue(self) -> Queue:
        decisions = 1 + _decisions(self.form.first, {})
        actions = int(self._dealt.choices[:, ACTIONS].max())
        slots = len(self._deal.pays) + 1 + decisions * actions
        return Queue(
            nodes=np.zeros((decisions, 4), np.int64),
            above=np.zeros(decisions, np.int64),
            values=np.zeros(slots),
            reach=np.zeros((slots, 2)),
        )

    def load(self) -> None:
        super().load()
        self._discount(1.0, 1.0, 1.0)

    def _sample(self, iterations: int, limit: int) -> int:
        return self.walk(0, 2 * iterations, limit) // 2

    def walk(self, player: int, walks: int = 1, limit: int = MOST) -> int:
        """So many walks, the first for a player, then in turn; returns how many there were before the limit."""
        return self._walks(player, walks, limit)

    @cached_property
    def _walks(self) -> Call:
        space = self._dealt, self._deal, self.table, self._queue, self._way, self.touched
        return Call(SAMPLE_DEALS, (*space, 0, 0, 0))

    def restore(self, state: State, iteration: int) -> None:
        super().restore(state, iteration)
        self._judged = -1

    def where(self, name: str, index: int) -> str:
        starts = self._dealt.places[:, [START, START + 1]]
        place, player = np.unravel_index(np.where(starts <= index, starts, -1).argmax(), starts.shape)
        return f"{self.form.board_at(int(place)).label or 'the start'}, player {player + 1}"

    @property
    def bytes(self) -> int:
        """Memory of what is learnt, of the tables and of the averages in the order of the public form."""
        arrays = [*self._dealt, *self.table, *self._queue, *self._deal]
        return int(sum(array.nbytes for array in arrays)) + 4 * sum(self.form.store)

    def arranged(self, numbers: Floats) -> tuple[Floats, Floats]:
        """Numbers of the table in the order of the public form's store: row by row at a place, not hand by hand.

        Hands that are alike have the same ones.
        """
        stores = [np.empty(size) for size in self.form.store]
        for place in range(len(self._dealt.places)):
            for player in (0, 1):
                start, rows = self._dealt.places[place, [START + player, HAND_ROWS + player]]
                alike = self._dealt.alike[self.form.hands_at(place, player)]
                own = numbers[start : start + rows * len(alike)].reshape(len(alike), rows)[alike]
                stores[player][self.form.span(place, player)] = own.T.ravel()
        return stores[0], stores[1]

    @cached_property
    def _judge(self) -> PublicSolver:
        judge = PublicSolver(self.form, Algorithm(self.algorithm.name), 1, self.threads)
        judge.turns = self.turns
        return judge

    @property
    def judge(self) -> PublicSolver:
        """A solver of the public form that holds the average strategies, to evaluate them and to look at them."""
        if self._judged != self.iteration:
            self._judge.set_averages(*self.arranged(self.table.average))
            self._judge.iteration = self._judged = self.iteration
        return self._judge

    def averages(self) -> tuple[Any, Any]:
        return self.judge.averages()

    def evaluate(self) -> Evaluation:
        return self.judge.evaluate()


def new_deal(tree: PublicTree, seed: int) -> Deal:
    """The generator of a seed and room for a deal."""
    pays = np.zeros(OUTCOMES * tree.levels)
    pays[ONE_FOLDS::OUTCOMES], pays[TWO_FOLDS::OUTCOMES] = -1.0, 1.0
    return Deal(
        state=first_state(seed),
        hands=np.zeros((tree.levels, 2), np.int64),
        cards=np.zeros(tree.levels, np.int64),
        pays=pays,
    )


def _decisions(betting: Round, known: dict[Round, int]) -> int:
    """The decisions that a walk can meet from a round on, for one deal."""
    if betting not in known:
        after = sum(_decisions(end.following, known) for end in betting.deals if end.following is not None)
        known[betting] = len(betting.choices) + after
    return known[betting]
