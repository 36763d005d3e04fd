"""What handlers work on, and the decorator that gives a handler its address.

A handler is a function of the explorer and of what a request contains: the variable parts of the address, and the
values of its query or of its JSON, which the annotations of the other parameters declare. `requests.read` checks them.
"""

from __future__ import annotations

import inspect
import itertools
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, make_dataclass
from typing import Any, TypeVar

from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.training_store import TrainingStore
from zerosum.jobs.task import Task, TaskQueue
from zerosum.support.errors import ZerosumError

HandlerT = TypeVar("HandlerT", bound=Callable[..., Any])


class Explorer:
    """What the handlers work on: the runs, the workspace, and what was named on the command line.

    start: the page to open first. libratus_folder: the folder of the Libratus endgames.
    """

    def __init__(self, runs: RunManager, start: Mapping[str, Any], libratus_folder: str | None = None) -> None:
        self.runs, self.workspace = runs, runs.workspace
        self.trainings = TrainingStore(runs.workspace)
        self.start, self.libratus_folder = start, libratus_folder
        self.report_queue: TaskQueue[Task] = TaskQueue("zerosum explore: report")
        self.figure_queue: TaskQueue[Task] = TaskQueue("zerosum explore: figure")

    def close(self) -> None:
        """End all tasks; their progress is on disk when this returns."""
        queues = (self.figure_queue, self.report_queue)
        for queue in queues:
            if queue.latest is not None and queue.latest.is_active:
                queue.latest.stop()
        self.runs.close()
        for queue in queues:
            queue.close()


@dataclass(frozen=True)
class Endpoint:
    """A method and an address, and the handler that answers their requests; it is called from any thread."""

    method: str
    path: str
    handler: Callable[..., Any]
    request_type: type
    """A dataclass with a field for each value that a request may contain."""
    takes_request: bool
    """Whether the handler takes the dataclass as `request`, and not its values one by one."""


ENDPOINTS: list[Endpoint] = []
"""Every endpoint of the modules that are imported: docs/explorer.md describes them with their JSON."""


def route(method: str, path: str) -> Callable[[HandlerT], HandlerT]:
    """Register a handler, which returns what JSON can hold or raises a `ZerosumError`, under an address.

    A handler may take all values of a request at once, as a dataclass, by a parameter called `request`.
    """

    def register(handler: HandlerT) -> HandlerT:
        _, *parameters = inspect.signature(handler).parameters.values()
        values = [parameter for parameter in parameters if f"{{{parameter.name}}}" not in path]
        takes_request = [value.name for value in values] == ["request"]
        if takes_request:
            request_type = handler.__globals__[values[0].annotation]
        else:
            fields = [(value.name, value.annotation) for value in values]
            defaults = {value.name: value.default for value in values if value.default is not value.empty}
            request_type = make_dataclass(handler.__name__, fields, namespace=defaults)
            request_type.__module__ = handler.__module__  # where the annotations are evaluated
        ENDPOINTS.append(Endpoint(method, path, handler, request_type, takes_request))
        return handler

    return register


class LatestRequest:
    """Long requests of one kind, of which the latest of each run is answered; a newer one ends the one before it."""

    def __init__(self) -> None:
        self._tickets = itertools.count(1)
        self._latest: weakref.WeakKeyDictionary[Explorer, dict[str, int]] = weakref.WeakKeyDictionary()

    def begin(self, explorer: Explorer, run: str) -> Callable[..., None]:
        """Make a request the latest of its run; return a function that raises once a newer one has arrived."""
        ticket = next(self._tickets)
        latest = self._latest.setdefault(explorer, {})
        latest[run] = ticket

        def raise_if_superseded(*_: object) -> None:
            if latest[run] != ticket:
                raise ZerosumError("this request was replaced by a newer one")

        return raise_if_superseded
