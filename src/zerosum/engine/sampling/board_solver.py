"""Public chance sampling on a card game: one board in each iteration, with every hand of both players.

Johanson et al. 2012. The walk is that of `zerosum.engine.public.walk`, on tables in which every board on the sampled
path has the next board of the path as its only child, whose chance is divided by its probability to be sampled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.algorithms.choices import Discount
from zerosum.algorithms.sampling import PublicChanceSampling
from zerosum.engine.forms.public.columns import BUNDLE, CHILDREN, FIRST_CHILD, FIRST_PLACE, GROUPS
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import form_to_arrays
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.walk import BOTH, WHOLE, Portion
from zerosum.engine.sampling.sampled_solver import SampledSolver
from zerosum.engine.sequence.best_response import AverageEvaluator, Evaluation
from zerosum.engine.solver import Arrays, State
from zerosum.engine.threads import KernelThreads
from zerosum.engine.time_costs import SECONDS_PER_HAND_NODE, estimate_public_evaluation, estimate_sequence_evaluation
from zerosum.native.kernel_call import KernelCall, compile_missing
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property


class BoardSampler(SampledSolver):
    """Samples boards; a seed always gives the same run, with any number of threads.

    A card is drawn from all M cards that are not on the board, even if a player may hold it; if m of them are stored as
    the drawn one, its chance given two hands is multiplied by M/m. `nodes` counts a node of the public tree once for
    each hand of the learner. On a river nothing is sampled.

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
            raise ZerosumError(f"{algorithm.name} does not sample boards: use DealSampler")
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
        self._public_nodes = np.array([len(bundle.decisions) + len(bundle.ends_with_rows) for bundle in tree.bundles])

    @property
    def bytes(self) -> int:
        return self.evaluator.bytes

    def load_kernels(self) -> None:
        compile_missing([self._iterate])

    def _run_walks(self, iterations: int, limit: int) -> int:
        for done in range(1, iterations + 1):
            self.touched += self.select_board(self._sample_board_path())
            self._iterate()
            if self.nodes >= limit:
                return done
        return iterations

    def _sample_board_path(self) -> list[int]:
        """Draw a path of boards: the number of the child at each level."""
        path: list[int] = []
        board = 0
        while len(self._cards[board]):
            path.append(int(self._cards[board][int(self._random.random() * len(self._cards[board]))]))
            board = int(self.tree.tables.boards[board, FIRST_CHILD]) + path[-1]
        return path

    def select_board(self, path: Sequence[int]) -> int:
        """Give each board on a path one child only; return the number of nodes that an iteration then touches."""
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
        """One iteration on the selected boards."""
        portion = Portion(WHOLE, BOTH, np.zeros(0, np.int64))
        bind = self.evaluator.bind_iterations(self._rows, portion, self._results, self._tables)
        return KernelThreads().bind_calls(bind, 1)[0]

    def get_regrets_and_averages(self) -> Iterable[tuple[Any, Any]]:
        return [(store.regret, store.average) for store in self.evaluator.stores]

    def state(self) -> Arrays:
        numbers: Any = self._random.bit_generator.state["state"]
        halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 2**64)]
        return {**self.evaluator.state(), "generator": np.array(halves, dtype=np.uint64), "touched": self.touched}

    def _copy_state(self, state: State) -> None:
        super()._copy_state(state)
        words = [int(word) for word in state["generator"]]
        generator: Any = self._random.bit_generator.state
        generator["state"] = {"state": words[0] * 2**64 + words[1], "inc": words[2] * 2**64 + words[3]}
        self._random.bit_generator.state = generator

    def describe_decision_at(self, name: str, index: int) -> str:
        return self.evaluator.describe_decision_at(name, index)

    def averages(self) -> tuple[Any, Any]:
        return self.evaluator.averages()

    def evaluate(self) -> Evaluation:
        return self.evaluator.evaluate()


class PokerBoardSampler(BoardSampler):
    """Samples boards on a small poker game whose infosets distinguish all cards; evaluates averages in sequence form.

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> solver = PokerBoardSampler(compile_game(create_game("leduc")), algorithm("pcs-cfr"), seed=1)
    >>> solver.run(1000)
    >>> solver.evaluate().exploitability < 0.1
    True
    """

    kind = "boards"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm, seed: int = 0, limits: Limits | None = None) -> None:
        from zerosum.engine.forms.public.poker import build_poker_tree, map_poker_sequences
        from zerosum.games.poker.card_game import PokerGame

        game = form.rules
        if not isinstance(game, PokerGame) or game.infosets != "card":
            raise ZerosumError(
                f"{algorithm.name} samples boards, which needs a poker game whose infosets distinguish all cards, "
                f"unlike {form.name}: use cs-cfr"
            )
        tree = build_poker_tree(game)
        self._places = map_poker_sequences(game, form, tree)
        if any(len(places) > 1 and places[1:].min() < 0 for places in self._places):
            raise ZerosumError(
                f"{algorithm.name} needs the infosets of the rules, and {form.name} was refined: use cs-cfr"
            )
        limits = replace(limits or Limits(iterations=UNLIMITED), threads=1)
        super().__init__(tree, algorithm, seed, limits, np.float64)
        self.form = form
        self.evaluation_seconds = estimate_sequence_evaluation(form)

    def averages(self) -> tuple[Floats, Floats]:
        pairs = zip(super().averages(), self._places, strict=True)
        first, second = (np.append(1.0, average[places[1:]]) for average, places in pairs)
        return first, second

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans_from_averages(self.averages())

    def static_arrays(self) -> Arrays:
        return form_to_arrays(self.form)

    def display_arrays(self) -> Arrays:
        """Return the averages, a number for each sequence."""
        first, second = self.averages()
        return {"sums0": first, "sums1": second}

    def evaluate(self) -> Evaluation:
        return AverageEvaluator(self.form, self.averages()).evaluate()
