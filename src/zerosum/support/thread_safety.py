"""A cached property that is computed once, also under threads, and a lock that serves threads in order."""

from __future__ import annotations

import functools
import threading
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
            self._lock = threading.RLock()

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            with self._lock:
                return super().__get__(instance, owner)


class FairLock:
    """A lock for `with` that its holder may take again, and that no thread can keep from the others.

    A thread that releases a plain lock and takes it again at once gets it before one that has been waiting. Here a
    thread has to pass a gate first, which the next thread in line holds while it waits for the lock.

    >>> lock = FairLock()
    >>> with lock, lock:
    ...     "locked twice"
    'locked twice'
    """

    def __init__(self) -> None:
        self._gate, self._lock = threading.Lock(), threading.Lock()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> FairLock:
        thread = threading.get_ident()
        if self._owner != thread:
            with self._gate:
                self._lock.acquire()
            self._owner = thread
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()
