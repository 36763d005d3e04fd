"""Monte Carlo CFR on an enumerated game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm as named_algorithm
from zerosum.algorithms.choices import RegretMatching
from zerosum.algorithms.sampling import ChanceSampling, OutcomeSampling, PublicChanceSampling
from zerosum.engine.forms.sequence.form_compiler import as_sequence_form
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import arrays_of
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.history_walk import Histories, SampledTable, SamplingScheme, WalkScratch, run_walks
from zerosum.engine.sampling.periodic_solver import PeriodicSolver
from zerosum.engine.sequence.best_response import AverageEvaluator, Evaluation
from zerosum.engine.solver import Arrays
from zerosum.engine.time_costs import estimate_sequence_evaluation
from zerosum.games.game import Game
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError
from zerosum.support.splitmix import initial_state


def sampling_scheme(algorithm: Algorithm, nodes: float | None = None) -> SamplingScheme:
    """Return the choices of a sampled algorithm as numbers for the kernels; raise an error if histories do not fit it.

    `nodes` is the number touched when the run ends, which the exponent of temperature matching refers to.
    """
    sampling = algorithm.sampling
    assert sampling is not None
    if isinstance(sampling, PublicChanceSampling):
        name = algorithm.name
        raise ZerosumError(f"{name} samples boards, which histories do not show: use PokerBoardSampler or cs-cfr")
    explore, step = 0.0, 0.0
    if isinstance(sampling, OutcomeSampling):
        explore, step = sampling.explore, sampling.baseline or 0.0
    assert isinstance(algorithm.match, RegretMatching)
    exponent = algorithm.match.exponent
    assert not callable(exponent)
    first, last = (exponent.first, exponent.last) if isinstance(exponent, Linear) else (exponent, exponent)
    return SamplingScheme(
        sampling.code,
        int(algorithm.accumulate.floor),
        float(explore),
        float(step),
        int(algorithm.both_plans),
        float(first),
        float(last),
        float(nodes or 1.0),
    )


class TableSampler(PeriodicSolver):
    """A compiled sampled run that keeps its numbers in one table."""

    table: SampledTable

    def __init__(self, form: Any, algorithm: Algorithm, seed: int, limits: Limits | None) -> None:
        super().__init__(form, algorithm, seed, limits)
        nodes = None if limits is None else limits.find_node_limit(algorithm)
        self._scheme, self._generator = sampling_scheme(algorithm, nodes), initial_state(self.seed)

    def _new_table(self, slots: int, start_seed: int | None = None) -> SampledTable:
        return SampledTable(
            regret=np.zeros(slots) if start_seed is None else np.random.default_rng(start_seed).random(slots),
            average=np.zeros(slots),
            baseline=np.zeros(slots if self._scheme.step > 0 else 0),
            previous_regret=np.zeros(slots if self._scheme.both_plans else 0),
            changed_at=np.zeros(slots if self._scheme.both_plans else 0, np.int64),
        )

    def load(self) -> None:
        self._run_walks(0, 0)

    def learned(self) -> Iterator[tuple[Floats, Floats]]:
        yield self.table.regret, self.table.average

    def state(self) -> Arrays:
        arrays = self.table._asdict()
        for name in () if self._scheme.both_plans else ("previous_regret", "changed_at"):
            del arrays[name]
        return {**arrays, "generator": self._generator, "touched": self.touched}


class HistorySampler(TableSampler):
    """Monte Carlo CFR on an enumerated game; a seed always gives the same run.

    An iteration is a walk for each player. `nodes` counts every node that the walks enter, chance moves and ends
    included. Infosets that no walk has met play uniformly. With `start_seed` the first regrets are drawn from (0, 1).

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
        """Memory of the table, of the histories and of the scratch arrays."""
        return self._tree.bytes + sum(array.nbytes for array in (*self.table, *self._scratch))

    def _run_walks(self, iterations: int, limit: int) -> int:
        tree = self._tree
        arrays = Histories(tree.nodes, tree.chance, tree.payoff)
        first = self.iteration + 1
        return int(run_walks(arrays, self.table, self._scratch, self._scheme, first, iterations, limit))

    def static_arrays(self) -> Arrays:
        """The names and the order of the infosets, and the sequence of each slot."""
        assert self.form.renumber is not None
        order = {f"order{player}": sequences.astype(np.uint32) for player, sequences in enumerate(self.form.renumber)}
        return {**arrays_of(self.form), **order}

    def describe_index(self, name: str, index: int) -> str:
        assert self.form.renumber is not None
        player = int(index >= self._tree.n_slots[0])
        return self.form.where(player, int(self.form.renumber[player][index - player * self._tree.n_slots[0]]))

    def by_sequence(self, slots: Floats) -> tuple[Floats, Floats]:
        """Rearrange numbers of the slots as numbers of the sequences of both players."""
        assert self.form.renumber is not None
        arranged: list[Floats] = []
        for numbers, order in zip(np.split(slots, [self._tree.n_slots[0]]), self.form.renumber, strict=True):
            arranged.append(np.empty_like(numbers))
            arranged[-1][order] = numbers
        return arranged[0], arranged[1]

    @property
    def regrets(self) -> tuple[Floats, Floats]:
        """The accumulated regret of every sequence, discounted and floored as the algorithm does."""
        return self.by_sequence(self.table.regret)

    def averages(self) -> tuple[Floats, Floats]:
        return self.by_sequence(self.table.average)

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans(self.averages())

    def evaluate(self) -> Evaluation:
        return AverageEvaluator(self.form, self.averages()).evaluate()
