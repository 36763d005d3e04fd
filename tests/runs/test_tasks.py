"""Tasks in the background: in their order or in turns, one at a time, stopped and failed."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import zerosum
from zerosum.jobs.task import Task, TaskQueue, TaskState
from zerosum.runs.run import StoppedError


class Steps(Task):
    """A task that writes its name for every step, a step a turn."""

    def __init__(self, name: str, steps: int, written: list[str], group: str | None = None) -> None:
        super().__init__(name, name)
        self.steps, self.written, self._group = steps, written, group

    @property
    def group(self) -> str | None:
        return self._group

    def work(self, seconds: float | None) -> TaskState:
        while self.steps:
            if self.request == "stop":
                raise StoppedError
            self.written.append(self.name)
            self.steps -= 1
            if seconds is not None and self.steps:
                return "running"
        return "done"

    def to_json(self) -> dict[str, Any]:
        return {"state": self.state}


class Blocked(Steps):
    """A task that waits until it is stopped."""

    starting_state: TaskState = "running"

    def work(self, seconds: float | None) -> TaskState:
        while self.request != "stop":
            time.sleep(0.001)
        return "stopped"


def wait_for(task: Task, *states: str) -> None:
    end = time.monotonic() + 60
    while task.state not in states and time.monotonic() < end:
        time.sleep(0.001)
    assert task.state in states


def test_tasks_of_a_group_take_turns_and_others_run_to_their_end() -> None:
    written: list[str] = []
    started = threading.Event()
    queue: TaskQueue[Task] = TaskQueue("test", time_slice=1.0, on_start=lambda task: started.wait(60))
    tasks = [Steps("a", 2, written, "game"), Steps("b", 2, written, "game"), Steps("c", 2, written)]
    for task in tasks:
        queue.submit(task)
    started.set()
    for task in tasks:
        wait_for(task, "done")
    queue.close(tasks)
    assert "".join(written) == "ababcc"


def test_one_task_at_a_time_and_a_withdrawn_one_does_not_run() -> None:
    written: list[str] = []
    queue: TaskQueue[Task] = TaskQueue("test")
    first, second = Blocked("first", 0, written), Steps("second", 1, written)
    queue.submit_alone(first)
    assert first.state == "running"
    with pytest.raises(zerosum.ZerosumError, match="first is still running"):
        queue.submit_alone(second)
    queue.submit(second)
    assert queue.withdraw(second)
    assert not queue.withdraw(second)
    queue.stop(first)
    wait_for(first, "stopped")
    queue.close()
    assert written == []


def test_an_error_is_noted_and_the_next_task_runs() -> None:
    written: list[str] = []
    ended: list[Task] = []

    class Failing(Steps):
        def work(self, seconds: float | None) -> TaskState:
            raise zerosum.ZerosumError("it cannot be done")

    queue: TaskQueue[Task] = TaskQueue("test", on_end=ended.append)
    tasks = [Failing("failing", 1, written), Steps("next", 1, written)]
    version = tasks[0].version
    for task in tasks:
        queue.submit(task)
    wait_for(tasks[1], "done")
    queue.close(tasks)
    assert (tasks[0].state, tasks[0].error) == ("failed", "it cannot be done")
    assert tasks[0].version > version
    assert ended == tasks
