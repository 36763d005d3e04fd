"""Monte Carlo CFR on an enumerated game."""

from __future__ import annotations

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm as named_algorithm
from zerosum.algorithms.sampling import ChanceSampling
from zerosum.engine.forms.sequence.form_compiler import as_sequence_form
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import form_to_arrays
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.history_walk import WalkScratch, run_walks
from zerosum.engine.sampling.sampled_solver import TableSolver
from zerosum.engine.sequence.best_response import AverageEvaluator, Evaluation
from zerosum.engine.solver import Arrays
from zerosum.engine.time_costs import estimate_sequence_evaluation
from zerosum.games.game import Game


class HistorySampler(TableSolver):
    """Monte Carlo CFR on an enumerated game; the same seed always gives the same result.

    An iteration is a walk for each player. `nodes` counts every node that the walks enter, including chance moves
    and ends. Strategies are uniform at infosets that no walk has visited. With `start_seed` the initial regrets are
    drawn from (0, 1) instead of being zero.

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> solver = HistorySampler(compile_game(create_game("kuhn")), algorithm("mccfr"), seed=1)
    >>> solver.run(20_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.02
    (-0.06, True)
    """

    kind = "slots"
    supports_exponents = True
    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm | Game | str,
        algorithm: str | Algorithm,
        seed: int = 0,
        limits: Limits | None = None,
        start_seed: int | None = None,
    ) -> None:
        form = as_sequence_form(form, sampled=True)
        super().__init__(form, named_algorithm(algorithm), seed, limits)
        self.evaluation_seconds = estimate_sequence_evaluation(form)
        self._tree = form.history_tree
        assert form.slot_sequences is not None
        self._slot_sequences: tuple[Integers, Integers] = form.slot_sequences
        self.table = self._new_table(sum(self._tree.n_slots), start_seed)
        self._scratch = self._new_scratch()

    def _new_scratch(self) -> WalkScratch:
        depth, widest = max(1, self._tree.depth) + 1, self._tree.max_actions
        samples_chance = isinstance(self.algorithm.sampling, ChanceSampling)
        size = sum(self._tree.n_slots) if samples_chance else 0
        infosets = self.form.infosets if samples_chance else 0
        return WalkScratch(
            state=self._generator,
            touched=self.touched,
            frame=np.zeros((depth, 2), np.int64),
            sigma=np.zeros((depth, widest)),
            value=np.zeros((depth, widest)),
            reach=np.zeros((depth, 2)),
            instant=np.zeros(size),
            visited_at=np.zeros(size, np.int64),
            visited_infosets=np.zeros((infosets, 2), np.int64),
            exponent=np.ones(1),
        )

    @property
    def bytes(self) -> int:
        """The memory of the table, the histories and the scratch arrays."""
        histories = self._tree.nodes, self._tree.chance, self._tree.payoff
        return sum(array.nbytes for array in (*histories, *self.table, *self._scratch))

    def _run_walks(self, iterations: int, limit: int) -> int:
        first = self.iteration + 1
        return int(run_walks(self._tree, self.table, self._scratch, self._scheme, first, iterations, limit))

    def static_arrays(self) -> Arrays:
        """Return the arrays of the form, and the sequence of each slot."""
        order = {f"order{player}": sequences.astype(np.uint32) for player, sequences in enumerate(self._slot_sequences)}
        return {**form_to_arrays(self.form), **order}

    def describe_decision_at(self, name: str, index: int) -> str:
        first_slots = self._tree.n_slots[0]
        player = int(index >= first_slots)
        return self.form.describe_sequence(player, int(self._slot_sequences[player][index - player * first_slots]))

    def arrange_by_sequence(self, slots: Floats) -> tuple[Floats, Floats]:
        """Rearrange numbers of the slots as numbers of the sequences of both players."""
        arranged = np.zeros(self._tree.n_slots[0]), np.zeros(self._tree.n_slots[1])
        for player, numbers in enumerate(np.split(slots, self._tree.n_slots[:1])):
            arranged[player][self._slot_sequences[player]] = numbers
        return arranged

    @property
    def regrets(self) -> tuple[Floats, Floats]:
        """The accumulated regret of every sequence, discounted and floored as the algorithm does."""
        return self.arrange_by_sequence(self.table.regret)

    def averages(self) -> tuple[Floats, Floats]:
        return self.arrange_by_sequence(self.table.average)

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans_from_averages(self.averages())

    def evaluate(self) -> Evaluation:
        return AverageEvaluator(self.form, self.averages()).evaluate()
