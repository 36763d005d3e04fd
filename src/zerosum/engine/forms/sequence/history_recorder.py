"""A game as the tree of its histories, for walks that visit a sample of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate

import numpy as np

from zerosum.engine.forms.sequence.enumeration import SEQUENCE_TYPES, Enumeration
from zerosum.engine.forms.sequence.history_tree import DATA, FIRST_CHILD, N_CHILDREN, N_COLUMNS, PLAYER, HistoryTree
from zerosum.games.game import CHANCE, TERMINAL, Game, State
from zerosum.support.thread_safety import cached_property


class HistoryRecorder(Enumeration):
    """An enumeration that also stores the tree of histories."""

    recorded = True

    def __init__(self, game: Game, refine: bool, progress: Callable[[int], None] | None, memory: int) -> None:
        super().__init__(game, refine, progress, memory)
        self.nodes = array("i", (0,) * N_COLUMNS)
        self.chances, self.payoffs = array("d"), array("d")
        self.pending = [0]
        """The nodes of the histories to come, the next one last."""

    def visit(self, state: State, sequence_one: int, sequence_two: int, reach: float) -> None:
        self.node = self.pending.pop()
        super().visit(state, sequence_one, sequence_two, reach)

    def end(self, payoff: float | tuple[float, float], sequence_one: int, sequence_two: int, reach: float) -> None:
        self.nodes[N_COLUMNS * self.node + PLAYER] = TERMINAL
        self.nodes[N_COLUMNS * self.node + DATA] = len(self.payoffs)
        super().end(payoff, sequence_one, sequence_two, reach)
        self.payoffs.append((payoff[0] if isinstance(payoff, tuple) else payoff) - (self.sum or 0.0) / 2)

    def chance(
        self,
        state: State,
        chances: Sequence[tuple[Hashable, float]],
        sequence_one: int,
        sequence_two: int,
        reach: float,
    ) -> None:
        chances = chances if isinstance(chances, SEQUENCE_TYPES) else tuple(chances)
        likely = [probability for _, probability in chances]
        alike = likely.count(likely[0]) == len(likely) if likely else False
        self._children(CHANCE, len(likely), -1 if alike else len(self.chances))
        if not alike:
            sums = list(accumulate(likely))
            if likely[-1] == 0.0:  # nothing is left for outcomes that never come
                last = sums.index(sums[-1])
                sums[last:] = [1.0] * (len(sums) - last)
            self.chances.extend(sums)
        super().chance(state, chances, sequence_one, sequence_two, reach)

    def infoset(self, state: State, player: int, parent: int) -> tuple[int, Sequence[Hashable]]:
        number, actions = super().infoset(state, player, parent)
        self._children(player, len(actions), self.decisions[player].first[number])
        return number, actions

    def _children(self, player: int, count: int, data: int) -> None:
        """Allocate the children of the current history and push them."""
        first = len(self.nodes) // N_COLUMNS
        at = N_COLUMNS * self.node
        self.nodes[at + PLAYER], self.nodes[at + N_CHILDREN] = player, count
        self.nodes[at + FIRST_CHILD], self.nodes[at + DATA] = first, data
        self.nodes.extend((0,) * (N_COLUMNS * count))
        self.pending.extend(range(first + count - 1, first - 1, -1))

    @cached_property
    def tree(self) -> HistoryTree:
        """The recorded tree, with the slots of the second player after those of the first."""
        nodes = np.frombuffer(self.nodes, np.int32).reshape(-1, N_COLUMNS)
        slots_one, slots_two = (decisions.sequences for decisions in self.decisions)
        nodes[nodes[:, PLAYER] == 1, DATA] += slots_one
        widest = max((len(actions) for decisions in self.decisions for actions in decisions.actions), default=1)
        return HistoryTree(
            nodes,
            np.frombuffer(self.chances, np.float64) if self.chances else np.zeros(0),
            np.frombuffer(self.payoffs, np.float64),
            (slots_one, slots_two),
            sum(decisions.depth() for decisions in self.decisions),
            widest,
        )
