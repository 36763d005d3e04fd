"""Progress as text, for a line in a terminal or in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.support.text import format_duration, format_number, format_rate

if TYPE_CHECKING:
    from zerosum.jobs.task_progress import TaskProgress
    from zerosum.results.payoff_unit import Unit
    from zerosum.runs.progress import Progress

EXPECTED, HISTORIES = "expected", "histories"
"""Stages whose counts are the estimated and the present number of histories."""
STAGE_DETAILS = {
    HISTORIES: "{:,} histories",
    "boards": "{:,} boards",
    "decisions": "{:,} decisions",
    "compiling": "compiling, only this once: {:,} s so far",
}
"""What is shown of the stages of the preparation."""
MAX_NAMED = 3
"""Running solves that are listed by name."""


class ProgressText:
    """The present phase of the work: its name, details and, if it can be predicted, the share that is done."""

    def __init__(self, unit: Unit | None = None, wide: bool = False) -> None:
        """`unit` formats exploitabilities; if `wide`, in all its measures."""
        self.description, self.detail = "starting", ""
        self.share: float | None = None
        self.wide = wide
        self._format: Callable[[float], str] = format_number
        self._name = self._prefix = ""
        self._sampled = False
        self._expected = 0
        if unit is not None:
            self.set_unit(unit)

    @property
    def line(self) -> str:
        """Name and details on one line."""
        return "  ".join(filter(None, (self.description, self.detail)))

    def update(self) -> None:
        """Show the present text; subclasses override it."""

    def _set(self, description: str, detail: str, share: float | None = None) -> None:
        self.description, self.detail, self.share = description, detail, share
        self.update()

    def set_unit(self, unit: Unit) -> None:
        """Show exploitabilities in a unit."""
        self._format = unit.format if self.wide else unit.format_short

    def phase(self, description: str, detail: str = "") -> None:
        """Show a phase whose end cannot be predicted."""
        self._set(description, detail)

    def stage(self, name: str, count: int) -> None:
        """Show a stage of the preparation: a phase by its name, or how much of the phase is done."""
        if name == EXPECTED:
            self._expected = count
        elif name == HISTORIES and count < self._expected:
            detail = f"{count:,} of about {self._expected:,} histories"
            self._set(self._name, detail, count / self._expected)
        elif name in STAGE_DETAILS:
            self.phase(self._name, STAGE_DETAILS[name].format(count))
        else:
            self._name = f"{self._prefix}{name}"
            self.phase(self._name)

    def start_algorithm(self, prefix: str = "", sampled: bool = False) -> None:
        """Prepare for an algorithm: what to show before its name, and whether it counts nodes."""
        self._prefix, self._sampled = prefix, sampled

    def seeds(self, done: int, count: int) -> None:
        """Show how many seeds are done."""
        self._set(self._name, f"{done} of {count} seeds", done / max(1, count))

    def solves(self, progress: TaskProgress) -> None:
        """Show how many of several solves are done, and which are running."""
        details = [f"{progress.done} of {progress.total} done"]
        if progress.running:
            n_more = len(progress.running) - MAX_NAMED
            more = f" and {n_more} more" if n_more > 0 else ""
            details.append(f"solving {', '.join(progress.running[:MAX_NAMED])}{more}")
        if progress.remaining is not None:
            details.append(f"{format_duration(progress.remaining)} left")
        self._set(self._name, "  ".join(details), progress.done / max(1, progress.total))

    def run(self, progress: Progress) -> None:
        """Show how far a run is."""
        details = [f"{progress.iteration:,} iterations", f"{format_rate(progress.iteration, progress.seconds)}/s"]
        if self._sampled and progress.nodes:
            details = [f"{progress.nodes:,} nodes", f"{format_rate(progress.nodes, progress.seconds)}/s"]
        if progress.point is not None:
            details.insert(1, f"exploitability {self._format(progress.point.exploitability)}")
        share: float | None = None
        if progress.remaining is not None:
            details.append(f"{format_duration(progress.remaining)} left")
            share = progress.seconds / max(progress.seconds + progress.remaining, 1e-9)
        self._set(self._name, "  ".join(details), share)
