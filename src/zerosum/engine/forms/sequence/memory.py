"""Memory that a form takes, while it is built and afterwards.

The constants are upper bounds on what benchmarks/growth.py measures.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any, NamedTuple

BYTES_PER_END = 96
"""For an end with a payoff other than 0, while the payoff matrix is sorted and summed."""
BYTES_PER_STORED_END = 45
"""For the same end afterwards, in the matrix and in memory that is not returned to the system."""
BYTES_PER_INFOSET = 220
"""For the entries of an infoset in tables, without its name in the rules."""
BYTES_PER_SEQUENCE = 36
BYTES_PER_HISTORY = 26
"""For a history that is stored for sampled walks."""
BYTES_PER_MOVE = 2200
"""For a move of a very long history: its infoset and the end beside it, enumerated, solved and saved."""
MAX_HISTORY_SHARE = 1 / 12
"""The share of memory that one history may take; beyond it, the game is taken to have no end."""


class GameCounts(NamedTuple):
    """The numbers of histories, ends, infosets and sequences of a game."""

    histories: float
    ends: float
    """Ends with a payoff other than 0."""
    infosets: float = 0
    sequences: float = 0
    named: float = 0
    """Bytes of the infosets and actions of the rules."""
    recorded: bool = False
    """Whether the histories are stored."""

    @property
    def peak_bytes(self) -> int:
        """Bytes at the peak, while the form is built."""
        return self._with_ends(BYTES_PER_END)

    @property
    def form_bytes(self) -> int:
        """Bytes of the finished form."""
        return self._with_ends(BYTES_PER_STORED_END)

    def _with_ends(self, bytes_per_end: int) -> int:
        stored = BYTES_PER_HISTORY * self.histories if self.recorded else 0
        return int(
            bytes_per_end * self.ends
            + BYTES_PER_INFOSET * self.infosets
            + BYTES_PER_SEQUENCE * self.sequences
            + self.named
            + stored
        )


def history_bytes(moves: int, counts: GameCounts) -> float:
    """Return the bytes of a history with a number of moves, by the counts of its game."""
    return moves * (BYTES_PER_MOVE + counts.named / max(1, counts.infosets))


class NameSizeEstimator:
    """Estimates the bytes of the infosets and actions of the rules from one in `EVERY`.

    All of them are stored elsewhere, so that objects can be identified by their address.

    >>> names, infosets = NameSizeEstimator(), [f"infoset {number}" for number in range(1600)]
    >>> for number, infoset in enumerate(infosets):
    ...     names.add(number, infoset)
    >>> 60 < names.bytes / 1600 < 70
    True
    """

    EVERY = 16

    def __init__(self) -> None:
        self.bytes = 0
        self._seen: set[int] = set()

    def add(self, number: int, *named: Hashable) -> None:
        """Count the next infoset: its name and its actions."""
        if not number % self.EVERY:
            self.bytes += self.EVERY * self._new(named)

    def _new(self, named: tuple[Hashable, ...]) -> int:
        """Return the bytes of objects and of their parts, except those that were counted before."""
        size, pending = 0, list[Any](named)
        while pending:
            value = pending.pop()
            if id(value) not in self._seen:
                self._seen.add(id(value))
                size += sys.getsizeof(value)
                if isinstance(value, tuple | frozenset):
                    pending += value
                elif isinstance(held := getattr(value, "__dict__", None), dict):
                    size += sys.getsizeof(held)
                    pending += (part for part in held.values() if isinstance(part, str | tuple))
        return size
