"""A thread that runs tasks in their order, or in turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from zerosum.jobs.task import Task
from zerosum.support.errors import ZerosumError

AnyTask = TypeVar("AnyTask", bound=Task)


def _do_nothing(task: Task) -> None:
    pass


class TaskQueue(Generic[AnyTask]):
    """Runs tasks in a thread, which starts with the first of them; tasks of one group take turns.

    time_slice: seconds of a turn. on_start: called with a task when its turn has come. on_end: called with a task that
    wants no other turn.
    """

    def __init__(
        self,
        name: str,
        time_slice: float | None = None,
        on_start: Callable[[AnyTask], None] = _do_nothing,
        on_end: Callable[[AnyTask], None] = _do_nothing,
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
            self._append(task)

    def check_idle(self) -> None:
        """Raise if the latest task is still active."""
        if self.latest is not None and self.latest.is_active:
            raise ZerosumError(f"{self.latest.name} is still running: wait for it or stop it first")

    def submit_alone(self, task: AnyTask) -> None:
        """Start a task, or raise if the latest one is still active."""
        with self._changed:
            self.check_idle()
            task.start_turn()
            self._append(task)

    def _append(self, task: AnyTask) -> None:
        self.latest = task
        if task not in self._waiting:
            self._waiting.append(task)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name=self.name)
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

    def _run(self) -> None:
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
