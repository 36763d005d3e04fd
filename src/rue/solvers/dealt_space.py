"""What walks with dealt hands are given, and their kernels (`rue.solvers.dealing` and `rue.solvers.dealt_walk`)."""

from __future__ import annotations

from typing import Any, NamedTuple

from rue.native.kernel import Kernel


class Deal(NamedTuple):
    """What was dealt: rows are levels of deals."""

    state: Any
    """Of the random generator."""
    hands: Any
    """Both hands, as places among those of the board: of hands that are alike the first."""
    cards: Any
    """Which child of the board came."""
    pays: Any
    """What the first player wins at each kind of end of a level, for an amount of 1."""


class Queue(NamedTuple):
    """The decisions of a walk in the order they were met."""

    nodes: Any
    """A row a decision."""
    above: Any
    """The slot whose value a decision gives, or the action taken."""
    values: Any
    """A slot for each action of each decision; what the ends pay comes first."""
    reach: Any
    """Two numbers for each slot, which each walk uses its own way."""


DEAL_MANY = Kernel("rue.solvers.dealing:deal_many")
SAMPLE_DEALS = Kernel("rue.solvers.dealt_walk:sample_deals")
