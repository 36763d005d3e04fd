"""One run of a figure: what is run, and the curve that comes of it."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import numpy as np

import rue.container as container
from rue.errors import RueError
from rue.papers.figure import Measure
from rue.papers.one_street import OneStreet
from rue.papers.traces import BYTES, SHARE, Trace
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.records import dataclass
from rue.runs.checkpoints import checkpoints
from rue.runs.many import Flag
from rue.runs.run import StoppedError
from rue.solvers.base import BaseSolver
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.linear_program import equilibrium
from rue.solvers.solver import Solver

BATCH_SECONDS = 0.2
KEEP_SECONDS = 120.0
"""How often a run that takes long is kept."""
WORTH_KEEPING = 2.0
"""Seconds of work that are kept when a run is stopped."""
EVEN_POINTS = 50
PAYOFFS = (1.0, 1.1, 3.0, 7.3, 1.3, 1.7, 2.3, 5.0)
"""Scales of the payoffs: runs that differ by nothing else show what rounding makes of them."""

FORMAT = "rue-curve"
"""Of a run that was stopped on its way: its curve so far and the state to go on from, in one file."""
PERFECT = "first perfect"
"""The note of the first iteration that makes no mistake."""

Solvable = Problem | OneStreet
"""What runs are made on."""
Tell = Callable[[float, float], None]
"""Told of the share that is done and of the last height of the curve."""
Height = Callable[[], float]
"""How high the curve of a solver is now."""


@dataclass(frozen=True)
class Job:
    """A run: a game, an algorithm, a length in iterations or nodes, seeds, and what is measured at which points."""

    game: str
    algorithm: str
    length: int
    x: Literal["iterations", "nodes"] = "iterations"
    seed: int = 0
    start_seed: int | None = None
    along: Literal["iterations", "nodes"] | None = None
    """What the curve is drawn along, if not what the length counts."""
    measure: Measure = "exploitability"
    payoffs: float = 1.0
    """What every payoff is multiplied by: in exact arithmetic nothing but the unit would change."""
    even: bool = False
    """Whether evenly spaced points come on top of the logarithmic ones."""
    late: bool = False
    """Whether it is measured only where it is judged: over the last third of log t."""

    @property
    def points(self) -> list[int]:
        """Where the run is measured."""
        points = set(checkpoints(self.length))
        if self.even:
            points |= {round(self.length * part / EVEN_POINTS) for part in range(1, EVEN_POINTS + 1)}
        first = self.length**SHARE - 1e-9 if self.late else 1
        return sorted(point for point in points if point >= first)

    def limits(self, threads: int) -> Limits:
        """When the run ends; one that is watched for its first perfect iteration has no horizon."""
        if self.x == "nodes":
            return Limits(nodes=self.length, threads=threads)
        return Limits(iterations=WITHOUT_END if self.measure == "mistake" else self.length, threads=threads)

    def place(self, solver: BaseSolver) -> int:
        """How far a solver is."""
        return (solver.nodes or 0) if self.x == "nodes" else solver.iteration

    def across(self, solver: BaseSolver) -> float:
        """Where the point of a solver lies on the horizontal axis."""
        return float(solver.iteration if self.along == "iterations" else self.place(solver))

    def advance(self, solver: BaseSolver, point: int, batch: int) -> None:
        """Let a solver go on for a batch, not beyond a point."""
        if self.x == "nodes":
            solver.run(batch, point)
        else:
            solver.run(min(batch, point - solver.iteration))

    def key(self, data: str, code: str) -> str:
        """What it is kept under: the run, the data of its game and the code."""
        text = repr((sorted(asdict(self).items(), key=lambda item: item[0]), data, code))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def compute(job: Job, problem: Solvable, threads: int, stop: Flag, tell: Tell, waiting: Path | None = None) -> Trace:
    """Run a job and measure it at its points.

    A run that takes long is kept in `waiting` now and then, and when it is stopped; it goes on from there.
    """
    before = None if waiting is None else _kept(waiting)
    algorithm = problem.algorithm(job.algorithm if before is None else before[0]["algorithm"])
    algorithm = algorithm.for_payoffs(job.payoffs)
    sampled = algorithm.sampling is not None
    limits, start = job.limits(threads), Start(job.seed if sampled else None, job.start_seed)
    problem.check_run(algorithm, limits, start)
    problem.check_memory(algorithm, threads)
    problem.build(lambda what, count: _check(stop), sampled)
    problem = problem.scaled(job.payoffs)
    solver = problem.solver(algorithm, limits, start)
    height = height_of(job.measure, problem, solver)
    x: list[float] = []
    y: list[float] = []
    notes: dict[str, float] = {}
    rate = spent = 0.0
    clock = time.thread_time if threads == 1 else time.perf_counter
    solver.load()
    if before is not None:
        header, state = before
        solver.restore(state, header["iteration"])
        x, y, notes, spent = header["x"], header["y"], header["notes"], header["spent"]

    def keep() -> None:
        if waiting is not None:
            header = {"format": FORMAT, "algorithm": solver.algorithm.name, "iteration": solver.iteration}
            waiting.parent.mkdir(parents=True, exist_ok=True)
            container.write(waiting, {**header, "x": x, "y": y, "notes": notes, "spent": spent}, solver.state())

    kept = time.perf_counter()
    for point in job.points[len(x) :]:
        while job.place(solver) < point:
            if stop.is_set() and spent > WORTH_KEEPING:
                keep()
            _check(stop)
            if time.perf_counter() - kept > KEEP_SECONDS:
                keep()
                kept = time.perf_counter()
            began = clock()
            job.advance(solver, point, max(1, int(rate * BATCH_SECONDS)))
            spent += clock() - began
            rate = solver.iteration / max(spent, 1e-9)
            tell(job.place(solver) / job.length, y[-1] if y else math.nan)
        reached = height()
        if not math.isfinite(reached):
            notes["not finite"] = float(solver.iteration)
            break
        if job.measure == "mistake" and reached == 0.0 and PERFECT not in notes:
            again = problem.solver(algorithm, limits, start)
            again.run(int(x[-1]) if x else 0)
            notes[PERFECT] = _first_perfect(again, height_of(job.measure, problem, again))
        x.append(job.across(solver))
        y.append(reached)
    if job.measure == "space" and solver.bytes is not None:
        notes[BYTES] = float(solver.bytes)
    if not x:
        raise RueError(f"{job.algorithm} on {job.game} is not finite from the first iteration on")
    name = solver.algorithm.name
    return Trace(name, name, tuple(x), tuple(y), tuple(y), tuple(y), spent, 1, notes)


def _kept(waiting: Path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What was kept and the arrays of the solver; None if there is nothing, or nothing that can be used."""
    if not waiting.is_file():
        return None
    try:
        with closing(container.Container(waiting)) as file:
            return (file.header, file.arrays()) if file.header.get("format") == FORMAT else None
    except RueError:
        return None


def _check(stop: Flag) -> None:
    if stop.is_set():
        raise StoppedError


def _first_perfect(solver: BaseSolver, height: Height) -> float:
    """The first iteration that plays without a mistake, counted from 1, one by one."""
    while height() > 0.0:
        solver.run(1)
    return float(solver.iteration + 1)


def height_of(measure: Measure, problem: Solvable, solver: BaseSolver) -> Height:
    """How high the curve of a solver is: what it is measured by, exploitability in the unit of the papers."""
    if measure == "distance":
        form: Any = problem.build()
        target = equilibrium(form)
        return lambda: distance(form.plans(solver.averages()), target)
    if measure == "space":
        numbers = sum(array.size for array in solver.state().values())
        return lambda: numbers / (problem.sizes[1] - 2)
    if measure == "mistake":
        assert isinstance(solver, Solver)
        best = int(np.argmax(solver.form.gradients(solver.current[0], np.ones(1))[0][1:])) + 1
        return lambda: float(1.0 - solver.current[0][best])

    def exploitability() -> float:
        found = solver.evaluate()
        return math.nan if found is None else found.exploitability * problem.unit.published.factor / problem.payoffs

    return exploitability


def distance(plans: tuple[Any, Any], target: tuple[Any, Any]) -> float:
    """The mean over the players of the Euclidean distance of two plans."""
    return sum(float(np.linalg.norm(plan - goal)) for plan, goal in zip(plans, target, strict=True)) / 2
