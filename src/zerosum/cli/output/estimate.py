"""Print how many runs there are, and their memory and time: `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text

from zerosum.cli.console import create_console, new_table, print_json, redirect_prints
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_cores
from zerosum.support.text import format_bytes, format_duration

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm
    from zerosum.engine.limits import Limits
    from zerosum.problems.estimate import Estimate
    from zerosum.problems.problem import Problem, StageCallback


@dataclass(frozen=True)
class RunBatch:
    """Runs with equal costs: an algorithm on a problem, with several seeds or at several points of a grid."""

    problem: Problem
    algorithm: Algorithm
    limits: Limits
    count: int = 1
    name: str = ""

    @property
    def parallel_count(self) -> int:
        """How many run in parallel."""
        return min(self.count, self.limits.threads or available_cores())

    def estimate(self, on_stage: StageCallback) -> Estimate:
        """Return the estimate of the runs that run in parallel."""
        estimate = self.problem.estimate(self.algorithm, self.limits.threads, on_stage)
        if estimate is None:
            raise ZerosumError("--dry-run needs the whole game, which --by-rules does not enumerate: drop one of them")
        return estimate.for_parallel_runs(self.parallel_count)

    def total_seconds(self, estimate: Estimate) -> float | None:
        """Return about how many seconds all of them take together, None if that cannot be predicted."""
        seconds = estimate.predict_run_seconds(self.algorithm, self.limits)
        return None if seconds is None else seconds * self.count / self.parallel_count


def print_dry_run(batches: Sequence[RunBatch], json: bool) -> None:
    """Print a row for each batch of runs; refuse one that does not fit in memory."""
    from zerosum.cli.progress import Display

    # Algorithms that sample come first: they build the histories that the others can use.
    sampled_first = sorted(batches, key=lambda batch: batch.algorithm.sampling is None)
    with redirect_prints(), Display() as display:
        by_batch = {id(batch): batch.estimate(display.show_stage) for batch in sampled_first}
    estimates = [by_batch[id(batch)] for batch in batches]
    seconds = [batch.total_seconds(estimate) for batch, estimate in zip(batches, estimates, strict=True)]
    rows = list(zip(batches, estimates, seconds, strict=True))
    if json:
        print_json({"runs": sum(batch.count for batch in batches), "dry_run": [_row_to_json(*row) for row in rows]})
    else:
        numbers = ("runs", "at once", "memory", "time")
        table = new_table("", *numbers, right=numbers)
        for row in rows:
            table.add_row(*_format_row(*row))
        create_console().print(table)
    for estimate in estimates:
        estimate.check_memory()


def _row_to_json(batch: RunBatch, estimate: Estimate, seconds: float | None) -> dict[str, Any]:
    about = {
        "algorithm": batch.algorithm.name,
        "runs": batch.count,
        "at_once": batch.parallel_count,
        "seconds": seconds,
    }
    return {**estimate.content(), **about}


def _format_row(batch: RunBatch, estimate: Estimate, seconds: float | None) -> tuple[str | Text, ...]:
    time = "unknown" if seconds is None else f"about {format_duration(seconds)}"
    name = Text(batch.name or batch.algorithm.name)
    return name, f"{batch.count:,}", f"{batch.parallel_count}", f"about {format_bytes(estimate.bytes)}", time
