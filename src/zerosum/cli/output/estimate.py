"""Print how many runs there are, and their memory and time: `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text

from zerosum.cli.console import new_table, output, print_json, redirect_prints
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_cores
from zerosum.support.text import format_bytes, format_duration

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm
    from zerosum.engine.limits import Limits
    from zerosum.problems.estimate import Estimate
    from zerosum.problems.problem import Problem, StageCallback

NOT_KNOWN = "not known before"


@dataclass(frozen=True)
class RunBatch:
    """Runs with equal costs: an algorithm on a problem, with several seeds or at several points of a grid."""

    problem: Problem
    algorithm: Algorithm
    limits: Limits
    count: int = 1
    name: str = ""

    @property
    def at_once(self) -> int:
        """How many run in parallel."""
        return min(self.count, self.limits.threads or available_cores())

    def size(self, tell: StageCallback | None = None) -> Estimate:
        """Return the estimate of the runs that run in parallel."""
        estimate = self.problem.estimate(self.algorithm, self.limits.threads, tell)
        if estimate is None:
            raise ZerosumError("--dry-run needs the whole game, which --by-rules does not enumerate: drop one of them")
        return estimate.at_once(self.at_once)

    def run_seconds(self, size: Estimate) -> float | None:
        """Return about how many seconds all of them take together."""
        seconds = size.run_seconds(self.algorithm, self.limits)
        return None if seconds is None else seconds * self.count / self.at_once


def print_dry_run(kinds: Sequence[RunBatch], json: bool) -> None:
    """Print a row for each batch of runs; refuse one that does not fit in memory."""
    from zerosum.cli.progress import Display

    sampled_first = sorted(kinds, key=lambda runs: runs.algorithm.sampling is None)  # who keeps the histories for all
    with redirect_prints(), Display() as display:
        estimates = {id(runs): runs.size(display.stage) for runs in sampled_first}
    sizes = [estimates[id(runs)] for runs in kinds]
    times = [runs.run_seconds(size) for runs, size in zip(kinds, sizes, strict=True)]
    if json:
        rows = zip(kinds, sizes, times, strict=True)
        print_json({"runs": sum(runs.count for runs in kinds), "dry_run": [_content(*row) for row in rows]})
    else:
        _show(kinds, sizes, times)
    for size in sizes:
        size.check()


def _content(runs: RunBatch, size: Estimate, seconds: float | None) -> dict[str, Any]:
    about = {"algorithm": runs.algorithm.name, "runs": runs.count, "at_once": runs.at_once, "seconds": seconds}
    return {**size.content(), **about}


def _show(kinds: Sequence[RunBatch], sizes: Sequence[Estimate], times: Sequence[float | None]) -> None:
    rows = new_table("", "runs", "at once", "memory", "time", right=("runs", "at once", "memory", "time"))
    for runs, size, seconds in zip(kinds, sizes, times, strict=True):
        time = NOT_KNOWN if seconds is None else f"about {format_duration(seconds)}"
        memory = f"about {format_bytes(size.bytes)}"
        rows.add_row(Text(runs.name or runs.algorithm.name), f"{runs.count:,}", f"{runs.at_once}", memory, time)
    output().print(rows)
