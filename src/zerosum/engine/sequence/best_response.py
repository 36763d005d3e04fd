"""Best responses, and the value and the exploitability of a pair of plans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zerosum.engine.fixed_strategies import check_strategy_pair, overlay_fixed_strategy
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, check_vector
from zerosum.engine.forms.sequence.treeplex import WIDEST, Floats, Treeplex
from zerosum.engine.sequence.walk import evaluate_averages
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError


@dataclass(frozen=True)
class ValueAndGains:
    """The `value` for player 1, and the `gains` of each player by a best response."""

    value: float
    gains: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """The sum of the gains of both players: zero at an equilibrium, where rounding would make it negative."""
        return max(0.0, self.gains[0] + self.gains[1])

    @property
    def exploitability(self) -> float:
        """The mean of the gains of both players."""
        return self.nash_conv / 2


@dataclass(frozen=True)
class Evaluation(ValueAndGains):
    """The value of two plans for player 1, and the gains of each player by a best response.

    Player 2 wins what player 1 loses, less the `rake` that the house takes. With or without rake, the sum of the gains
    is zero exactly at an equilibrium.

    >>> evaluation = Evaluation(value=-0.05, gains=(0.01, 0.03))
    >>> evaluation.nash_conv, evaluation.exploitability
    (0.04, 0.02)
    """

    rake: float = 0.0


def best_response(treeplex: Treeplex, gradient: Floats, fixed: Floats | None = None) -> tuple[float, Floats]:
    """Return the largest value of a plan against a gradient, and a pure plan that attains it.

    Bottom-up: v[I] = max over a of g[I, a] + the sum of v[J] over the infosets J that follow (I, a). A fixed strategy
    is played instead of the best action: `fixed` has a number for each sequence, NaN where there is a choice.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> rps = compile_game(create_game("rps"))
    >>> best_response(rps.treeplexes[0], np.array([0.0, 1.0, 3.0, 2.0]))
    (3.0, array([1., 0., 1., 0.]))
    """
    if not isinstance(treeplex, Treeplex):
        raise ZerosumError(
            f"a best response needs a treeplex, such as form.treeplexes[0] of a compiled game, not {treeplex!r:.60}"
        )
    tree = treeplex.tree
    total = check_vector(treeplex, gradient, "a gradient").copy()
    fixed = None if fixed is None else check_vector(treeplex, fixed, "the fixed strategy")
    choice = np.zeros(treeplex.sequences)
    choice[0] = 1.0
    for start, actions, width, infoset in tree.blocks[::-1]:
        sequences = slice(start, start + actions * width)
        block = total[sequences].reshape(actions, width)
        best = block.argmax(axis=0)
        choice[start + best * width + np.arange(width)] = 1.0
        value = block[best, np.arange(width)]
        if fixed is not None:
            choice[sequences] = overlay_fixed_strategy(choice[sequences], fixed[sequences])
            value = (choice[sequences].reshape(actions, width) * block).sum(axis=0)
        np.add.at(total, tree.parent[infoset : infoset + width], value)
    return float(total[0]), treeplex.plan(choice)


def evaluate(
    form: SequenceForm | Game | str, x: Floats, y: Floats, fixed: tuple[Floats | None, ...] = (None, None)
) -> Evaluation:
    """Return the expected value of the plans x and y, and the gains of each player by a best response.

    `fixed` has the strategies from which the players cannot deviate, as in `best_response`.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> kuhn = compile_game(create_game("kuhn"))
    >>> round(evaluate(kuhn, *(tree.uniform_plan() for tree in kuhn.treeplexes)).nash_conv, 6)
    0.916667
    """
    from zerosum.engine.forms.sequence.form_compiler import as_sequence_form

    form = as_sequence_form(form)
    check_strategy_pair(fixed)
    x_gradient, y_gradient = form.gradients(x, y)
    value = float(np.asarray(x) @ x_gradient)
    x_best, _ = best_response(form.treeplexes[0], x_gradient, fixed[0])
    y_best, _ = best_response(form.treeplexes[1], y_gradient, fixed[1])
    return Evaluation(value + form.shift, (x_best - value, y_best + value))


class AverageEvaluator:
    """Evaluates two accumulated averages: a number for each sequence."""

    def __init__(self, form: SequenceForm, averages: tuple[Floats, Floats]) -> None:
        self._shift = form.shift
        first, second = form.treeplexes
        self._plans, self._gradients, self._values = (
            (np.zeros(first.sequences), np.zeros(second.sequences)) for _ in range(3)
        )
        results = self._plans, self._gradients, self._values
        self.call = evaluate_averages.bind(
            (first.tree, second.tree), form.operators, averages, *results, np.zeros((2, WIDEST))
        )

    def evaluate(self) -> Evaluation:
        """Return the evaluation of the plans of the averages, as `evaluate` does."""
        self.call()
        value = float(np.sum(self._plans[0] * self._gradients[0]))  # a product of BLAS would wake all its threads
        x_best, y_best = (float(values[0]) for values in self._values)
        return Evaluation(value + self._shift, (x_best - value, y_best + value))
