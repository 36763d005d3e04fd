"""What runs would take, shown in place of running them: `--dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from rue.cli.console import aside, output, print_json, table
from rue.errors import RueError
from rue.machine import cores
from rue.records import dataclass
from rue.words import duration, readable

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.problems.estimate import Estimate
    from rue.problems.problem import Problem, Tell
    from rue.solvers.limits import Limits

Flag = typer.Option("--dry-run", metavar="", help="Show how many runs there are, their memory and time, and stop.")
NOT_KNOWN = "not known before"


@dataclass(frozen=True)
class Runs:
    """Runs of one kind: an algorithm on a problem, by so many seeds or at so many points."""

    problem: Problem
    algorithm: Algorithm
    limits: Limits
    count: int = 1
    name: str = ""

    @property
    def at_once(self) -> int:
        """How many go on at once."""
        return min(self.count, self.limits.threads or cores())

    def size(self, tell: Tell | None = None) -> Estimate:
        """What those take that go on at once."""
        found = self.problem.estimate(self.algorithm, self.limits.threads, tell)
        if found is None:
            raise RueError("by rules alone the size of the game is not known: leave out --dry-run")
        return found.at_once(self.at_once)

    def lasts(self, size: Estimate) -> float | None:
        """About how many seconds all of them take together."""
        one = size.lasts(self.algorithm, self.limits)
        return None if one is None else one * self.count / self.at_once


def tell(kinds: Sequence[Runs], json: bool) -> None:
    """Show a row for each kind of runs; what does not fit is refused."""
    from rue.cli.progress import Display

    sampled_first = sorted(kinds, key=lambda runs: runs.algorithm.sampling is None)  # who keeps the histories for all
    with aside(), Display() as display:
        found = {id(runs): runs.size(display.stage) for runs in sampled_first}
    sizes = [found[id(runs)] for runs in kinds]
    times = [runs.lasts(size) for runs, size in zip(kinds, sizes, strict=True)]
    if json:
        rows = zip(kinds, sizes, times, strict=True)
        print_json({"runs": sum(runs.count for runs in kinds), "dry_run": [_content(*row) for row in rows]})
    else:
        _show(kinds, sizes, times)
    for size in sizes:
        size.check()


def _content(runs: Runs, size: Estimate, seconds: float | None) -> dict[str, Any]:
    told = {"algorithm": runs.algorithm.name, "runs": runs.count, "at_once": runs.at_once, "seconds": seconds}
    return {**size.content(), **told}


def _show(kinds: Sequence[Runs], sizes: Sequence[Estimate], times: Sequence[float | None]) -> None:
    rows = table("", "runs", "at once", "memory", "time", right=("runs", "at once", "memory", "time"))
    for runs, size, seconds in zip(kinds, sizes, times, strict=True):
        told = NOT_KNOWN if seconds is None else f"about {duration(seconds)}"
        memory = f"about {readable(size.bytes)}"
        rows.add_row(Text(runs.name or runs.algorithm.name), f"{runs.count:,}", f"{runs.at_once}", memory, told)
    output().print(rows)
