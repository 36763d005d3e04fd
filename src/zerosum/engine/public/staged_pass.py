"""A player's pass over a card game in three stages, so that other solvers can walk the deals of the first place.

    rows = solver.make_update_pass(player).open()              walk down the first place, to its deals
    values = worker.make_update_pass(player).walk(rows, ...)   walk some deals, with a solver that holds their numbers
    solver.make_update_pass(player).close([values, ...])       walk up the first place from the values of all deals

`make_evaluation_pass` does the same for an evaluation. The result is bit for bit that of an undivided pass. The worker
is a solver of the same game and algorithm at the same iteration, with the same layout of its store, of which it touches
only the parts that `PublicTree.slice_deal` returns for its deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.walk import CLOSE, OPEN, SHARE, Portion, Scratch
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.engine.public.solver import PublicSolver


class FirstPlaceRows(NamedTuple):
    """The rows of the first place on the way down: the opponent's reach, and the player's own for weighted rules."""

    reach: Any
    own_reach: Any


class DealValues(NamedTuple):
    """The values of some deals for the player: of each, the entering rows of the next place."""

    deals: Any
    values: Any

    def split(self, count: int) -> list[DealValues]:
        """Return the values in `count` pieces; some may have no deals."""
        cuts = [len(self.deals) * n // count for n in range(count + 1)]
        return [DealValues(self.deals[a:b], self.values[:, a:b]) for a, b in pairwise(cuts)]


class StagedPass:
    """A player's share of the next iteration, or of an evaluation, in three stages."""

    def __init__(self, solver: PublicSolver, player: int, best: bool | None, with_average: bool = False) -> None:
        """Prepare a pass: an iteration if `best` is None, else the evaluation of a best response or of the average.

        `with_average` computes the values of the average beside those of the best response.
        """
        self.solver, self.player, self.best = solver, player, best
        evaluation = solver.evaluation_scratch_both if with_average else solver.evaluation_scratch
        self.scratch: Scratch = solver.iteration_scratch if best is None else evaluation

    def open(self, entering: Floats | None = None) -> FirstPlaceRows:
        """Walk down the first place, to its deals.

        `entering` replaces the opponent's reach at the start of an evaluation, which is that of the game by default.
        """
        if self.best is not None:
            reach = self.solver.entering_reach[1 - self.player] if entering is None else entering.ravel()
            self.scratch.reach[0, 0, : len(reach)] = reach
        self._walk_stage(OPEN, self._allocate_values())
        players = 1 - self.player, self.player
        size, own_size = (int(np.prod(self.solver.form.get_shape(0, player))) for player in players)
        return FirstPlaceRows(self.scratch.reach[0, 0, :size].copy(), self.scratch.own_reach[0, 0, :own_size].copy())

    def walk(self, opened: FirstPlaceRows, deals: Sequence[int]) -> DealValues:
        """Walk some of the deals of a first place that this or another solver has opened."""
        chosen = np.array(deals, dtype=np.int64)
        tree = self.solver.form
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() < tree.deal_count):
            raise ZerosumError(f"{tree.name} has the deals 0 to {tree.deal_count - 1}: give some of them")
        for scratch, rows in zip((self.scratch.reach, self.scratch.own_reach), opened, strict=True):
            scratch[0, 0, : len(rows)] = rows
        if self.best is None:
            self.solver.keep_previous_store(self.player, chosen)
        values = self._allocate_values()
        self._walk_stage(SHARE, values, chosen)
        return DealValues(chosen, values[:, chosen, : tree.count_entering_numbers(self.player)])

    def close(self, pieces: Iterable[DealValues]) -> Floats:
        """Walk up the first place from the values of all its deals; return the value of each of the player's hands."""
        all_values, seen = self._allocate_values(), []
        for deals, values in pieces:
            all_values[:, deals, : values.shape[2]] = values
            seen += list(deals)
        if sorted(seen) != list(range(self.solver.form.deal_count)):
            raise ZerosumError(f"every deal of {self.solver.form.name} must be walked once before the pass is closed")
        self._walk_stage(CLOSE, all_values)
        if self.best is None and self.player != self.solver.rule.first:
            self.solver.iteration += 1
        width = self.solver.form.get_shape(0, self.player)[1]
        return np.array(self.scratch.value[0, 0, :width], dtype=np.float64)

    @property
    def deal_bytes(self) -> int:
        """The bytes of the values of a deal."""
        rows = 2 if self.scratch.prediction.size else 1
        return rows * self.solver.form.count_entering_numbers(self.player) * int(self.scratch.reach.itemsize)

    def _allocate_values(self) -> Any:
        return self.solver.allocate_deal_values(self.scratch, self.solver.form.deal_count)

    def _walk_stage(self, stage: int, values: Any, deals: Any = ()) -> None:
        portion = Portion(stage, self.player, np.array(deals, np.int64))
        if self.best is None:
            self.solver.run_portion(1, portion, values)
        else:
            self.solver.evaluate_portion(self.scratch, self.best, portion, values)
