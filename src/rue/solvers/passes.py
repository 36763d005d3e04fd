"""One player's pass over a card game in pieces, so that the deals of the first place can be walked elsewhere.

    opened = one.learning(player).open()              the first place, down to its deals
    walked = other.learning(player).walk(opened, ..)  some deals, by a solver that holds their part of the store
    one.learning(player).close([walked, ...])         what they are worth, and up from the first place

`judging` does the same for a judgement. The numbers are those of a pass in one piece, to the last bit. The other solver
is one of the same game and algorithm at the same iteration. Of the store it only touches what `PublicTree.deal_span`
says of its deals, in the same layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rue.errors import RueError
from rue.forms.treeplex import Floats
from rue.solvers.public_space import CLOSE, OPEN, SHARE, Portion, Space

if TYPE_CHECKING:
    from rue.solvers.public_solver import PublicSolver


class Opened(NamedTuple):
    """The rows of the first place on the way down: the opponent's reach, and the player's own where a rule needs it."""

    reach: Any
    mine: Any


class Walked(NamedTuple):
    """What some deals are worth to the player, for each the entering rows of the place that follows."""

    deals: Any
    values: Any

    def cut(self, count: int) -> list[Walked]:
        """The same in so many pieces; some may have no deals."""
        cuts = [len(self.deals) * each // count for each in range(count + 1)]
        return [Walked(self.deals[a:b], self.values[:, a:b]) for a, b in pairwise(cuts)]


class Pass:
    """A player's share of the next iteration, or of a judgement, in three stages."""

    def __init__(self, solver: PublicSolver, player: int, best: bool | None, own: bool = False) -> None:
        """`best` is None to learn; else the player answers best or plays the average. With `own`, what the average is
        worth is found beside the best answer."""
        self.solver, self.player, self.best = solver, player, best
        judging = solver.judging_both if own else solver.judging_space
        self.space: Space = solver.learning_space if best is None else judging

    def open(self, entering: Floats | None = None) -> Opened:
        """Go down the first place; the deals are still to be walked. A judgement may have the opponent enter with a
        reach that is not that of the spot."""
        if self.best is not None:
            reach = self.solver.entries[1 - self.player] if entering is None else entering.ravel()
            self.space.reach[0, 0, : len(reach)] = reach
        self._stage(OPEN, self._results())
        sizes = [int(np.prod(self.solver.form.shape(0, player))) for player in (1 - self.player, self.player)]
        return Opened(self.space.reach[0, 0, : sizes[0]].copy(), self.space.mine[0, 0, : sizes[1]].copy())

    def walk(self, opened: Opened, deals: Sequence[int]) -> Walked:
        """Walk some of the deals of a first place that was opened, here or elsewhere."""
        chosen = np.array(deals, dtype=np.int64)
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() < self.solver.form.deals):
            raise RueError(f"{self.solver.form.name} has the deals 0 to {self.solver.form.deals - 1}")
        for rows, found in zip((self.space.reach, self.space.mine), opened, strict=True):
            rows[0, 0, : len(found)] = found
        if self.best is None:
            self.solver.keep_spare(self.player, chosen)
        results = self._results()
        self._stage(SHARE, results, chosen)
        return Walked(chosen, results[:, chosen, : self.solver.form.entering(self.player)])

    def close(self, pieces: Iterable[Walked]) -> Floats:
        """Go up the first place once all its deals are walked; returns what each of the player's hands is worth."""
        results, seen = self._results(), []
        for deals, values in pieces:
            results[:, deals, : values.shape[2]] = values
            seen += list(deals)
        if sorted(seen) != list(range(self.solver.form.deals)):
            raise RueError(f"every deal of {self.solver.form.name} must be walked once before the pass is closed")
        self._stage(CLOSE, results)
        if self.best is None and self.player != self.solver.rule.first:
            self.solver.iteration += 1
        width = self.solver.form.shape(0, self.player)[1]
        return np.array(self.space.value[0, 0, :width], dtype=np.float64)

    @property
    def deal_bytes(self) -> int:
        """What a walk brings back for a deal."""
        ways = 2 if self.space.guess.size else 1
        return ways * self.solver.form.entering(self.player) * int(self.space.reach.itemsize)

    def _results(self) -> Any:
        return self.solver.new_results(self.space, self.solver.form.deals)

    def _stage(self, stage: int, results: Any, deals: Any = None) -> None:
        portion = Portion(stage, self.player, np.zeros(0, np.int64) if deals is None else deals)
        if self.best is None:
            self.solver.learn_portion(1, portion, results)
        else:
            self.solver.judge_portion(self.space, self.best, portion, results)
