"""Iterate in batches, evaluate now and then, stop when asked: the same for every kind of solver."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.result import Point
from rue.solvers.evaluate import Evaluation
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.periods import Periodic
from rue.solvers.state import State, check_finite

BATCH_SECONDS = 0.05
POINTS_A_DECADE = 12
FORESEEABLE = 5
"""Points of a curve before anything is told of its future."""
FARTHEST = 10.0
"""Powers of e of the time so far beyond which nothing is told."""


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


class Named(Protocol):
    """A game in some form."""

    @property
    def name(self) -> str:
        """What the game is called."""


class Iterating(Protocol):
    """What a run needs of a solver, whatever form its game has."""

    iteration: int
    horizon: int
    algorithm: Algorithm

    @property
    def form(self) -> Named:
        """The game."""

    @property
    def nodes(self) -> int | None:
        """The nodes touched so far; None where nobody counts."""

    def warm_up(self) -> None:
        """Load the compiled code without an iteration."""

    def run(self, iterations: int) -> None:
        """Go on for a number of iterations."""

    def evaluate(self) -> Evaluation | None:
        """The value and the exploitability of the average strategies; None where they cannot be known."""

    def state(self) -> dict[str, Any]:
        """The arrays that the next iteration starts from."""

    def restore(self, state: State, iteration: int) -> None:
        """Take up such arrays after so many iterations."""

    def where(self, name: str, index: int) -> str:
        """Which decision a number of the state belongs to."""


class Keeping(Protocol):
    """What saves a run while it goes on, and takes up one that was saved."""

    @property
    def curve(self) -> Sequence[Point]:
        """What an earlier part of the run found."""

    @property
    def seconds(self) -> float:
        """How long the earlier parts took."""

    def begin(self, solver: Iterating) -> None:
        """The run starts: give the solver its saved state, if there is one."""

    def pass_by(self, solver: Iterating, curve: Sequence[Point], seconds: float) -> None:
        """The solver is between two iterations: save it if it is time."""

    def finish(self, solver: Iterating, curve: Sequence[Point], seconds: float, stopped: str, settled: bool) -> None:
        """The run ended: save what it reached. `settled`: a longer run would have the last point, too."""


def checkpoints(iterations: int, per_decade: int = POINTS_A_DECADE) -> Iterator[int]:
    """The iterations, or numbers of nodes, at which a run is evaluated: log-spaced, the last one included.

    >>> list(checkpoints(20, 4))
    [1, 2, 3, 6, 10, 18, 20]
    """
    last, step = 0, 0
    while last < iterations:
        point = min(iterations, round(10 ** (step / per_decade)))
        if point > last:
            yield point
            last = point
        step += 1


def in_every_run(target: int, per_decade: int = POINTS_A_DECADE) -> bool:
    """Whether a checkpoint is one of every run that gets so far, not only of a run that ends there.

    >>> in_every_run(100), in_every_run(107)
    (True, False)
    """
    step = round(math.log10(target) * per_decade)
    return any(round(10 ** (near / per_decade)) == target for near in (step - 1, step, step + 1))


def iterate(
    solver: Iterating,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    interrupted: threading.Event | None = None,
    keeping: Keeping | None = None,
) -> tuple[list[Point], str]:
    """Iterate until the first limit and return the evaluations on the way and why the run ended.

    The first Ctrl-C ends it too, or `interrupted` if it is given; numbers that are no longer finite are an error.
    `keeping` saves the run on the way and at its end.
    """
    if keeping is not None:
        keeping.begin(solver)
    run = _Run(solver, limits, progress, keeping)
    with nullcontext(interrupted) if interrupted is not None else interruptible() as event:
        curve, stopped = run.all(event)
        if keeping is not None:
            keeping.finish(solver, curve, run.elapsed, stopped, run.settled)
        return curve, stopped


class _Run:
    """One run: its clock is nodes touched if they end it, else iterations."""

    def __init__(
        self,
        solver: Iterating,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
        keeping: Keeping | None = None,
    ) -> None:
        self.solver, self.limits, self.progress = solver, limits, progress
        self.end = limits.end(solver.algorithm)
        if self.end is not None and solver.nodes is None:
            name = solver.algorithm.name
            raise RueError(f"{name} counts no nodes on {solver.form.name}: give iterations or seconds instead of nodes")
        self.sampled = solver if isinstance(solver, Periodic) else None
        self.keeping = keeping
        self.curve: list[Point] = [] if keeping is None else list(keeping.curve)
        self.settled = False
        self.rate = 0.0
        solver.warm_up()
        self.began = time.perf_counter() - (0.0 if keeping is None else keeping.seconds)

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.began

    @property
    def full(self) -> bool:
        return self.sampled is not None and self.sampled.full

    def all(self, interrupted: threading.Event) -> tuple[list[Point], str]:
        """The whole run."""
        solver, end = self.solver, self.end if self.sampled is not None else None
        for target in checkpoints(solver.horizon if end is None else end):
            if (solver.iteration if end is None else solver.nodes or 0) >= target:
                continue
            self.reach(target, end is not None, interrupted)
            if not solver.iteration:
                solver.run(1)
            early = self.sampled is not None and self.sampled.nodes < self.sampled.worth_a_look
            there = (solver.iteration if end is None else solver.nodes or 0) >= target
            self.settled = there and not early and in_every_run(target)
            if early and self.stopped(interrupted) is None:
                continue
            self.evaluate()
            stopped = self.stopped(interrupted)
            if stopped is not None:
                return self.curve, stopped
        return self.curve, "iterations"

    def reach(self, target: int, by_nodes: bool, interrupted: threading.Event) -> None:
        """Go on to a checkpoint, or until the run must stop."""
        solver, seconds = self.solver, self.limits.seconds
        while (solver.nodes or 0 if by_nodes else solver.iteration) < target and solver.iteration < solver.horizon:
            left = math.inf if seconds is None else seconds - self.elapsed
            if left <= 0 or self.full or stopped_by_hand(interrupted):
                return
            if self.keeping is not None:
                self.keeping.pass_by(solver, self.curve, self.elapsed)
            wanted = max(1, int(self.rate * min(BATCH_SECONDS, left)))
            if by_nodes and self.sampled is not None:
                self.sampled.run(min(wanted, solver.horizon - solver.iteration), target)
            else:
                solver.run(min(wanted, target - solver.iteration))
            self.rate = solver.iteration / max(self.elapsed, 1e-9)
            self.report()

    def stopped(self, interrupted: threading.Event) -> str | None:
        """Why the run is over, if it is."""
        until = self.limits.until
        if until is not None and self.curve and self.curve[-1].exploitability <= until:
            return "until"
        if stopped_by_hand(interrupted):
            return "interrupted"
        if self.end is not None and (self.solver.nodes or 0) >= self.end:
            return "nodes"
        if self.solver.iteration >= self.solver.horizon:
            return "iterations"
        if self.full:
            return "memory"
        return "seconds" if self.limits.seconds is not None and self.elapsed >= self.limits.seconds else None

    def evaluate(self) -> None:
        """One more point of the curve."""
        solver = self.solver
        found = solver.evaluate()
        if found is None:
            return
        check_finite(solver, solver.state())
        if not math.isfinite(found.exploitability):
            raise RueError(
                f"{solver.algorithm.name} on {solver.form.name} is no longer finite at iteration {solver.iteration}"
            )
        numbers = found.exploitability, found.nash_conv, found.value
        self.curve.append(Point(solver.iteration, self.elapsed, *numbers, solver.nodes))
        self.report()

    def report(self) -> None:
        """Tell where the run is."""
        if self.progress is None:
            return
        solver, now = self.solver, self.elapsed
        left = []
        if solver.horizon < WITHOUT_END and self.rate > 0:
            left.append((solver.horizon - solver.iteration) / self.rate)
        if self.end is not None and solver.nodes:
            left.append(max(0.0, self.end / solver.nodes - 1.0) * now)
        if self.limits.seconds is not None:
            left.append(max(0.0, self.limits.seconds - now))
        if self.limits.until is not None:
            arrival = foreseen(self.curve, self.limits.until)
            left += [] if arrival is None else [max(0.0, arrival - now)]
        point = self.curve[-1] if self.curve else None
        remaining = min(left) if left else None
        self.progress(Progress(solver.iteration, solver.horizon, now, point, remaining, solver.nodes))


def foreseen(curve: Sequence[Point], until: float) -> float | None:
    """The second at which a curve gets to an exploitability if it falls as fast as since a quarter of its time.

    That is a straight line of log exploitability over log time. None while nothing can be told.

    >>> curve = [Point(n, n / 10, 8 / n, 16 / n, 0.0) for n in (1, 2, 4, 8, 16)]
    >>> foreseen(curve, 0.25)
    3.2
    >>> foreseen(curve[:2], 0.25) is foreseen(curve, 0.0) is None
    True
    """
    if len(curve) < FORESEEABLE:
        return None
    last = curve[-1]
    before = next(point for point in curve if 4.0 * point.seconds >= last.seconds)
    if not (until > 0.0 and 0.0 < last.exploitability < before.exploitability and before.seconds < last.seconds):
        return None
    slope = math.log(before.exploitability / last.exploitability) / math.log(last.seconds / before.seconds)
    steps = math.log(max(1.0, last.exploitability / until)) / slope
    return last.seconds * math.exp(steps) if steps < FARTHEST else None


def stopped_by_hand(interrupted: threading.Event) -> bool:
    """Whether Ctrl-C was pressed."""
    return interrupted.is_set()


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event; the second one interrupts as usual."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    previous = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: object) -> None:
        event.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, note)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, previous)
