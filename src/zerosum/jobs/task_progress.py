"""How far work is: what every progress display needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskProgress:
    """How far a task is: how many of its jobs are done and which are running, or the stage of its preparation.

    >>> TaskProgress(done=3, total=8).remaining is None
    True
    """

    done: int
    total: int = 0
    """0 while it is unknown."""
    running: tuple[str, ...] = ()
    """The labels of the jobs in progress, with their machines where those are known."""
    seconds: float = 0.0
    remaining: float | None = None
    """Expected seconds until the end, by the time that finished jobs took."""
    stage: str = ""
    """What is being prepared, such as `histories`, of which `done` are done."""
