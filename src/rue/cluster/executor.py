"""Many pieces of work on a Ray cluster, behind the interface of `concurrent.futures`.

A piece whose worker is lost is begun again elsewhere. Ray is told the cores and the bytes of each, so that no machine
is overfilled.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from dataclasses import is_dataclass, replace
from typing import Any

from rue.cluster.connect import Node, connect, ray_module
from rue.errors import RueError

AGAIN = 20
"""How often a piece is begun again after its worker was lost."""


class Never:
    """A flag that nobody sets: what runs on a cluster is cancelled instead."""

    def is_set(self) -> bool:
        """No."""
        return False


class RayFuture(Future[Any]):
    """What a piece will leave."""

    def __init__(self, ray: Any, asked: Any) -> None:
        super().__init__()
        self._ray, self._asked = ray, asked
        asked.future().add_done_callback(self._take)

    def cancel(self) -> bool:
        """End the piece, wherever it is worked on."""
        with suppress(Exception):
            self._ray.cancel(self._asked, force=True)
        return super().cancel()

    def _take(self, found: Future[Any]) -> None:
        error = found.exception()
        errors = self._ray.exceptions
        if isinstance(error, errors.RayTaskError):
            error = error.cause
        elif isinstance(error, errors.RayError):
            why = " ".join(str(error).split())[:200]
            error = RueError(f"a piece of work was lost {AGAIN} times on the cluster: {why}")
        with suppress(InvalidStateError):
            if error is None:
                self.set_result(found.result())
            else:
                self.set_exception(error)


class RayExecutor(Executor):
    """Runs pieces on a cluster: `rue.runs.many.Workers(executor=RayExecutor("auto"))`."""

    def __init__(self, address: str) -> None:
        self.nodes: list[Node] = connect(address)
        self._ray = ray_module()

    @property
    def cores(self) -> int:
        """Of all machines."""
        return sum(node.cores for node in self.nodes)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Work on a piece: the first argument tells the `bytes` that it takes, the second the `threads`, if they do."""
        piece, going = [*arguments, None, None][:2]
        takes = {"num_cpus": getattr(going, "threads", 1), "memory": getattr(piece, "bytes", None) or 0}
        if is_dataclass(going) and not isinstance(going, type) and hasattr(going, "stop"):
            arguments = (piece, replace(going, stop=Never()), *arguments[2:])
        remote = self._ray.remote(_perform).options(max_retries=AGAIN, retry_exceptions=False, **takes)
        return RayFuture(self._ray, remote.remote(work, arguments, named))


def _perform(work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return work(*arguments, **named)
