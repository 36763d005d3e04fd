"""The tree of histories of a game, for sampled walks and for values history by history."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.games.game import CHANCE

# Columns of the nodes.
PLAYER = 0
N_CHILDREN = 1
"""The number of children."""
FIRST_CHILD = 2
"""The first child."""
DATA = 3
"""The first slot of the infoset; of a chance move the first index in `chance`, or -1 if all outcomes are equally
likely; of an end the index in `payoff`."""
N_COLUMNS = 4


class HistoryTree(NamedTuple):
    """Every history once; the children of a history are adjacent.

    A decision refers to the slots of its infoset, one for each action and adjacent. Slot s is sequence s of the first
    player, in the order in which the infosets were enumerated; the slots of the second player follow.
    """

    nodes: NDArray[np.int32]
    """A row for each history, with the columns above."""
    chance: Floats
    """The cumulative probabilities of the outcomes of chance moves."""
    payoff: Floats
    """The first player's payoffs at the ends."""
    n_slots: tuple[int, int]
    """The number of slots of each player, the empty sequence included."""
    depth: int
    """An upper bound on the number of decisions of a history."""
    max_actions: int
    """The largest number of actions of a decision."""

    def list_moves_by_level(self) -> list[tuple[Integers, Integers, Integers]]:
        """Return the moves of the tree, level by level from the root: parents, numbers of the moves there, children."""
        levels = []
        histories = np.zeros(1, dtype=np.int64)
        while (histories := histories[self.nodes[histories, N_CHILDREN] > 0]).size:
            count = self.nodes[histories, N_CHILDREN].astype(np.int64)
            parents = np.repeat(histories, count)
            moves = np.arange(len(parents)) - np.repeat(np.cumsum(count) - count, count)
            histories = self.nodes[parents, FIRST_CHILD] + moves
            levels.append((parents, moves, histories))
        return levels

    def find_chance_probabilities(self, parents: Integers, moves: Integers) -> Floats:
        """Return the probabilities of moves if chance makes them; 1 for the moves of players."""
        player, count, _, data = self.nodes[parents].T
        probability = np.where(player == CHANCE, 1.0 / count, 1.0)
        listed = np.flatnonzero((player == CHANCE) & (data >= 0))
        index = data[listed] + moves[listed]
        probability[listed] = self.chance[index] - np.where(moves[listed] > 0, self.chance[index - 1], 0.0)
        return probability
