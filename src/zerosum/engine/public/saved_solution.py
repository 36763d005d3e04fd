"""The averages of a saved run, of which only the parts that are viewed are read from the disk."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.columns import FIRST_PLACE
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.support.array_file import LazyArray

EVALUATION_ONLY = Algorithm()
"""An algorithm that stores the fewest arrays: regret and average."""


class SavedSolution(PublicSolver):
    """A solver that does not iterate.

    `values` are the values of each player's rows at the first place, for the ranges of the game and the averages of
    both players, if they were saved.
    """

    def __init__(
        self,
        tree: PublicTree,
        averages: tuple[LazyArray, LazyArray],
        values: tuple[Floats, Floats] | None,
        iteration: int,
        dtype: Any,
        fixed: FixedDecisions | None = None,
    ) -> None:
        super().__init__(tree, EVALUATION_ONLY, max(1, iteration), dtype=dtype, fixed=fixed)
        self._lazy, self._values = averages, values
        for player, (lazy, store) in enumerate(zip(averages, self.stores, strict=True)):
            if lazy.array.shape != store.average.shape or lazy.array.dtype != store.average.dtype:
                raise ValueError("its strategies do not match the game")
            if values is not None and values[player].shape != tree.get_shape(0, player):
                raise ValueError("its values do not match the game")
            if values is not None and not np.isfinite(values[player]).all():
                raise ValueError("a value is not a number")
        first, second = self.stores
        self.stores = first._replace(average=averages[0].array), second._replace(average=averages[1].array)
        self.iteration = iteration
        for player, lazy in enumerate(averages):
            if lazy.is_loaded:
                self._load_range(player, 0, lazy.array.size)

    def _load_range(self, player: int, start: int, stop: int) -> None:
        for part in self._lazy[player].load_range(start, stop):
            numbers = part.view(np.float16) if self.half else part
            if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
                raise self._lazy[player].damage_error("its strategies are not probabilities")

    def _load_below(self, place: int) -> None:
        """Load all that is stored at a place and below it, which is contiguous."""
        last, tree = place, self.form
        while tree.follower_counts[last]:
            last = int(tree.tables.places[last, FIRST_PLACE] + tree.follower_counts[last] - 1)
        for player in (0, 1):
            self._load_range(player, tree.slice_place(place, player).start, tree.slice_place(last, player).stop)

    def read_average(self, place: int, player: int, at: slice) -> Any:
        self._load_range(player, at.start, at.stop)
        return super().read_average(place, player, at)

    def compute_row_values(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        if (
            self._values is not None
            and (place, best) == (0, False)
            and np.array_equal(entering[0], self.form.weights[1 - player])
        ):
            return self._values[player]
        self._load_below(place)
        return super().compute_row_values(place, entering, player, best)

    def averages(self) -> tuple[Any, Any]:
        self._load_below(0)
        return super().averages()

    def evaluate(self) -> Evaluation:
        self._load_below(0)
        return super().evaluate()
