"""Public chance sampling on the small poker games: boards are sampled on the public form, the rest is general."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.public_places import poker_places
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats
from rue.games.poker import Poker
from rue.solvers.base import Arrays
from rue.solvers.costs import judgement_of
from rue.solvers.evaluate import Evaluation, Judgement
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.public_sampler import PublicSampler


class BoardSolver(PublicSampler):
    """Samples boards on a poker game whose infosets tell every card; averages and evaluates in sequence form.

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> solver = BoardSolver(compile_game(make("leduc")), algorithm("pcs-cfr"), seed=1)
    >>> solver.run(1000)
    >>> solver.evaluate().exploitability < 0.1
    True
    """

    kind = "boards"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm, seed: int = 0, limits: Limits | None = None) -> None:
        game = form.rules
        if not isinstance(game, Poker) or game.infosets != "card":
            raise RueError(
                f"{algorithm.name} samples boards: it goes with poker games whose infosets tell every card, "
                f"and {form.name} is none; use cs-cfr"
            )
        tree = poker_tree(game)
        self._places = poker_places(game, form, tree)
        if any(len(places) > 1 and places[1:].min() < 0 for places in self._places):
            raise RueError(f"{algorithm.name} goes with the infosets of the rules: {form.name} was refined; use cs-cfr")
        limits = replace(limits or Limits(iterations=WITHOUT_END), threads=1)
        super().__init__(tree, algorithm, seed, limits, np.float64)
        self.form = form
        self.look_seconds = judgement_of(form)

    def averages(self) -> tuple[Floats, Floats]:
        both = zip(super().averages(), self._places, strict=True)
        one, two = (np.append(1.0, average[places[1:]]) for average, places in both)
        return one, two

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans(self.averages())

    def fixed(self) -> Arrays:
        return arrays_of(self.form)

    def shown(self) -> Arrays:
        """The averages, a number for each sequence."""
        one, two = self.averages()
        return {"sums0": one, "sums1": two}

    def evaluate(self) -> Evaluation:
        return Judgement(self.form, self.averages()).evaluate()
