"""Public chance sampling on a card game: one board in each iteration, with every hand of both players.

Johanson et al. 2012. The walk is that of `zerosum.engine.public.walk`; it gets tables in which every board on the
path has one child, the sampled one, whose chance is divided by its probability to be sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.algorithms.choices import Discount
from zerosum.algorithms.sampling import PublicChanceSampling
from zerosum.engine.forms.public.columns import BUNDLE, CHILDREN, FIRST_CHILD, FIRST_PLACE, GROUPS
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.limits import Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.walk import BOTH, WHOLE, Portion
from zerosum.engine.sampling.periodic_solver import PeriodicSolver
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.engine.solver import Arrays, State
from zerosum.engine.threads import KernelThreads
from zerosum.engine.time_costs import SECONDS_PER_HAND_NODE, estimate_public_evaluation
from zerosum.native.kernel_call import KernelCall, compile_missing
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property


class BoardSampler(PeriodicSolver):
    """Samples boards; a seed always gives the same run, with any number of threads.

    A card is drawn among all M that the board leaves, in whatever hand; if m of them are stored as the drawn one, its
    chance given two hands is multiplied by M/m. `nodes` counts a node of the public tree once for each hand of the
    learner. On a river nothing is sampled.

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.engine.forms.public.poker import build_poker_tree
    >>> from zerosum.games.poker.leduc import Leduc
    >>> solver = BoardSampler(build_poker_tree(Leduc()), algorithm("pcs-cfr"), seed=1)
    >>> solver.run(10_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.03
    (-0.09, True)
    """

    kind = "sampled boards"
    node_seconds = SECONDS_PER_HAND_NODE

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
            raise ZerosumError(f"{algorithm.name} does not deal boards alone: use DealSampler")
        self.tree = tree
        self.evaluation_seconds = estimate_public_evaluation(tree)
        floor = Discount(floor=algorithm.accumulate.floor)
        plain = replace(algorithm, accumulate=floor, average=Power(), sampling=None)
        self.evaluator = solver = PublicSolver(tree, plain, 1, self.threads, dtype)
        solver.lock = self.lock
        self._rows = np.repeat(plain.coefficients(2, 2, 10), 2, axis=0).astype(dtype)
        self._results = np.zeros((1, 0, 0), dtype)
        self._random = np.random.default_rng(seed)
        form = tree.tables
        self._tables = form._replace(boards=form.boards.copy(), places=form.places.copy(), chance=form.chance.copy())
        self._cards = [np.repeat(np.arange(len(b.children)), [len(c.sources) for c in b.children]) for b in tree.boards]
        self._public_nodes = np.array([len(bundle.decisions) + len(bundle.ends) for bundle in tree.bundles])

    @property
    def bytes(self) -> int:
        return self.evaluator.bytes

    def load(self) -> None:
        compile_missing([self._iterate])

    def _run_walks(self, iterations: int, limit: int) -> int:
        for done in range(iterations):
            self.touched += self.select_board(self._sample_board())
            self._iterate()
            if self.nodes >= limit:
                return done + 1
        return iterations

    def _sample_board(self) -> list[int]:
        """Draw a path of boards: the child on each level."""
        path: list[int] = []
        board = 0
        while len(self._cards[board]):
            path.append(int(self._cards[board][int(self._random.random() * len(self._cards[board]))]))
            board = int(self.tree.tables.boards[board, FIRST_CHILD]) + path[-1]
        return path

    def select_board(self, path: Sequence[int]) -> int:
        """Give each board on a path one child only; return the nodes that a walk for each player touches there."""
        form, tables = self.tree.tables, self._tables
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
                first = self.tree.find_next_place(place, child, 0)
                tables.places[place, FIRST_PLACE] = first
                after += range(first, first + groups)
            board, places = int(tables.boards[board, FIRST_CHILD]), after
        return touched

    @cached_property
    def _iterate(self) -> KernelCall:
        """An iteration on the selected board."""
        portion = Portion(WHOLE, BOTH, np.zeros(0, np.int64))
        bind = self.evaluator.bind_iterations(self._rows, portion, self._results, self._tables)
        return KernelThreads().bind_calls(bind, 1)[0]

    def learned(self) -> Iterator[tuple[Any, Any]]:
        for store in self.evaluator.stores:
            yield store.regret, store.average

    def state(self) -> Arrays:
        numbers: Any = self._random.bit_generator.state["state"]
        halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 2**64)]
        return {**self.evaluator.state(), "generator": np.array(halves, dtype=np.uint64), "touched": self.touched}

    def restore(self, state: State, iteration: int) -> None:
        super().restore(state, iteration)
        words = [int(word) for word in state["generator"]]
        whole: Any = self._random.bit_generator.state
        whole["state"] = {"state": words[0] * 2**64 + words[1], "inc": words[2] * 2**64 + words[3]}
        self._random.bit_generator.state = whole

    def describe_index(self, name: str, index: int) -> str:
        return self.evaluator.describe_index(name, index)

    def averages(self) -> tuple[Any, Any]:
        return self.evaluator.averages()

    def evaluate(self) -> Evaluation:
        return self.evaluator.evaluate()
