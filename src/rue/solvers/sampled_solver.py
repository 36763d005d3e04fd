"""A sampled run of an algorithm on an enumerated game; the same two things to do as with any solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import RegretMatching
from rue.algorithms.sampling import ChanceSampling, OutcomeSampling, PublicChanceSampling
from rue.algorithms.splitmix import first_state
from rue.errors import RueError
from rue.forms.compile import form_of
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats
from rue.games.game import Game
from rue.names import Linear
from rue.solvers import sampled_space as kernels
from rue.solvers.base import Arrays
from rue.solvers.costs import judgement_of
from rue.solvers.evaluate import Evaluation, Judgement
from rue.solvers.limits import Limits
from rue.solvers.periods import Periodic


def way_of(algorithm: Algorithm, nodes: float | None = None) -> kernels.Way:
    """The choices of a sampled algorithm as numbers for the kernels; the rest is refused with a sentence.

    `nodes` is how many are touched when the run ends, which the exponent of temperature matching refers to.
    """
    sampling = algorithm.sampling
    assert sampling is not None
    if isinstance(sampling, PublicChanceSampling):
        raise RueError(f"{algorithm.name} samples boards, which histories do not show: use BoardSolver or cs-cfr")
    explore, step = 0.0, 0.0
    if isinstance(sampling, OutcomeSampling):
        explore, step = sampling.explore, sampling.baseline or 0.0
    assert isinstance(algorithm.match, RegretMatching)
    exponent = algorithm.match.exponent
    assert not callable(exponent)
    first, last = (exponent.first, exponent.last) if isinstance(exponent, Linear) else (exponent, exponent)
    return kernels.Way(
        sampling.code,
        int(algorithm.accumulate.floor),
        float(explore),
        float(step),
        int(algorithm.both_plans),
        float(first),
        float(last),
        float(nodes or 1.0),
    )


class TableSolver(Periodic):
    """A compiled sampled run that learns in one table of slots."""

    table: kernels.Table

    def __init__(self, form: Any, algorithm: Algorithm, seed: int, limits: Limits | None) -> None:
        super().__init__(form, algorithm, seed, limits)
        nodes = None if limits is None else limits.end(algorithm)
        self._way, self._generator = way_of(algorithm, nodes), first_state(self.seed)

    def _new_table(self, slots: int, start_seed: int | None = None) -> kernels.Table:
        return kernels.Table(
            regret=np.zeros(slots) if start_seed is None else np.random.default_rng(start_seed).random(slots),
            average=np.zeros(slots),
            baseline=np.zeros(slots if self._way.step > 0 else 0),
            before=np.zeros(slots if self._way.both_plans else 0),
            changed=np.zeros(slots if self._way.both_plans else 0, np.int64),
        )

    def load(self) -> None:
        self._sample(0, 0)

    def _discount(self, positive: float, negative: float, average: float) -> None:
        kernels.DISCOUNT(self.table, positive, negative, average)

    def state(self) -> Arrays:
        learnt = self.table._asdict()
        for name in () if self._way.both_plans else ("before", "changed"):
            del learnt[name]
        return {**learnt, "generator": self._generator, "touched": self.touched}


class SampledSolver(TableSolver):
    """Samples an algorithm's walks on an enumerated game; a seed always gives the same run.

    An iteration is a walk for each player. `nodes` counts every node that the walks entered, chance moves and ends
    included. Infosets that no walk met play uniformly. With `start_seed` the first regrets are drawn from (0, 1).

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> solver = SampledSolver(compile_game(make("kuhn")), algorithm("mccfr"), seed=1)
    >>> solver.run(20_000)
    >>> round(solver.evaluate().value, 2), solver.evaluate().exploitability < 0.02
    (-0.06, True)
    """

    kind = "slots"
    tempered = True
    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm | Game | str,
        algorithm: str | Algorithm,
        seed: int = 0,
        limits: Limits | None = None,
        start_seed: int | None = None,
    ) -> None:
        form = form_of(form, sampled=True)
        super().__init__(form, named_algorithm(algorithm), seed, limits)
        self.look_seconds = judgement_of(form)
        self._tree = form.history_tree
        self.table = self._new_table(sum(self._tree.slots), start_seed)
        self._space = self._new_space()

    def _new_space(self) -> kernels.Space:
        depth, widest = max(1, self._tree.depth) + 1, self._tree.widest
        every = isinstance(self.algorithm.sampling, ChanceSampling)
        size = sum(self._tree.slots) if every else 0
        infosets = self.form.infosets if every else 0
        return kernels.Space(
            state=self._generator,
            touched=self.touched,
            frame=np.zeros((depth, 2), np.int64),
            sigma=np.zeros((depth, widest)),
            value=np.zeros((depth, widest)),
            reach=np.zeros((depth, 2)),
            instant=np.zeros(size),
            seen=np.zeros(size, np.int64),
            met=np.zeros((infosets, 2), np.int64),
            exponent=np.ones(1),
        )

    @property
    def bytes(self) -> int:
        """Memory of what is learnt, of the histories and of the scratch arrays."""
        return self._tree.bytes + sum(array.nbytes for array in (*self.table, *self._space))

    def _sample(self, iterations: int, limit: int) -> int:
        tree = self._tree
        arrays = kernels.Histories(tree.nodes, tree.chance, tree.payoff)
        return kernels.SAMPLE_MANY(arrays, self.table, self._space, self._way, self.iteration + 1, iterations, limit)

    def fixed(self) -> Arrays:
        """How the infosets read and follow each other, and the sequence of each slot."""
        assert self.form.renumber is not None
        order = {f"order{player}": own.astype(np.uint32) for player, own in enumerate(self.form.renumber)}
        return {**arrays_of(self.form), **order}

    def where(self, name: str, index: int) -> str:
        assert self.form.renumber is not None
        player = int(index >= self._tree.slots[0])
        return self.form.where(player, int(self.form.renumber[player][index - player * self._tree.slots[0]]))

    def _plans(self, slots: Floats) -> tuple[Floats, Floats]:
        """Numbers of the slots as numbers of the two players' sequences."""
        assert self.form.renumber is not None
        one, two = np.split(slots, [self._tree.slots[0]])
        arranged: list[Floats] = []
        for own, order in zip((one, two), self.form.renumber, strict=True):
            arranged.append(np.empty_like(own))
            arranged[-1][order] = own
        return arranged[0], arranged[1]

    @property
    def regrets(self) -> tuple[Floats, Floats]:
        """The accumulated regret of every sequence, discounted and floored as the algorithm does."""
        return self._plans(self.table.regret)

    def averages(self) -> tuple[Floats, Floats]:
        return self._plans(self.table.average)

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans(self.averages())

    def evaluate(self) -> Evaluation:
        return Judgement(self.form, self.averages()).evaluate()
