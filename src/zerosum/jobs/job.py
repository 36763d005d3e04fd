"""A job is work described as data; it runs with a context, can be stopped by a flag, and leaves a result."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from zerosum.problems.problem import Problem


class StopFlag:
    """A flag that other threads and other processes of this machine see: a file that exists while it is set.

    >>> flag = StopFlag()
    >>> flag.is_set(), flag.set(), flag.is_set(), flag.clear(), flag.is_set()
    (False, None, True, None, False)
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.gettempdir()) / f"zerosum-stop-{uuid.uuid4().hex}"

    def set(self) -> None:
        """Stop all work that checks the flag."""
        self.path.touch()

    def is_set(self) -> bool:
        return os.path.exists(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class JobContext:
    """What a job gets when it runs: how many threads it may use, and the flag it must check."""

    threads: int
    stop: StopFlag
    checkpoint: Path | None = None
    """Where a long job saves its state when it is stopped; None on other machines and where nothing is stored."""
    report: Callable[[float, float], None] | None = None
    """Called with the share of the job that is done and its last measurement; None in other processes."""


@dataclass(frozen=True)
class JobResult:
    """What a job left: its measurements as JSON can hold them, and how and where they were computed."""

    content: Mapping[str, Any]
    stopped: str
    """Why it ended: a limit such as `iterations`, or `interrupted`."""
    seconds: float
    """Wall time in total, building the game included."""
    code: str
    """The version of the sources that computed it."""
    machine: Mapping[str, Any]
    """The package, the machine and the time."""

    @property
    def is_complete(self) -> bool:
        """Whether the job ran to its end; only complete results are stored."""
        return self.stopped != "interrupted"


class Job(Protocol):
    """Work as data, which can be sent to another process."""

    @property
    def label(self) -> str:
        """Its name in progress displays, messages and file names."""

    @property
    def key(self) -> str:
        """A hash of everything its content depends on."""

    @property
    def bytes(self) -> int | None:
        """The memory that it takes, or None if that is not known beforehand."""

    @property
    def problem(self) -> Problem:
        """The problem, which is freed after the last job on it."""

    def load_kernels(self) -> None:
        """Compile or load the kernels that it needs."""

    def run(self, context: JobContext) -> JobResult | None:
        """Run it; return None if it was stopped before there was anything to measure."""

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        """Raise one of the `DAMAGE_ERRORS` errors if a stored content is not one of this job."""
