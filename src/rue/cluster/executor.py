"""Many pieces of work on a Ray cluster, behind the interface of `concurrent.futures`.

A piece whose worker is lost is begun again elsewhere. Ray is told the cores and the bytes of each, so that no machine
is overfilled.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from dataclasses import is_dataclass, replace
from typing import Any

from rue.cluster.connect import Node, connect
from rue.cluster.library import ray_module
from rue.cluster.versions import Versions, told, told_with_machine
from rue.errors import RueError
from rue.problems.shared_estimate import PROCESS
from rue.words import readable

AGAIN = 20
"""How often a piece is begun again after its worker was lost."""
CLASS = 64 << 20
"""Bytes of which the memory of a piece is told a multiple: Ray gives a worker the next piece that takes the same."""
LOOKING = 0.5
"""Seconds between two looks at where the pieces are worked on."""


class Never:
    """A flag that nobody sets: what runs on a cluster is cancelled instead."""

    def is_set(self) -> bool:
        """No."""
        return False


class Places:
    """Where pieces are worked on: an actor to which every worker that begins one writes its machine's name."""

    def __init__(self) -> None:
        self._at: dict[int, str] = {}

    def begun(self, number: int, machine: str) -> None:
        """A piece is begun, or begun again."""
        self._at[number] = machine

    def known(self) -> dict[int, str]:
        """The machine of every piece that was begun."""
        return self._at


class RayFuture(Future[Any]):
    """What a piece will leave."""

    def __init__(self, executor: RayExecutor, number: int, asked: Any) -> None:
        super().__init__()
        self._executor, self._number, self._asked = executor, number, asked
        asked.future().add_done_callback(self._take)

    @property
    def place(self) -> str | None:
        """The machine that works on it; None if it waits for one."""
        return self._executor.places().get(self._number)

    def cancel(self) -> bool:
        """End the piece, wherever it is worked on."""
        if not self.done() and super().cancel():
            self.set_running_or_notify_cancel()
            with suppress(Exception):
                self._executor.ray.cancel(self._asked, force=True)
        return self.cancelled()

    def _take(self, found: Future[Any]) -> None:
        error = found.exception()
        with suppress(InvalidStateError):
            if error is None:
                self.set_result(found.result())
            else:
                self.set_exception(told(self._executor.ray, error))


class RayExecutor(Executor):
    """Runs pieces on a cluster: `rue.sweep(..., executor=RayExecutor("auto"))`."""

    def __init__(self, address: str) -> None:
        self.nodes: list[Node] = connect(address)
        self.ray = ray_module()
        self._places = self.ray.remote(Places).options(num_cpus=0, max_restarts=-1).remote()
        self._known: dict[int, str] = {}
        self._asked: Any = None
        self._due = 0.0
        self._count = 0

    @property
    def cores(self) -> int:
        """Of all machines."""
        return sum(node.cores for node in self.nodes)

    @property
    def widest(self) -> int:
        """The cores of the machine that has most."""
        return max(node.cores for node in self.nodes)

    def places(self) -> dict[int, str]:
        """Where the pieces are worked on, as far as that is known by now."""
        now = time.monotonic()
        if self._asked is None and now >= self._due:
            self._asked, self._due = self._places.known.remote(), now + LOOKING
        if self._asked is not None and self.ray.wait([self._asked], timeout=0)[0]:
            with suppress(self.ray.exceptions.RayError):
                self._known = self.ray.get(self._asked)
            self._asked = None
        return self._known

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Work on a piece: the first argument tells the `bytes` that it takes, the second the `threads`, if they do."""
        piece, going = [*arguments, None, None][:2]
        size = (getattr(piece, "bytes", None) or 0) + PROCESS
        able = [node for node in self.nodes if node.bytes >= size]
        if not able:
            room = max(node.bytes for node in self.nodes)
            refused: Future[Any] = Future()
            need = f"it would need about {readable(size)}, and no machine of the cluster has more than {readable(room)}"
            refused.set_exception(RueError(need))
            return refused
        widest = max(able, key=lambda node: (node.cores, node.bytes))
        threads = min(getattr(going, "threads", 1), widest.cores)
        takes = {"num_cpus": threads, "memory": min(widest.bytes, -(-size // CLASS) * CLASS)}
        if is_dataclass(going) and not isinstance(going, type) and hasattr(going, "stop"):
            arguments = (piece, replace(going, threads=threads, stop=Never()), *arguments[2:])
        self._count += 1
        remote = self.ray.remote(_perform).options(max_retries=AGAIN, retry_exceptions=False, **takes)
        asked = remote.remote(Versions(), self._places, self._count, work, arguments, named)
        return RayFuture(self, self._count, asked)


def _perform(
    theirs: Versions, places: Any, number: int, work: Callable[..., Any], arguments: tuple[Any, ...], named: Any
) -> Any:
    theirs.check()
    places.begun.remote(number, platform.node())
    with told_with_machine():
        return work(*arguments, **named)
