"""One piece of background work: its state, its progress, and how it is paused and stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

from zerosum.jobs.task_progress import TaskProgress
from zerosum.runs.run import StoppedError
from zerosum.support.errors import error_message

TaskState = Literal["queued", "preparing", "running", "paused", "stopped", "done", "failed"]
ACTIVE: tuple[TaskState, ...] = ("preparing", "running")
WAITING: tuple[TaskState, ...] = ("queued", "paused")


class Task(ABC):
    """Background work that a `TaskQueue` runs. Any thread may watch it, or ask it to pause or stop.

    A subclass implements `work`, calls `changed` whenever there is something new to show, and checks `request`.
    """

    starting_state: TaskState = "preparing"
    """Its state when a turn starts."""

    def __init__(self, key: str, name: str) -> None:
        """`key` identifies it in addresses; `name` stands in error messages."""
        self.key, self.name = key, name
        self.state: TaskState = "queued"
        self.error = ""
        self.progress = TaskProgress(0)
        self.version = 0
        """Grows with every change."""
        self.request: Literal["", "pause", "stop"] = ""
        """A request for the present turn."""

    @abstractmethod
    def work(self, seconds: float | None) -> TaskState:
        """Work until the task pauses, stops or is done, or for some seconds; return its state, `running` if it wants
        another turn."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return its state and progress for JSON."""

    @property
    def is_active(self) -> bool:
        """Whether it is being worked on, or between two turns."""
        return self.state in ACTIVE

    @property
    def group(self) -> str | None:
        """Tasks of the same group take turns; one without a group is worked on to its end."""
        return None

    def changed(self) -> None:
        """Note that there is something new to show."""
        self.version += 1

    def start_turn(self) -> None:
        """Begin a turn of the task: later requests are for this turn."""
        if not self.is_active:
            self.state, self.error, self.request = self.starting_state, "", ""
            self.changed()

    def run(self, seconds: float | None = None) -> bool:
        """Work in the calling thread, for some seconds or until it ends; return whether it wants another turn."""
        self.start_turn()
        try:
            self.state = self.work(seconds)
        except StoppedError:
            self.state = "stopped"
        except Exception as error:
            self.fail(error)
        if self.state != "running":
            self.request = ""
        self.changed()
        return self.state == "running"

    def fail(self, error: Exception) -> None:
        """Record the error that ended the task."""
        self.state, self.error = "failed", error_message(error)

    def pause(self, waiting: bool = False) -> None:
        """Pause soon, or at once if it is `waiting` for its turn."""
        if waiting or self.state == "queued":
            self.state = "paused"
        elif self.is_active:
            self.request = "pause"
        self.changed()

    def stop(self) -> bool:
        """End soon and keep what was reached; return whether the caller has to `run` it for that."""
        self.request = "stop"
        if self.state in WAITING:
            self.state = "stopped"
        self.changed()
        return False
