"""A reentrant lock that serves threads in the order in which they ask for it."""

from __future__ import annotations

import threading


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
