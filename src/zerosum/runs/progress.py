"""Progress of a run, the callbacks that receive it, and the estimated time left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.solver import BaseSolver
from zerosum.results.curve import Point
from zerosum.runs.evaluation_schedule import curve_coordinates, predict_crossing
from zerosum.support.validation import check_function

if TYPE_CHECKING:
    from zerosum.runs.run import Run

MIN_POINTS = 2
"""Points of a curve before its future is predicted."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

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


def seconds_left(
    solver: BaseSolver, limits: Limits, curve: Sequence[Point], seconds: float, iterations_per_second: float
) -> float | None:
    """Estimate the seconds until a run reaches the first of its limits; None if none can be predicted.

    `seconds` is how long it has run. An exploitability is predicted as soon as its curve falls.
    """
    times = []
    if solver.horizon < UNLIMITED and iterations_per_second > 0:
        times.append((solver.horizon - solver.iteration) / iterations_per_second)
    end = limits.end(solver.algorithm)
    if end is not None and solver.nodes:
        times.append(max(0.0, end / solver.nodes - 1.0) * seconds)
    if limits.seconds is not None:
        times.append(max(0.0, limits.seconds - seconds))
    if limits.until is not None and len(curve) >= MIN_POINTS and iterations_per_second > 0:
        crossing = predict_crossing([curve_coordinates(point, False) for point in curve], limits.until)
        if crossing is not None:
            times.append(max(0.0, crossing - solver.iteration) / iterations_per_second)
    return min(times, default=None)
