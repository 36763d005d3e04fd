"""Public chance sampling on the small poker games: boards are sampled on the public form, the rest is general."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.public_places import poker_places
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats
from rue.games.poker import Poker
from rue.solvers.evaluate import Evaluation, evaluate
from rue.solvers.limits import WITHOUT_END
from rue.solvers.periods import Periodic
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.state import State


class BoardSolver(Periodic):
    """Samples boards on a poker game whose infosets tell every card; averages and evaluates in sequence form.

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> solver = BoardSolver(compile_game(make("leduc")), algorithm("pcs-cfr"), seed=1)
    >>> solver.run(1000)
    >>> solver.evaluate().exploitability < 0.1
    True
    """

    def __init__(
        self,
        form: SequenceForm,
        algorithm: Algorithm,
        seed: int = 0,
        horizon: int = WITHOUT_END,
        end: int | None = None,
    ) -> None:
        super().__init__(algorithm, seed, horizon, end)
        game = form.rules
        if not isinstance(game, Poker) or game.infosets != "card":
            raise RueError(
                f"{algorithm.name} samples boards: it goes with poker games whose infosets tell every card, "
                f"and {form.name} is none; use cs-cfr"
            )
        self.form = form
        self.worth_a_look = form.sequences
        tree = poker_tree(game)
        self._places = poker_places(game, form, tree)
        if any(len(places) > 1 and places[1:].min() < 0 for places in self._places):
            raise RueError(f"{algorithm.name} goes with the infosets of the rules: {form.name} was refined; use cs-cfr")
        self._sampler = PublicSampler(tree, algorithm, seed, horizon, end, threads=1, dtype=np.float64)

    @property
    def nodes(self) -> int:
        """The nodes touched so far: a node of the public tree once for each hand of the player who learns."""
        return self._sampler.nodes

    @property
    def bytes(self) -> int:
        """Memory of what is learnt, of the tables and of the scratch arrays."""
        return self._sampler.bytes

    def warm_up(self) -> None:
        """Load the compiled code, or compile it, without an iteration."""
        self._sampler.warm_up()

    def _sample(self, iterations: int, limit: int) -> int:
        return self._sampler._sample(iterations, limit)

    def _discount(self, positive: float, negative: float, average: float) -> None:
        self._sampler._discount(positive, negative, average)

    def state(self) -> dict[str, NDArray[Any]]:
        """The arrays that the next iteration starts from, in the order of the public form."""
        return self._sampler.state()

    def restore(self, state: State, iteration: int) -> None:
        """Take up a state of the same algorithm on the same game after so many iterations."""
        self._sampler.restore(state, iteration)
        self._resumed(iteration)

    def where(self, name: str, index: int) -> str:
        """The decision of a number of the state."""
        return self._sampler.where(name, index)

    @property
    def accumulated(self) -> tuple[Floats, Floats]:
        """The accumulated averages, a number for each sequence."""
        stores = zip(self._sampler.judge._stores, self._places, strict=True)
        one, two = (np.append(1.0, store.average[places[1:]]) for store, places in stores)
        return one, two

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        both = zip(self.form.treeplexes, self.accumulated, strict=True)
        one, two = (treeplex.plan(treeplex.strategy(own)) for treeplex, own in both)
        return one, two

    def evaluate(self) -> Evaluation:
        """The value and the exploitability of the average strategies."""
        return evaluate(self.form, *self.average)
