"""One run of a figure: what is run, and the curve that comes of it."""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.public_tree import PublicTree
from rue.forms.sequence_form import SequenceForm
from rue.games.catalogue import make
from rue.holdem.estimate import estimate
from rue.holdem.files import load_spot, to_mapping
from rue.holdem.form import public_tree
from rue.holdem.solve import sampler_of
from rue.holdem.spots import Spot
from rue.papers.figure import Measure
from rue.papers.pause import load, save
from rue.papers.traces import Trace
from rue.solvers.iterate import checkpoints
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.linear_program import equilibrium
from rue.solvers.periods import Periodic
from rue.solvers.public_solver import PublicSolver
from rue.solvers.run import Start, sampled_solver, tuned
from rue.solvers.solver import Solver

SPOTS = ("libratus:", "deepstack:", "spot:")
BATCH_SECONDS = 0.2
KEEP_SECONDS = 120.0
"""How often a run that takes long is kept."""
WORTH_KEEPING = 2.0
"""Seconds of work that are kept when a run is stopped."""
EVEN_POINTS = 50
MILLI = 1000.0
"""Big blinds to thousandths of them."""

PERFECT = "first perfect"
"""The note of the first iteration that makes no mistake."""

Tell = Callable[[float, float], None]
"""Told of the share that is done and of the last height of the curve."""


class StoppedError(Exception):
    """The run was asked to stop."""


@dataclass(frozen=True)
class Job:
    """A run: a game, an algorithm, a length in iterations or nodes, seeds, and what is measured at which points."""

    game: str
    algorithm: str
    length: int
    x: Literal["iterations", "nodes"] = "iterations"
    seed: int = 0
    start_seed: int | None = None
    measure: Measure = "exploitability"
    even: bool = False
    """Whether evenly spaced points come on top of the logarithmic ones."""

    @property
    def points(self) -> list[int]:
        """Where the run is measured."""
        points = set(checkpoints(self.length))
        if self.even:
            points |= {round(self.length * part / EVEN_POINTS) for part in range(1, EVEN_POINTS + 1)}
        return sorted(point for point in points if point > 0)

    def key(self, data: str, code: str) -> str:
        """What it is kept under: the run, the data of its game and the code."""
        text = repr((sorted(asdict(self).items(), key=lambda item: item[0]), data, code))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class Prepared:
    """A game ready for runs: rules are compiled, trees built, when they are first needed, and shared by threads."""

    def __init__(self, game: str, folder: str | None) -> None:
        self.game = game
        self.spot: Spot | None = load_spot(game.removeprefix("spot:"), folder) if game.startswith(SPOTS) else None
        self._lock = threading.Lock()
        self._form: SequenceForm | None = None
        self._tree: PublicTree | None = None

    @cached_property
    def data(self) -> str:
        """A fingerprint of what the name alone does not say: the cards and ranges of a spot."""
        if self.spot is None:
            return ""
        return hashlib.blake2b(repr(sorted(to_mapping(self.spot).items())).encode(), digest_size=16).hexdigest()

    def form(self) -> SequenceForm:
        """The sequence form of a game."""
        with self._lock:
            if self._form is None:
                self._form = compile_game(make(self.game))
            return self._form

    def tree(self) -> PublicTree:
        """The public tree of a spot."""
        assert self.spot is not None
        with self._lock:
            if self._tree is None:
                self._tree = public_tree(self.spot)
            return self._tree

    def let_go(self) -> None:
        """Free the memory."""
        self._form = self._tree = None


def compute(
    job: Job, game: Prepared, threads: int, stop: threading.Event, tell: Tell, waiting: Path | None = None
) -> Trace:
    """Run a job and measure it at its points.

    A run that takes long is kept in `waiting` now and then, and when it is stopped; it goes on from there.
    """
    before = None if waiting is None else load(waiting)
    chosen = named_algorithm(job.algorithm if before is None else before[0]["algorithm"])
    solver, height = _spot(job, game, chosen, threads) if game.spot is not None else _game(job, game, chosen, threads)
    x: list[float] = []
    y: list[float] = []
    notes: dict[str, float] = {}
    rate = spent = 0.0
    clock = time.thread_time if threads == 1 else time.perf_counter
    solver.warm_up()
    if before is not None:
        header, state = before
        solver.restore(state, header["iteration"])
        x, y, notes, spent = header["x"], header["y"], header["notes"], header["spent"]

    def keep() -> None:
        if waiting is not None:
            save(waiting, solver, {"x": x, "y": y, "notes": notes, "spent": spent})

    kept = time.perf_counter()
    for point in job.points[len(x) :]:
        while _place(solver, job) < point:
            if stop.is_set():
                if spent > WORTH_KEEPING:
                    keep()
                raise StoppedError
            if time.perf_counter() - kept > KEEP_SECONDS:
                keep()
                kept = time.perf_counter()
            began = clock()
            _advance(solver, job, point, max(1, int(rate * BATCH_SECONDS)))
            spent += clock() - began
            rate = solver.iteration / max(spent, 1e-9)
            tell(_place(solver, job) / job.length, y[-1] if y else math.nan)
        reached = height()
        if not math.isfinite(reached):
            notes["not finite"] = float(solver.iteration)
            break
        if job.measure == "mistake" and reached == 0.0:
            notes.setdefault(PERFECT, _first_perfect(*_game(job, game, chosen, threads), int(x[-1])))
        x.append(float(_place(solver, job)))
        y.append(reached)
    if not x:
        raise RueError(f"{job.algorithm} on {job.game} is not finite from the first iteration on")
    return Trace(solver.algorithm.name, solver.algorithm.name, tuple(x), tuple(y), tuple(y), tuple(y), spent, 1, notes)


def _place(solver: Any, job: Job) -> int:
    return int(solver.nodes if job.x == "nodes" else solver.iteration)


def _advance(solver: Any, job: Job, point: int, batch: int) -> None:
    """Go on for a batch, not beyond a point."""
    if isinstance(solver, Periodic) and job.x == "nodes":
        solver.run(batch, point)
    else:
        solver.run(min(batch, point - solver.iteration))


def _first_perfect(solver: Solver, height: Callable[[], float], start: int) -> float:
    """The first iteration that plays without a mistake, counted from 1: a fresh run, one by one from `start` on."""
    solver.run(start)
    while height() > 0.0:
        solver.run(1)
    return float(solver.iteration + 1)


def _limits(job: Job, threads: int) -> Limits:
    if job.x == "nodes":
        return Limits(nodes=job.length, threads=threads)
    return Limits(iterations=job.length, threads=threads)


def _spot(job: Job, game: Prepared, chosen: Algorithm, threads: int) -> tuple[Any, Callable[[], float]]:
    """The solver of a spot and its exploitability in mbb/g."""
    spot = game.spot
    assert spot is not None
    estimate(spot, chosen, threads=threads).check()
    tree = game.tree()
    unit = MILLI / spot.big_blind
    if chosen.sampling is not None:
        sampler = sampler_of(tree, chosen, _limits(job, threads), job.seed)
        return sampler, lambda: sampler.evaluate().exploitability * unit

    def solver_of(algorithm: Algorithm) -> PublicSolver:
        return PublicSolver(tree, algorithm, job.length, threads)

    solver = solver_of(tuned(chosen, solver_of))
    return solver, lambda: solver.evaluate().exploitability * unit


def _game(job: Job, game: Prepared, chosen: Algorithm, threads: int) -> tuple[Any, Callable[[], float]]:
    """The solver of a game in sequence form and what it is measured by."""
    form = game.form()
    if chosen.sampling is not None:
        sampler = sampled_solver(form, chosen, _limits(job, threads), Start(job.seed, job.start_seed))
        return sampler, lambda: sampler.evaluate().exploitability
    horizon = WITHOUT_END if job.measure == "mistake" else job.length

    def solver_of(algorithm: Algorithm) -> Solver:
        return Solver(form, algorithm, horizon, job.start_seed, threads)

    solver = solver_of(tuned(chosen, solver_of))
    if job.measure == "distance":
        target = equilibrium(form)
        return solver, lambda: distance(solver.average, target)
    if job.measure == "mistake":
        best = int(np.argmax((form.payoff @ np.ones(1))[1:])) + 1
        return solver, lambda: float(1.0 - solver.current[0][best])
    return solver, lambda: solver.evaluate().exploitability


def distance(plans: tuple[Any, Any], target: tuple[Any, Any]) -> float:
    """The mean over the players of the Euclidean distance of two plans."""
    return sum(float(np.linalg.norm(plan - goal)) for plan, goal in zip(plans, target, strict=True)) / 2
