"""Cancel a long request when a newer one of its kind arrives."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable

from zerosum.explorer.handler import Explorer, Request
from zerosum.support.errors import ZerosumError


class LatestRequest:
    """Requests of one kind, of which the latest of each run is answered."""

    def __init__(self) -> None:
        self._tickets = itertools.count(1)
        self._latest: weakref.WeakKeyDictionary[object, dict[str, int]] = weakref.WeakKeyDictionary()

    def begin(self, explorer: Explorer, request: Request) -> Callable[..., None]:
        """Make a request the latest of its run; return a function that raises once a newer one has arrived."""
        ticket = next(self._tickets)
        latest = self._latest.setdefault(explorer.runs, {})
        latest[request.path["run"]] = ticket

        def raise_if_superseded(*_: object) -> None:
            if latest[request.path["run"]] != ticket:
                raise ZerosumError("replaced by a newer request")

        return raise_if_superseded
