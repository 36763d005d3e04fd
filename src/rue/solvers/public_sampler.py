"""Public chance sampling on a card game: one board an iteration, every hand of both players on it.

Johanson et al. 2012. The walk is that of `rue.solvers.public_walk`; it is given tables in which every board on the way
has one child, the sampled one, whose chance is divided by the probability to be sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.averages import Power
from rue.algorithms.choices import Discount
from rue.algorithms.sampling import PublicChanceSampling
from rue.errors import RueError
from rue.forms.public_form import BUNDLE, CHILDREN, FIRST_CHILD, FIRST_PLACE, GROUPS
from rue.forms.public_tree import PublicTree
from rue.native.kernel import Call, prepare
from rue.once import cached_property
from rue.solvers.base import Arrays, State
from rue.solvers.costs import A_LANE, public_judgement_of
from rue.solvers.evaluate import Evaluation
from rue.solvers.limits import Limits
from rue.solvers.periods import Periodic
from rue.solvers.public_solver import PublicSolver
from rue.solvers.public_space import BOTH, LEARN, WHOLE, Portion
from rue.solvers.team import Team


class PublicSampler(Periodic):
    """Samples boards; a seed always gives the same run, whatever the number of threads.

    A card is drawn among all that the board leaves, whoever may hold it: with M of them, m of which are stored as the
    drawn one, the chance of a card given two hands is multiplied by M/m. `nodes` counts a node of the public tree once
    for each hand of the player who learns; without a card to come, nothing is sampled.

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.poker_public import poker_tree
    >>> from rue.games.leduc import Leduc
    >>> solver = PublicSampler(poker_tree(Leduc()), algorithm("pcs-cfr"), seed=1)
    >>> solver.run(10_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.03
    (-0.09, True)
    """

    kind = "sampled boards"
    node_seconds = A_LANE

    def __init__(
        self,
        tree: PublicTree,
        algorithm: Algorithm,
        seed: int = 0,
        limits: Limits | None = None,
        dtype: Any = np.float32,
    ) -> None:
        super().__init__(tree, algorithm, seed, limits)
        if not isinstance(algorithm.sampling, PublicChanceSampling):
            raise RueError(f"{algorithm.name} does not deal boards alone: use DealtSolver")
        self.tree = tree
        self.look_seconds = public_judgement_of(tree)
        floor = Discount(floor=algorithm.accumulate.floor)
        plain = replace(algorithm, accumulate=floor, average=Power(), sampling=None)
        self.judge = solver = PublicSolver(tree, plain, 1, self.threads, dtype)
        solver.turns = self.turns
        self._rows = np.repeat(plain.coefficients(2, 2, 10), 2, axis=0).astype(dtype)
        self._results = np.zeros((1, 0, 0), dtype)
        self._random = np.random.default_rng(seed)
        form = tree.form
        self._tables = form._replace(boards=form.boards.copy(), places=form.places.copy(), chance=form.chance.copy())
        self._cards = [np.repeat(np.arange(len(b.children)), [len(c.sources) for c in b.children]) for b in tree.boards]
        self._public_nodes = np.array([len(bundle.choices()) + len(bundle.ends()) for bundle in tree.bundles])

    @property
    def bytes(self) -> int:
        return self.judge.bytes

    def load(self) -> None:
        prepare([self._learn])

    def _sample(self, iterations: int, limit: int) -> int:
        for done in range(iterations):
            self.touched += self.set_board(self._draw())
            self._learn()
            if self.nodes >= limit:
                return done + 1
        return iterations

    def _draw(self) -> list[int]:
        """A path of boards: which child comes on each level."""
        path: list[int] = []
        board = 0
        while len(self._cards[board]):
            path.append(int(self._cards[board][int(self._random.random() * len(self._cards[board]))]))
            board = int(self.tree.form.boards[board, FIRST_CHILD]) + path[-1]
        return path

    def set_board(self, path: Sequence[int]) -> int:
        """Leave one child to each board on a path; returns the nodes that a walk for each player touches there."""
        form, tables = self.tree.form, self._tables
        board, places = 0, [0]
        touched = 0
        for child in [*path, -1]:
            hands = sum(len(hands) for hands in self.tree.boards[board].hands)
            touched += hands * int(self._public_nodes[form.places[places, BUNDLE]].sum())
            if child < 0:
                break
            cards = self._cards[board]
            tables.boards[board, FIRST_CHILD] = form.boards[board, FIRST_CHILD] + child
            tables.boards[board, CHILDREN] = 1
            tables.chance[board] = form.chance[board] * len(cards) / np.count_nonzero(cards == child)
            after: list[int] = []
            for place in places:
                groups = int(form.bundles[form.places[place, BUNDLE], GROUPS])
                first = self.tree.following(place, child, 0)
                tables.places[place, FIRST_PLACE] = first
                after += range(first, first + groups)
            board, places = int(tables.boards[board, FIRST_CHILD]), after
        return touched

    @cached_property
    def _learn(self) -> Call:
        """An iteration on the board that was set."""
        portion = Portion(WHOLE, BOTH, np.zeros(0, np.int64))
        arguments = self.judge.learning_arguments(self._tables, self.judge.weights, self._results, self._rows, portion)
        return Team().calls(LEARN, arguments, 1)[0]

    def _discount(self, positive: float, negative: float, average: float) -> None:
        for store in self.judge.stores:
            regret, mass = store.regret, store.average
            regret *= np.where(regret > 0, positive, negative)
            mass *= average

    def state(self) -> Arrays:
        numbers: Any = self._random.bit_generator.state["state"]
        halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 2**64)]
        return {**self.judge.state(), "generator": np.array(halves, dtype=np.uint64), "touched": self.touched}

    def restore(self, state: State, iteration: int) -> None:
        super().restore(state, iteration)
        words = [int(word) for word in state["generator"]]
        whole: Any = self._random.bit_generator.state
        whole["state"] = {"state": words[0] * 2**64 + words[1], "inc": words[2] * 2**64 + words[3]}
        self._random.bit_generator.state = whole

    def where(self, name: str, index: int) -> str:
        return self.judge.where(name, index)

    def averages(self) -> tuple[Any, Any]:
        return self.judge.averages()

    def evaluate(self) -> Evaluation:
        return self.judge.evaluate()
