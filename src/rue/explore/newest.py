"""The newest of several long requests about a run: one that nobody waits for any more ends."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable

from rue.errors import RueError
from rue.explore.explorer import Explorer, Request


class Newest:
    """Requests of a kind, by run."""

    def __init__(self) -> None:
        self._tickets = itertools.count(1)
        self._latest: weakref.WeakKeyDictionary[object, dict[str, int]] = weakref.WeakKeyDictionary()

    def check(self, explorer: Explorer, request: Request) -> Callable[..., None]:
        """What a request calls on its way, with anything: it raises once a newer one has come."""
        mine = next(self._tickets)
        latest = self._latest.setdefault(explorer.workshop, {})
        latest[request.parts["run"]] = mine

        def still(*_: object) -> None:
            if latest[request.parts["run"]] != mine:
                raise RueError("something else was asked for")

        return still
