"""How good a pair of plans is: best responses, exploitability, expected value."""

from __future__ import annotations

import numpy as np

from rue.errors import RueError
from rue.forms.compile import form_of
from rue.forms.sequence_form import SequenceForm, numbers
from rue.forms.treeplex import WIDEST, Floats, Treeplex
from rue.games.game import Game
from rue.native.kernel import Call, Kernel
from rue.records import dataclass
from rue.solvers.given import check_pair, laid_over

JUDGE = Kernel("rue.solvers.judge_walk:judge")


@dataclass(frozen=True)
class Judged:
    """Something with a `value`, the first player's, and `gains`: what each player would gain by a best response."""

    value: float
    gains: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """The sum of what the two players could gain; zero at an equilibrium, where rounding may say less."""
        return max(0.0, self.gains[0] + self.gains[1])

    @property
    def exploitability(self) -> float:
        """The mean of what the two players could gain."""
        return self.nash_conv / 2


@dataclass(frozen=True)
class Evaluation(Judged):
    """What two plans are worth: `gains` is what each player would gain by a best response.

    The second player wins what the first one loses, less what the house takes: the `rake`. With or without one, the sum
    of the gains is zero exactly at an equilibrium.

    >>> found = Evaluation(value=-0.05, gains=(0.01, 0.03))
    >>> found.nash_conv, found.exploitability
    (0.04, 0.02)
    """

    rake: float = 0.0


def best_response(treeplex: Treeplex, gradient: Floats, given: Floats | None = None) -> tuple[float, Floats]:
    """The largest value of a plan against a gradient, and a pure plan that attains it.

    Bottom-up: v[I] = max over a of g[I, a] + the sum of v[J] over the infosets J that follow (I, a). Where a strategy
    is given it is played instead: `given` has a number for each sequence, nan where there is a choice.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> rps = compile_game(make("rps"))
    >>> best_response(rps.treeplexes[0], np.array([0.0, 1.0, 3.0, 2.0]))
    (3.0, array([1., 0., 1., 0.]))
    """
    if not isinstance(treeplex, Treeplex):
        raise RueError(f"a best response is that of form.treeplexes[0] or [1] of a compiled game, not {treeplex!r:.60}")
    tree = treeplex.tree
    total = numbers(treeplex, gradient, "a gradient").copy()
    given = None if given is None else numbers(treeplex, given, "what is given")
    choice = np.zeros(treeplex.sequences)
    choice[0] = 1.0
    for start, actions, width, infoset in tree.blocks[::-1]:
        here = slice(start, start + actions * width)
        block = total[here].reshape(actions, width)
        best = block.argmax(axis=0)
        choice[start + best * width + np.arange(width)] = 1.0
        value = block[best, np.arange(width)]
        if given is not None:
            choice[here] = laid_over(choice[here], given[here])
            value = (choice[here].reshape(actions, width) * block).sum(axis=0)
        np.add.at(total, tree.parent[infoset : infoset + width], value)
    return float(total[0]), treeplex.plan(choice)


def evaluate(
    form: SequenceForm | Game | str, one: Floats, two: Floats, given: tuple[Floats | None, ...] = (None, None)
) -> Evaluation:
    """The expected value of two plans, and how much each player could gain by leaving them, but for what is given.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> kuhn = compile_game(make("kuhn"))
    >>> round(evaluate(kuhn, *(tree.uniform_plan() for tree in kuhn.treeplexes)).nash_conv, 6)
    0.916667
    """
    form = form_of(form)
    check_pair(given)
    gradient_one, gradient_two = form.gradients(one, two)
    value = float(np.asarray(one) @ gradient_one)
    best_one, _ = best_response(form.treeplexes[0], gradient_one, given[0])
    best_two, _ = best_response(form.treeplexes[1], gradient_two, given[1])
    return Evaluation(value + form.shift, (best_one - value, best_two + value))


class Judgement:
    """Two accumulated averages, a number for each sequence, about to be evaluated by the kernel of `judge_walk`."""

    def __init__(self, form: SequenceForm, averages: tuple[Floats, Floats]) -> None:
        self.form = form
        sizes = [treeplex.sequences for treeplex in form.treeplexes]
        self._plans, self._gradients, self._values = (tuple(np.zeros(size) for size in sizes) for _ in range(3))
        trees = tuple(treeplex.tree for treeplex in form.treeplexes)
        room = self._plans, self._gradients, self._values, np.zeros((2, WIDEST))
        self.call = Call(JUDGE, (trees, form.operators, averages, *room))

    def evaluate(self) -> Evaluation:
        """What `evaluate` finds of the plans of the averages."""
        self.call()
        value = float(np.sum(self._plans[0] * self._gradients[0]))  # a product of BLAS would wake all its threads
        one, two = (float(values[0]) for values in self._values)
        return Evaluation(value + self.form.shift, (one - value, two + value))
