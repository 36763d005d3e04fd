"""One piece of background work: its state, its progress, and how it is paused and stopped."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, Literal, TypeVar

from zerosum.runs.progress import TaskProgress
from zerosum.runs.run import StoppedError
from zerosum.support.errors import ZerosumError, format_error

TaskState = Literal["queued", "preparing", "running", "paused", "stopped", "done", "failed"]
ACTIVE: tuple[TaskState, ...] = ("preparing", "running")
WAITING: tuple[TaskState, ...] = ("queued", "paused")
AnyTask = TypeVar("AnyTask", bound="Task")


class Task(ABC):
    """Background work that a `TaskQueue` runs. Any thread may watch it, or ask it to pause or stop.

    A subclass implements `work`, calls `mark_changed` whenever there is something new to show, and checks `request`.
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

    def mark_changed(self) -> None:
        """Note that there is something new to show."""
        self.version += 1

    def start_turn(self) -> None:
        """Begin a turn of the task: later requests are for this turn."""
        if not self.is_active:
            self.state, self.error, self.request = self.starting_state, "", ""
            self.mark_changed()

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
        self.mark_changed()
        return self.state == "running"

    def fail(self, error: Exception) -> None:
        """Record the error that ended the task."""
        self.state, self.error = "failed", format_error(error)

    def pause(self, waiting: bool = False) -> None:
        """Pause soon, or at once if it is `waiting` for its turn."""
        if waiting or self.state == "queued":
            self.state = "paused"
        elif self.is_active:
            self.request = "pause"
        self.mark_changed()

    def stop(self) -> bool:
        """End soon and keep what was reached; return whether the caller has to `run` it for that."""
        self.request = "stop"
        if self.state in WAITING:
            self.state = "stopped"
        self.mark_changed()
        return False


class TaskQueue(Generic[AnyTask]):
    """Runs tasks in a thread, which starts with the first of them; tasks of one group take turns.

    time_slice: seconds of a turn. on_start: called with a task when its turn has come. on_end: called with a task that
    wants no other turn.
    """

    def __init__(
        self,
        name: str,
        time_slice: float | None = None,
        on_start: Callable[[AnyTask], object] = lambda task: None,
        on_end: Callable[[AnyTask], object] = lambda task: None,
    ) -> None:
        self.name, self.time_slice = name, time_slice
        self.latest: AnyTask | None = None
        """The task that was submitted last."""
        self._on_start, self._on_end = on_start, on_end
        self._waiting: list[AnyTask] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False

    def submit(self, task: AnyTask) -> None:
        """Let a task wait for its turn."""
        with self._changed:
            self._enqueue(task)

    def check_idle(self) -> None:
        """Raise if the latest task is still active."""
        if self.latest is not None and self.latest.is_active:
            raise ZerosumError(f"{self.latest.name} is still running: wait for it or stop it first")

    def submit_alone(self, task: AnyTask) -> None:
        """Start a task, or raise if the latest one is still active."""
        with self._changed:
            self.check_idle()
            task.start_turn()
            self._enqueue(task)

    def _enqueue(self, task: AnyTask) -> None:
        self.latest = task
        if task not in self._waiting:
            self._waiting.append(task)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run_tasks, daemon=True, name=self.name)
            self._thread.start()
        self._changed.notify_all()

    def withdraw(self, task: AnyTask) -> bool:
        """Remove a task from those that wait for their turn; return whether it was one of them."""
        with self._changed:
            waits = task in self._waiting
            if waits:
                self._waiting.remove(task)
        return waits

    def stop(self, task: AnyTask) -> None:
        """Stop a task and keep its progress. The calling thread saves one that is paused, as the queue may be busy for
        hours."""
        with self._changed:
            if task in self._waiting:
                self._waiting.remove(task)
                task.pause(waiting=True)
            must_run = task.stop()
        if must_run:
            task.run()
            self._on_end(task)

    def close(self, tasks: Iterable[AnyTask] = ()) -> None:
        """Stop tasks and end the thread; their progress is saved when this returns."""
        with self._changed:
            self._closing = True
            self._waiting.clear()
            self._changed.notify_all()
        for task in tasks:
            if task.is_active or task.state == "paused":
                task.stop()
        if self._thread is not None:
            self._thread.join()
        for task in tasks:
            if task.is_active or task.state == "paused":
                task.run()
                self._on_end(task)

    def _run_tasks(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if self._closing:
                    return
                task = self._waiting.pop(0)
                task.start_turn()
            self._on_start(task)
            if task.run(None if task.group is None else self.time_slice):
                self._requeue(task)
            else:
                self._on_end(task)

    def _requeue(self, task: AnyTask) -> None:
        """Let a task wait for its next turn, after those of its group that wait at the head of the queue."""
        with self._changed:
            if self._closing:
                return
            index = 0
            while index < len(self._waiting) and self._waiting[index].group == task.group:
                index += 1
            self._waiting.insert(index, task)
