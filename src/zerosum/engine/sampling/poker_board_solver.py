"""Public chance sampling on the small poker games, evaluated in sequence form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.poker import build_poker_tree, map_poker_sequences
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import arrays_of
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.sampling.board_solver import BoardSampler
from zerosum.engine.sequence.best_response import AverageEvaluator, Evaluation
from zerosum.engine.solver import Arrays
from zerosum.engine.time_costs import estimate_sequence_evaluation
from zerosum.games.poker.card_game import PokerGame
from zerosum.support.errors import ZerosumError


class PokerBoardSampler(BoardSampler):
    """Samples boards on a poker game whose infosets distinguish all cards; evaluates averages in sequence form.

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
        return self.form.plans(self.averages())

    def static_arrays(self) -> Arrays:
        return arrays_of(self.form)

    def display_arrays(self) -> Arrays:
        """The averages, a number for each sequence."""
        first, second = self.averages()
        return {"sums0": first, "sums1": second}

    def evaluate(self) -> Evaluation:
        return AverageEvaluator(self.form, self.averages()).evaluate()
