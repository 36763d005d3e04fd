"""The averages of a saved run, to be looked at: read from the disk as far as a look needs them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.container import LazyArray
from rue.forms.lines import Given
from rue.forms.public_form import BOARD, BUNDLE, CHILDREN, FIRST_PLACE, GROUPS
from rue.forms.public_tree import PublicTree
from rue.forms.treeplex import Floats
from rue.solvers.evaluate import Evaluation
from rue.solvers.public_solver import PublicSolver
from rue.solvers.public_space import Store

LOOKING = Algorithm()
"""An algorithm that stores no more than averages need."""


class SavedAverages(PublicSolver):
    """A solver that iterates no more. `values` are what the rows of each player are worth at the first place, if they
    were saved: when both enter it with their ranges and play by the averages."""

    def __init__(
        self,
        tree: PublicTree,
        averages: tuple[LazyArray, LazyArray],
        values: tuple[Floats, Floats] | None,
        iteration: int,
        dtype: Any,
        given: Given | None = None,
    ) -> None:
        super().__init__(tree, LOOKING, max(1, iteration), dtype=dtype, given=given)
        self._lazy, self._values = averages, values
        for player, (lazy, store) in enumerate(zip(averages, self.stores, strict=True)):
            if lazy.array.shape != store.average.shape or lazy.array.dtype != store.average.dtype:
                raise ValueError("its strategies do not fit the spot")
            if values is not None and values[player].shape != tree.shape(0, player):
                raise ValueError("its values do not fit the spot")
            if values is not None and not np.isfinite(values[player]).all():
                raise ValueError("a value is not a number")
        self.stores = tuple(
            Store(**{**store._asdict(), "average": lazy.array})
            for lazy, store in zip(averages, self.stores, strict=True)
        )
        self.iteration = iteration
        for player, lazy in enumerate(averages):
            if lazy.there:
                self._need(player, 0, lazy.array.size)

    def _need(self, player: int, start: int, stop: int) -> None:
        for part in self._lazy[player].need(start, stop):
            numbers = part.view(np.float16) if self.half else part
            if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
                raise self._lazy[player].damaged("its strategies are not made of chances")

    def _need_from(self, place: int) -> None:
        """All that is stored at a place and below it, which lies together."""
        last, form = place, self.form.form
        while True:
            following = (
                form.bundles[form.places[last, BUNDLE], GROUPS] * form.boards[form.places[last, BOARD], CHILDREN]
            )
            if not following:
                break
            last = int(form.places[last, FIRST_PLACE] + following - 1)
        for player in (0, 1):
            self._need(player, self.form.span(place, player).start, self.form.span(last, player).stop)

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        at = self.form.block(place, player, first, actions)
        self._need(player, at.start, at.stop)
        return super().strategy(place, player, first, actions)

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        known = self._values is not None and place == 0 and not best
        if self._values is not None and known and np.array_equal(entering[0], self.form.weights[1 - player]):
            return self._values[player]
        self._need_from(place)
        return super().rows(place, entering, player, best)

    def averages(self) -> tuple[Any, Any]:
        self._need_from(0)
        return super().averages()

    def evaluate(self) -> Evaluation:
        self._need_from(0)
        return super().evaluate()
