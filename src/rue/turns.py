"""Threads that take turns: whoever has waited goes before whoever comes back."""

from __future__ import annotations

import threading


class Turns:
    """A lock for `with`, which a thread may take again while it has it, and which nobody can keep by asking often.

    A plain lock goes to a thread that gives it up and takes it again at once before one that waits for it. Here a
    thread waits at a gate first, and whoever waits for the lock holds the gate.

    >>> turns = Turns()
    >>> with turns, turns:
    ...     "mine"
    'mine'
    """

    def __init__(self) -> None:
        self._gate, self._lock = threading.Lock(), threading.Lock()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> Turns:
        me = threading.get_ident()
        if self._owner != me:
            with self._gate:
                self._lock.acquire()
            self._owner = me
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()
