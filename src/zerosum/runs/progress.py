"""Progress of runs and other tasks: the callbacks that receive it, the estimated time left, and progress as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.engine.limits import UNLIMITED
from zerosum.runs.evaluation_schedule import get_coordinates, predict_crossing
from zerosum.support.text import format_duration, format_number, format_rate
from zerosum.support.validation import check_function

if TYPE_CHECKING:
    from zerosum.engine.limits import Limits
    from zerosum.engine.solver import BaseSolver
    from zerosum.results.curve import Point
    from zerosum.results.payoff_unit import Unit
    from zerosum.runs.run import Run

MIN_POINTS = 2
"""Points of a curve before its future is predicted."""
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


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    >>> import zerosum
    >>> reports = []
    >>> _ = zerosum.solve("kuhn", iterations=50, progress=reports.append)
    >>> reports[-1].iteration, reports[-1].iterations, reports[-1].remaining
    (50, 50, 0.0)
    """

    iteration: int
    iterations: int
    seconds: float
    point: Point | None
    """The last evaluation."""
    remaining: float | None
    """Seconds left until the nearest limit that can be predicted."""
    nodes: int | None = None
    """The nodes touched so far, if they are counted."""


@dataclass(frozen=True)
class TaskProgress:
    """The progress of a task: how many jobs are done and which are running, or the stage of its preparation.

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


@dataclass(frozen=True)
class Listener:
    """Callbacks of a run.

    - `progress` is called several times a second with a `Progress`.
    - `stage` is called during the preparation with the name of a stage and how much of it is done, such as
      ("boards", 16).
    - `evaluated` is called with the run when its curve has a new point; it may read `run.curve[-1]` and
      `run.result()`, and call `run.stop()`.

    >>> import zerosum
    >>> stages = []
    >>> listener = Listener(stage=lambda what, count: stages.append(what))
    >>> run = zerosum.start("kuhn", "cfr", iterations=10, listener=listener)
    >>> run.prepare()
    >>> stages[:2]
    ['compiling kuhn', 'cfr']
    """

    progress: Callable[[Progress], Any] | None = None
    stage: Callable[[str, int], Any] | None = None
    evaluated: Callable[[Run], Any] | None = None

    def __post_init__(self) -> None:
        for name in ("progress", "stage", "evaluated"):
            check_function(name, getattr(self, name))


def estimate_seconds_left(
    solver: BaseSolver, limits: Limits, curve: Sequence[Point], seconds: float, iterations_per_second: float
) -> float | None:
    """Estimate the seconds until a run reaches the first of its limits; None if none can be predicted.

    `seconds` is how long it has run. An exploitability is predicted as soon as its curve falls.
    """
    times = []
    if solver.horizon < UNLIMITED and iterations_per_second > 0:
        times.append((solver.horizon - solver.iteration) / iterations_per_second)
    end = limits.find_node_limit(solver.algorithm)
    if end is not None and solver.nodes:
        times.append(max(0.0, end / solver.nodes - 1.0) * seconds)
    if limits.seconds is not None:
        times.append(max(0.0, limits.seconds - seconds))
    if limits.until is not None and len(curve) >= MIN_POINTS and iterations_per_second > 0:
        crossing = predict_crossing([get_coordinates(point, False) for point in curve], limits.until)
        if crossing is not None:
            times.append(max(0.0, crossing - solver.iteration) / iterations_per_second)
    return min(times, default=None)


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

    def _set_text(self, description: str, detail: str, share: float | None = None) -> None:
        self.description, self.detail, self.share = description, detail, share
        self.update()

    def set_unit(self, unit: Unit) -> None:
        """Show exploitabilities in a unit."""
        self._format = unit.format if self.wide else unit.format_short

    def show_phase(self, description: str, detail: str = "") -> None:
        """Show a phase whose end cannot be predicted."""
        self._set_text(description, detail)

    def show_stage(self, name: str, count: int) -> None:
        """Show a stage of the preparation: a phase by its name, or how much of the phase is done."""
        if name == EXPECTED:
            self._expected = count
        elif name == HISTORIES and count < self._expected:
            detail = f"{count:,} of about {self._expected:,} histories"
            self._set_text(self._name, detail, count / self._expected)
        elif name in STAGE_DETAILS:
            self.show_phase(self._name, STAGE_DETAILS[name].format(count))
        else:
            self._name = f"{self._prefix}{name}"
            self.show_phase(self._name)

    def start_algorithm(self, prefix: str = "", sampled: bool = False) -> None:
        """Prepare for an algorithm: what to show before its name, and whether it counts nodes."""
        self._prefix, self._sampled = prefix, sampled

    def show_seeds(self, done: int, count: int) -> None:
        """Show how many seeds are done."""
        self._set_text(self._name, f"{done} of {count} seeds", done / max(1, count))

    def show_solves(self, progress: TaskProgress) -> None:
        """Show how many of several solves are done, and which are running."""
        details = [f"{progress.done} of {progress.total} done"]
        if progress.running:
            n_more = len(progress.running) - MAX_NAMED
            more = f" and {n_more} more" if n_more > 0 else ""
            details.append(f"solving {', '.join(progress.running[:MAX_NAMED])}{more}")
        if progress.remaining is not None:
            details.append(f"{format_duration(progress.remaining)} left")
        self._set_text(self._name, "  ".join(details), progress.done / max(1, progress.total))

    def show_run(self, progress: Progress) -> None:
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
        self._set_text(self._name, "  ".join(details), share)
