"""What a handler gets: the explorer and the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.workspace import Workspace
from zerosum.jobs.task import Task, TaskQueue

if TYPE_CHECKING:
    from zerosum.explorer.holdem.training_store import TrainingStore


@dataclass(frozen=True)
class Request:
    """A request: the variable parts of its address, and its JSON or its query."""

    path: Mapping[str, str]
    body: Any


class Explorer:
    """What the handlers work on: the runs, the workspace, and what was named on the command line.

    start: the page to open first. libratus_folder: the folder of the Libratus endgames.
    """

    def __init__(
        self,
        runs: RunManager,
        trainings: TrainingStore,
        start: Mapping[str, Any],
        libratus_folder: str | None = None,
    ) -> None:
        self.runs, self.trainings = runs, trainings
        self.start, self.libratus_folder = start, libratus_folder
        self.report_queue: TaskQueue[Task] = TaskQueue("zerosum explore: report")
        self.figure_queue: TaskQueue[Task] = TaskQueue("zerosum explore: figure")

    def close(self) -> None:
        """End all tasks; their progress is on disk when this returns."""
        queues = (self.figure_queue, self.report_queue)
        tasks = [queue.latest for queue in queues if queue.latest is not None]
        for task in tasks:
            if task.is_active:
                task.stop()
        self.runs.close()
        for queue in queues:
            queue.close()

    @property
    def workspace(self) -> Workspace:
        """The folder of runs, spots, ranges and reports."""
        return self.runs.workspace


Handler = Callable[[Explorer, Request], Any]
"""Takes a request and returns what JSON can hold, or raises a `ZerosumError`. It is called from any thread."""
Handlers = dict[tuple[str, str], Handler]
"""Handlers by method and address."""
