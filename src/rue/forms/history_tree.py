"""The histories of a game as the compiled kernels see them, and the names of the columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.forms.treeplex import Floats

# Columns of the nodes.
WHO = 0
COUNT = 1
"""How many children there are."""
CHILD = 2
"""The first child."""
DATA = 3
"""The first slot of the infoset, or the first place in `chance` (-1: all alike), or the place in `payoff`."""
FIELDS = 4


class HistoryTree(NamedTuple):
    """Every history once, as the compiled kernels see it; the children of a history stand side by side.

    A decision leads to the slots of its infoset: slot s is sequence s of the first player in the order in which the
    infosets were found, or sequence s - `first slot of the second player`. The actions of an infoset are neighbours.
    """

    nodes: NDArray[np.int32]
    """A row a history."""
    chance: Floats
    """The cumulative probabilities of the outcomes of chance moves."""
    payoff: Floats
    """What the first player gets at the ends."""
    slots: tuple[int, int]
    """How many slots each player has, the empty sequence included."""
    depth: int
    """At least as many as a history has decisions."""
    widest: int
    """The most actions of a decision."""

    @property
    def bytes(self) -> int:
        """The memory of the arrays."""
        return self.nodes.nbytes + self.chance.nbytes + self.payoff.nbytes
