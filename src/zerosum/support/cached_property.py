"""A cached property that is computed once, also if several threads ask for it at the same time."""

from __future__ import annotations

import functools
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """Python's cached property with the lock that it had before Python 3.12: a second thread waits for the first.

        Results are read while runs go on in other threads, and some of what is cached numbers its data in place.

        >>> class Deck:
        ...     @cached_property
        ...     def cards(self) -> list[int]:
        ...         print("counting")
        ...         return list(range(52))
        >>> deck = Deck()
        >>> len(deck.cards), deck.cards is deck.cards
        counting
        (52, True)
        """

        def __init__(self, function: Any) -> None:
            super().__init__(function)
            self._lock = RLock()

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            with self._lock:
                return super().__get__(instance, owner)
