"""What is told of a run while it goes on, and about how long it still takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rue.checked import check_function
from rue.records import dataclass
from rue.results.points import Point
from rue.runs.checkpoints import crossing, height
from rue.solvers.base import BaseSolver
from rue.solvers.limits import WITHOUT_END, Limits

if TYPE_CHECKING:
    from rue.runs.run import Run

FORESEEABLE = 2
"""Points of a curve before anything is told of its future."""


@dataclass(frozen=True)
class Progress:
    """Where a run is: what a progress display needs.

    >>> import rue
    >>> seen = []
    >>> _ = rue.solve("kuhn", iterations=50, progress=seen.append)
    >>> seen[-1].iteration, seen[-1].iterations, seen[-1].remaining
    (50, 50, 0.0)
    """

    iteration: int
    iterations: int
    seconds: float
    point: Point | None
    """The last evaluation."""
    remaining: float | None
    """Seconds left, by the nearest end that can be foreseen."""
    nodes: int | None = None
    """The nodes touched so far, where they are counted."""


@dataclass(frozen=True)
class Listener:
    """Who is told how a run goes: `progress` several times a second, `stage` what is done before it starts and how
    many pieces of that are done, `evaluated` the run itself whenever its curve has a new point.

    Who is told of an evaluation may look at `run.curve[-1]` and `run.result()`, and may call `run.stop()`.

    >>> import rue
    >>> stages = []
    >>> run = rue.start("kuhn", "cfr", iterations=10, listener=Listener(stage=lambda what, count: stages.append(what)))
    >>> run.prepare()
    >>> stages[:2]
    ['compiling kuhn', 'cfr']
    """

    progress: Callable[[Progress], Any] | None = None
    stage: Callable[[str, int], Any] | None = None
    evaluated: Callable[[Run], Any] | None = None

    def __post_init__(self) -> None:
        for what in ("progress", "stage", "evaluated"):
            check_function(what, getattr(self, what))


def time_left(solver: BaseSolver, limits: Limits, curve: Sequence[Point], now: float, rate: float) -> float | None:
    """About how many seconds a run still takes, by the first of its limits; None while nothing can be told.

    `now` is how long it took, `rate` its iterations a second. An exploitability counts as soon as its curve falls.
    """
    left = []
    if solver.horizon < WITHOUT_END and rate > 0:
        left.append((solver.horizon - solver.iteration) / rate)
    end = limits.end(solver.algorithm)
    if end is not None and solver.nodes:
        left.append(max(0.0, end / solver.nodes - 1.0) * now)
    if limits.seconds is not None:
        left.append(max(0.0, limits.seconds - now))
    if limits.until is not None and len(curve) >= FORESEEABLE and rate > 0:
        reached = crossing([height(point, False) for point in curve], limits.until)
        left += [] if reached is None else [max(0.0, reached - solver.iteration) / rate]
    return min(left, default=None)
