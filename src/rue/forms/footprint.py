"""What a general game takes of memory: while its histories are found and arranged, and afterwards as a form.

The constants are bytes, upper ones of what benchmarks/growth.py measures.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any, NamedTuple

AN_END = 96
"""Of an end that pays anything, while the payoff matrix is sorted and summed up."""
AN_END_LEFT = 45
"""What stays of it, in the matrix and in pieces of memory that the system does not get back."""
AN_INFOSET = 220
"""Of an infoset's places in tables, without what the rules call it."""
A_SEQUENCE = 36
A_HISTORY = 26
"""Of a history that is kept, for sampled walks."""
A_MOVE = 2200
"""Of a move of one history: its infoset and the end beside it, found, solved and written down."""
A_HISTORY_AT_MOST = 1 / 12
"""Of the memory: what a single history may take before its game is thought to have no end."""


class Found(NamedTuple):
    """What was found of a game."""

    histories: float
    ends: float
    """Those that pay anything."""
    infosets: float = 0
    sequences: float = 0
    named: float = 0
    """Bytes of the infosets and actions as the rules have them."""
    recorded: bool = False
    """Whether the histories are kept."""

    @property
    def making(self) -> int:
        """Bytes at the peak of making the form."""
        return self._with_ends(AN_END)

    @property
    def made(self) -> int:
        """Bytes that stay."""
        return self._with_ends(AN_END_LEFT)

    def _with_ends(self, each: int) -> int:
        kept = A_HISTORY * self.histories if self.recorded else 0
        return int(each * self.ends + AN_INFOSET * self.infosets + A_SEQUENCE * self.sequences + self.named + kept)


def moves_bytes(moves: int, found: Found) -> float:
    """Bytes of a history of so many moves, by what was found of its game."""
    return moves * (A_MOVE + found.named / max(1, found.infosets))


class Names:
    """About how many bytes infosets and actions take as the rules have them, by one of `EVERY`; all of them are kept
    elsewhere, so that each is told by where it lies.

    >>> names, infosets = Names(), [f"infoset {number}" for number in range(1600)]
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
        """The next infoset: what it is called, and its actions."""
        if not number % self.EVERY:
            self.bytes += self.EVERY * self._new(named)

    def _new(self, named: tuple[Hashable, ...]) -> int:
        """The bytes of objects and of what they hold, but for what was seen before."""
        found, waiting = 0, list[Any](named)
        while waiting:
            each = waiting.pop()
            if id(each) not in self._seen:
                self._seen.add(id(each))
                found += sys.getsizeof(each)
                if isinstance(each, tuple | frozenset):
                    waiting += each
                elif isinstance(held := getattr(each, "__dict__", None), dict):
                    found += sys.getsizeof(held)
                    waiting += (value for value in held.values() if isinstance(value, str | tuple))
        return found
