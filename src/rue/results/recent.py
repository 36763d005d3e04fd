"""What was computed last, remembered up to a number of things."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """Values by key; of more than `most` those that were not asked for the longest are forgotten.

    >>> squares = Recent(2)
    >>> [squares.found(n, lambda: n * n) for n in (1, 2, 1, 3)], squares.get(2)
    ([1, 4, 1, 9], None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        """What is remembered for a key."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def found(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What is remembered for a key, or what `make` gives."""
        if key not in self._kept:
            self._kept[key] = make()
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
