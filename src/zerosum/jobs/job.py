"""A job is work described as data; it runs with a context, and leaves a result that is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from zerosum.jobs.stop_flag import SupportsIsSet

if TYPE_CHECKING:
    from zerosum.problems.problem import Problem


@dataclass(frozen=True)
class JobContext:
    """What a job gets when it runs: how many threads it may use, and the flag it must check."""

    threads: int
    stop: SupportsIsSet
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
    def complete(self) -> bool:
        """Whether it ran to its end; only complete results are stored."""
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

    def load(self) -> None:
        """Compile or load the kernels that it needs."""

    def run(self, context: JobContext) -> JobResult | None:
        """Run it; return None if it was stopped before there was anything to measure."""

    def check(self, content: Mapping[str, Any]) -> None:
        """Raise one of the `DAMAGE_ERRORS` errors if a stored content is not one of this job."""


def run_job(job: Job, context: JobContext) -> JobResult | None:
    """Run a job: the function that is sent to workers."""
    return job.run(context)
