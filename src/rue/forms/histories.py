"""A game as the tree of its histories, for walks that visit a sample of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate

import numpy as np

from rue.forms.enumeration import KEPT, Enumeration
from rue.forms.history_tree import CHILD, COUNT, DATA, FIELDS, WHO, HistoryTree
from rue.games.game import CHANCE, NOBODY, Game, State
from rue.once import cached_property


class Recording(Enumeration):
    """An enumeration that also keeps the tree."""

    recorded = True

    def __init__(self, game: Game, refine: bool, progress: Callable[[int], None] | None, memory: int) -> None:
        super().__init__(game, refine, progress, memory)
        self.nodes = array("i", (0,) * FIELDS)
        self.chances, self.payoffs = array("d"), array("d")
        self.waiting = [0]
        """The places of the histories to come, the next one last."""

    def visit(self, state: State, one: int, two: int, reach: float) -> None:
        self.place = self.waiting.pop()
        super().visit(state, one, two, reach)

    def end(self, payoff: float | tuple[float, float], one: int, two: int, reach: float) -> None:
        self.nodes[FIELDS * self.place + WHO] = NOBODY
        self.nodes[FIELDS * self.place + DATA] = len(self.payoffs)
        super().end(payoff, one, two, reach)
        self.payoffs.append((payoff[0] if isinstance(payoff, tuple) else payoff) - (self.sum or 0.0) / 2)

    def chance(self, state: State, chances: Sequence[tuple[Hashable, float]], one: int, two: int, reach: float) -> None:
        chances = chances if isinstance(chances, KEPT) else tuple(chances)
        likely = [probability for _, probability in chances]
        alike = likely.count(likely[0]) == len(likely) if likely else False
        self._children(CHANCE, len(likely), -1 if alike else len(self.chances))
        if not alike:
            sums = list(accumulate(likely))
            if likely[-1] == 0.0:  # nothing is left for outcomes that never come
                last = sums.index(sums[-1])
                sums[last:] = [1.0] * (len(sums) - last)
            self.chances.extend(sums)
        super().chance(state, chances, one, two, reach)

    def infoset(self, state: State, player: int, parent: int) -> tuple[int, Sequence[Hashable]]:
        number, actions = super().infoset(state, player, parent)
        self._children(player, len(actions), self.decisions[player].first[number])
        return number, actions

    def _children(self, player: int, count: int, data: int) -> None:
        """Make room for the children of the history at hand, and note that they are to come."""
        first = len(self.nodes) // FIELDS
        at = FIELDS * self.place
        self.nodes[at + WHO], self.nodes[at + COUNT] = player, count
        self.nodes[at + CHILD], self.nodes[at + DATA] = first, data
        self.nodes.extend((0,) * (FIELDS * count))
        self.waiting.extend(range(first + count - 1, first - 1, -1))

    @cached_property
    def tree(self) -> HistoryTree:
        """What was recorded, the slots of the second player after those of the first one."""
        nodes = np.frombuffer(self.nodes, np.int32).reshape(-1, FIELDS)
        one, two = (decisions.sequences for decisions in self.decisions)
        nodes[nodes[:, WHO] == 1, DATA] += one
        widest = max((len(actions) for decisions in self.decisions for actions in decisions.actions), default=1)
        return HistoryTree(
            nodes,
            np.frombuffer(self.chances, np.float64) if self.chances else np.zeros(0),
            np.frombuffer(self.payoffs, np.float64),
            (one, two),
            sum(decisions.depth() for decisions in self.decisions),
            widest,
        )
