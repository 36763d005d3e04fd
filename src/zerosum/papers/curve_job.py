"""One run of a figure, as data and as a job that runs the algorithm and records the curve."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zerosum import __version__
from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.exact.linear_program import equilibrium
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.sequence.solver import Solver
from zerosum.engine.solver import BaseSolver
from zerosum.jobs.job import JobContext, JobResult
from zerosum.jobs.store import JobStore
from zerosum.papers.curve import BYTES, WINDOW_START, Curve
from zerosum.papers.figure import LengthUnit, Measure
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.runs.evaluation_schedule import iterate_checkpoints
from zerosum.runs.provenance import collect_provenance
from zerosum.runs.run import StoppedError
from zerosum.support import array_file
from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import cache_folder, code_version
from zerosum.support.thread_safety import cached_property

EVEN_POINTS = 50
PAYOFF_SCALES = (1.0, 1.1, 3.0, 7.3, 1.3, 1.7, 2.3, 5.0)
"""Factors of the payoffs: runs that differ by nothing else show the effect of rounding."""
BATCH_SECONDS = 0.2
SAVE_SECONDS = 120.0
"""Seconds between two checkpoints of a long run."""
MIN_SAVED_SECONDS = 2.0
"""A stopped run saves a checkpoint if it has computed for longer than this."""
FIRST_PERFECT = "first perfect"
"""The note that holds the first iteration that makes no mistake."""
FORMAT = "zerosum-curve"
"""The format of a checkpoint: the curve so far and the state of the solver, in one file."""


@dataclass(frozen=True)
class CurveSpec:
    """A run: a game, an algorithm, a length, seeds, and what is measured at which points."""

    game: str
    algorithm: str
    length: int
    length_unit: LengthUnit = "iterations"
    seed: int = 0
    start_seed: int | None = None
    x_axis: LengthUnit | None = None
    """What the curve is drawn along, if not the unit of its length."""
    measure: Measure = "exploitability"
    payoff_scale: float = 1.0
    """A factor of every payoff: in exact arithmetic it would change nothing but the unit."""
    even_points: bool = False
    """Whether evenly spaced points are measured in addition to logarithmic ones."""
    only_window: bool = False
    """Whether only the points over which the curve is judged are measured: the last third of log t."""

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.game}"

    @property
    def points(self) -> list[int]:
        """The iterations or nodes at which the run is measured."""
        points = set(iterate_checkpoints(self.length))
        if self.even_points:
            points |= {round(self.length * part / EVEN_POINTS) for part in range(1, EVEN_POINTS + 1)}
        first = self.length**WINDOW_START - 1e-9 if self.only_window else 1
        return sorted(point for point in points if point >= first)

    def build_limits(self, threads: int) -> Limits:
        """Return when the run ends; while it is watched for its first perfect iteration it has no horizon."""
        if self.length_unit == "nodes":
            return Limits(nodes=self.length, threads=threads)
        return Limits(iterations=UNLIMITED if self.measure == "mistake" else self.length, threads=threads)

    def measure_progress(self, solver: BaseSolver) -> int:
        """Return how far a solver is, in the unit of the length."""
        return (solver.nodes or 0) if self.length_unit == "nodes" else solver.iteration


def hash_curve_code() -> str:
    """Return a hash of the sources that a curve depends on."""
    return code_version("papers/curve_job.py")


def compute_version() -> str:
    """Return the version that computes curves now: that of the package, and the sources they depend on."""
    return f"{__version__}+{hash_curve_code()[:8]}"


def open_curve_store(folder: Path | None = None) -> JobStore:
    """Return the store of curves, by default in the cache."""
    advice = "" if folder is not None else "$ZEROSUM_CACHE_DIR names another folder for the cache"
    return JobStore(folder or cache_folder() / "figures", exclusive=False, advice=advice)


@dataclass(frozen=True)
class CurveJob:
    """A run of a figure with its problem."""

    spec: CurveSpec
    problem: Problem = field(compare=False)

    @property
    def label(self) -> str:
        return str(self.spec)

    @cached_property
    def key(self) -> str:
        """A hash of the run, the data of its game and the code."""
        text = repr((sorted(asdict(self.spec).items()), self.problem.fingerprint, hash_curve_code()))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @cached_property
    def bytes(self) -> int | None:
        """The memory that it takes, or None if that is not known beforehand."""
        return self.problem.estimate_bytes(self.problem.resolve_algorithm(self.spec.algorithm))

    def load_kernels(self) -> None:
        """Kernels are loaded when the solver is built."""

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        """Raise one of the `DAMAGE_ERRORS` errors if a stored content is not a curve."""
        Curve.from_json(content)

    def run(self, context: JobContext) -> JobResult | None:
        """Run the algorithm and measure it at the points of the curve; return None if it was stopped before its end.

        A long run saves its state at the checkpoint now and then, and when it is stopped, and continues from there.
        """
        started = time.perf_counter()
        try:
            curve = _CurveRecording(self.spec, self.problem, context).record_curve()
        except StoppedError:
            return None
        seconds = time.perf_counter() - started
        return JobResult(curve.to_json(), self.spec.length_unit, seconds, code_version(), collect_provenance())


class _CurveRecording:
    """A run in progress: its solver, and the curve so far."""

    def __init__(self, spec: CurveSpec, problem: Problem, context: JobContext) -> None:
        self.spec, self.context = spec, context
        saved = _load_checkpoint(context.checkpoint)
        algorithm = problem.resolve_algorithm(spec.algorithm if saved is None else saved[0]["algorithm"])
        self.algorithm: Algorithm = algorithm.rescale(spec.payoff_scale)
        sampled = self.algorithm.sampling is not None
        self.limits = spec.build_limits(context.threads)
        self.start = Start(spec.seed if sampled else None, spec.start_seed)
        problem.check_run(self.algorithm, self.limits, self.start)
        problem.check_memory(self.algorithm, context.threads)
        problem.build_form(lambda stage, count: self._check_stop(), sampled)
        self.problem = problem.scaled(spec.payoff_scale)
        self.solver: BaseSolver = self.problem.build_solver(self.algorithm, self.limits, self.start)
        self.measure = choose_measure(spec.measure, self.problem, self.solver)
        self.x: list[float] = []
        self.y: list[float] = []
        self.notes: dict[str, float] = {}
        self.seconds = 0.0
        """The time of the iterations alone."""
        self.solver.load_kernels()
        if saved is not None:
            header, state = saved
            self.solver.restore(state, header["iteration"])
            self.x, self.y, self.notes, self.seconds = header["x"], header["y"], header["notes"], header["seconds"]
        self._saved_at = time.perf_counter()

    def record_curve(self) -> Curve:
        """Run to the end and return the curve."""
        solver = self.solver
        for point in self.spec.points[len(self.x) :]:
            self._advance_to(point)
            height = self.measure()
            if not math.isfinite(height):
                self.notes["not finite"] = float(solver.iteration)
                break
            if self.spec.measure == "mistake" and height == 0.0 and FIRST_PERFECT not in self.notes:
                self.notes[FIRST_PERFECT] = self._find_first_perfect_iteration()
            is_along_iterations = self.spec.x_axis == "iterations"
            self.x.append(float(solver.iteration if is_along_iterations else self.spec.measure_progress(solver)))
            self.y.append(height)
        if self.spec.measure == "space" and solver.bytes is not None:
            self.notes[BYTES] = float(solver.bytes)
        if not self.x:
            raise ZerosumError(f"{self.spec} is not finite from the first iteration on")
        name, x, y = solver.algorithm.name, tuple(self.x), tuple(self.y)
        return Curve(name, name, x, y, y, y, self.seconds, 1, self.notes)

    def _advance_to(self, point: int) -> None:
        """Run to a point in batches; between them, report, save a checkpoint, and stop if asked to."""
        spec, solver = self.spec, self.solver
        clock = time.thread_time if self.limits.threads == 1 else time.perf_counter
        rate = solver.iteration / max(self.seconds, 1e-9) if self.seconds else 0.0
        while spec.measure_progress(solver) < point:
            if self.context.stop.is_set() and self.seconds > MIN_SAVED_SECONDS:
                self._save_checkpoint()
            self._check_stop()
            if time.perf_counter() - self._saved_at > SAVE_SECONDS:
                self._save_checkpoint()
                self._saved_at = time.perf_counter()
            started = clock()
            batch = max(1, int(rate * BATCH_SECONDS))
            if spec.length_unit == "nodes":
                solver.run(batch, point)
            else:
                solver.run(min(batch, point - solver.iteration))
            self.seconds += clock() - started
            rate = solver.iteration / max(self.seconds, 1e-9)
            if self.context.report is not None:
                self.context.report(spec.measure_progress(solver) / spec.length, self.y[-1] if self.y else math.nan)

    def _check_stop(self) -> None:
        if self.context.stop.is_set():
            raise StoppedError

    def _save_checkpoint(self) -> None:
        path = self.context.checkpoint
        if path is None:
            return
        header = {"format": FORMAT, "algorithm": self.solver.algorithm.name, "iteration": self.solver.iteration}
        header |= {"x": self.x, "y": self.y, "notes": self.notes, "seconds": self.seconds}
        path.parent.mkdir(parents=True, exist_ok=True)
        array_file.write_array_file(path, header, self.solver.state())

    def _find_first_perfect_iteration(self) -> float:
        """Return the first iteration without a mistake, by running one by one from the last point."""
        solver = self.problem.build_solver(self.algorithm, self.limits, self.start)
        solver.run(int(self.x[-1]) if self.x else 0)
        measure_mistake = choose_measure(self.spec.measure, self.problem, solver)
        while measure_mistake() > 0.0:
            solver.run(1)
        return float(solver.iteration + 1)


def _load_checkpoint(path: Path | None) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the header and the arrays of a checkpoint, or None if there is no usable one."""
    if path is None or not path.is_file():
        return None
    try:
        with closing(array_file.ArrayFile(path)) as file:
            return (file.header, file.read_arrays()) if file.header.get("format") == FORMAT else None
    except ZerosumError:
        return None


def choose_measure(measure: Measure, problem: Problem, solver: BaseSolver) -> Callable[[], float]:
    """Return a function that measures the height of a solver's curve; exploitability is in the unit of the papers."""
    if measure == "distance":
        form: Any = problem.build_form()
        target = equilibrium(form)
        return lambda: compute_distance(form.plans_from_averages(solver.averages()), target)
    if measure == "space":
        numbers = sum(array.size for array in solver.state().values())
        return lambda: numbers / (problem.sizes[1] - 2)
    if measure == "mistake":
        assert isinstance(solver, Solver)
        best = int(np.argmax(solver.form.gradients(solver.current[0], np.ones(1))[0][1:])) + 1
        return lambda: float(1.0 - solver.current[0][best])

    def exploitability() -> float:
        evaluation = solver.evaluate()
        factor = problem.unit.paper_measure.factor / problem.payoffs
        return math.nan if evaluation is None else evaluation.exploitability * factor

    return exploitability


def compute_distance(plans: tuple[Any, Any], target: tuple[Any, Any]) -> float:
    """Return the mean over the players of the Euclidean distance between two plans."""
    return sum(float(np.linalg.norm(plan - goal)) for plan, goal in zip(plans, target, strict=True)) / 2
