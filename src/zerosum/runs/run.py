"""A run: a problem, an algorithm and limits, advanced step by step from any thread.

It iterates in batches, is evaluated and saved from time to time, and stops at the first limit. Its result does not
depend on the steps in which it was advanced.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits
from zerosum.engine.solver import BaseSolver
from zerosum.native.kernel_call import on_compile_progress
from zerosum.problems.codec import RunOutcome
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.curve import Point, RakedPoint
from zerosum.results.result import Result
from zerosum.runs.evaluation_schedule import EvaluationSchedule, get_coordinates
from zerosum.runs.progress import Listener, Progress, estimate_seconds_left
from zerosum.support.errors import ZerosumError, report_out_of_memory
from zerosum.support.system import stop_on_interrupt
from zerosum.support.validation import as_path, short_repr

if TYPE_CHECKING:
    from zerosum.runs.run_saver import RunSaver

BATCH_SECONDS = 0.05
"""About how many seconds a run iterates before it reacts to `pause` and `stop`."""
RUNNING = "running"
"""The reason why a run has ended, while it has not."""
READING_STRATEGIES = "reading off the strategies"
"""The stage after the last iteration."""


class StoppedError(ZerosumError):
    """A run was stopped while it was being prepared."""


class Run:
    """A run in progress; `zerosum.start` returns a new one, `zerosum.open_run` one that was saved.

    `advance` continues it, to the end or for a while, and may be called by one thread at a time. Any thread may call
    `pause`, `stop` or `save`, and read `progress`, `curve` and `result`, at any time.

    >>> import zerosum
    >>> run = zerosum.start("leduc", "dcfr", iterations=300)
    >>> run.advance(iterations=100), run.iteration, run.stopped
    (True, 100, None)
    >>> run.advance(), run.stopped, run.result() == zerosum.solve("leduc", "dcfr", iterations=300)
    (False, 'iterations', False)
    >>> run.result().strategy == zerosum.solve("leduc", "dcfr", iterations=300).strategy
    True
    """

    def __init__(
        self,
        problem: Problem,
        algorithm: Algorithm,
        limits: Limits,
        start: Start | None = None,
        listener: Listener | None = None,
    ) -> None:
        arguments: tuple[tuple[str, object, Any], ...] = (
            ("problem", problem, Problem),
            ("algorithm", algorithm, Algorithm),
            ("limits", limits, Limits),
            ("start", start, Start | None),
        )
        for name, value, expected in arguments:
            if not isinstance(value, expected):
                raise ZerosumError(
                    f"the {name} of a Run must be a zerosum object, not {short_repr(value)}: "
                    "zerosum.start accepts names"
                )
        if not isinstance(listener, Listener | None):
            raise ZerosumError(f"listener must be a zerosum.Listener, not {short_repr(listener)}")
        self.problem, self.algorithm, self.limits = problem, algorithm, limits
        self.start = start or Start()
        problem.check_run(algorithm, limits, self.start)
        self.saver: RunSaver | None = None
        self.result_path: Path | None = None
        """The JSON file in which the result is saved at the end, if any."""
        self.listener = listener or Listener()
        self.stopped: str | None = None
        """Why the run has ended, if it has."""
        self.last_point_is_scheduled = False
        """Whether a longer run would have the last point of the curve, too."""
        self._curve: list[Point] = []
        self._solver: BaseSolver | None = None
        self._advancing = threading.RLock()
        self._advancing_thread: int | None = None
        self._stop, self._pause = threading.Event(), threading.Event()
        self._seconds_before, self._advancing_since = 0.0, math.nan
        self._iterations_per_second = 0.0

    def __repr__(self) -> str:
        state = self.stopped or ("not started" if self._solver is None else RUNNING)
        return f"Run({self.problem.name}, {self.algorithm.name}: {self.iteration:,} iterations, {state})"

    @property
    def solver(self) -> BaseSolver:
        """The solver, which exists once the run is prepared."""
        if self._solver is None:
            raise ZerosumError(f"{self.algorithm.name} on {self.problem.name} has not started")
        return self._solver

    @property
    def iteration(self) -> int:
        """The number of iterations so far."""
        return 0 if self._solver is None else self._solver.iteration

    @property
    def curve(self) -> tuple[Point, ...]:
        """The evaluations so far."""
        return tuple(self._curve)

    @property
    def seconds(self) -> float:
        """The seconds spent in `advance`."""
        since = self._advancing_since
        return self._seconds_before + (0.0 if math.isnan(since) else time.perf_counter() - since)

    def pause(self) -> None:
        """Make `advance` return soon, or its next call return at once; the call after that continues."""
        self._pause.set()

    def stop(self) -> None:
        """End the run soon, or its preparation; its results so far stay."""
        self._stop.set()

    def set_target(self, until: float | None) -> None:
        """Change the exploitability at which the run stops."""
        self.limits = replace(self.limits, until=until)
        if self.saver is not None:
            self.saver.fields["limits"] = self.saved_fields["limits"]

    @report_out_of_memory
    def prepare(self) -> None:
        """Build the form, load or compile the kernels and create the solver: all that precedes the first iteration.

        `stop` ends it with a StoppedError.
        """
        with self._advancing:
            if self._solver is not None:
                return
            self.problem.check_memory(self.algorithm, self.limits.threads)
            with on_compile_progress(lambda seconds: self.report_stage("compiling", seconds)):
                self.problem.load_kernels(self.algorithm)
            self.problem.build_form(self.report_stage, self.algorithm.sampling is not None)
            if self.problem.locks is not None:
                self.problem.locks.prepare_strategies(self.problem, self._solve_without_locks)
            self.report_stage(self.algorithm.name, 0)
            with on_compile_progress(lambda seconds: self.report_stage("compiling", seconds)):
                solver = self.problem.build_solver(self.algorithm, self.limits, self.start)
                if self.limits.until is not None:
                    self.limits.check_until(self.algorithm, solver.rounding)
                solver.load_kernels()
            end = self.limits.find_node_limit(self.algorithm)
            if end is not None and solver.nodes is None:
                raise ZerosumError(
                    f"{self.algorithm.name} counts no nodes on {self.problem.name}: limit iterations or seconds instead"
                )
            self.algorithm, self._solver = solver.algorithm, solver
            if self.saver is not None:
                self._curve = self.saver.begin(self)
                self._seconds_before = self.saver.seconds
            self._next_evaluation = self._find_next_candidate()

    def _solve_without_locks(self, problem: Problem) -> Result:
        """Solve a problem whose result this run needs, by the same algorithm and within the same limits."""
        stage = f"{problem.name} without locks"
        self.report_stage(stage, 0)
        listener = Listener(lambda progress: self.report_stage("iterations", progress.iteration))
        run = Run(problem, self.algorithm, self.limits, listener=listener)
        run.advance()
        self.report_stage(stage, run.iteration)
        return run.result()

    def report_stage(self, stage: str, count: int) -> None:
        """Report the progress of the preparation; raise a StoppedError if the run is to stop."""
        if self._stop.is_set():
            raise StoppedError(f"{self.algorithm.name} on {self.problem.name} was stopped before it started")
        if self.listener.stage is not None:
            self.listener.stage(stage, count)

    @property
    def _counts_nodes(self) -> bool:
        """Whether the clock of the run counts nodes touched rather than iterations."""
        return self.solver.sampled and self.limits.find_node_limit(self.algorithm) is not None

    @property
    def clock(self) -> str:
        """The unit in which the points of the curve are spaced."""
        return "nodes" if self._counts_nodes else "iterations"

    @property
    def _clock_position(self) -> int:
        return (self.solver.nodes or 0) if self._counts_nodes else self.solver.iteration

    @property
    def _end_position(self) -> int:
        """The clock position at which the run ends, whatever it has reached."""
        end = self.limits.find_node_limit(self.algorithm) if self._counts_nodes else None
        return self.solver.horizon if end is None else end

    @report_out_of_memory
    def advance(self, iterations: int | None = None, seconds: float | None = None) -> bool:
        """Continue to the end, or for at most this many iterations or seconds; return whether there is more to do."""
        Limits(iterations=iterations, seconds=seconds)
        if self._advancing_thread == threading.get_ident():
            raise ZerosumError("a progress callback must not advance its own run")
        with self._advancing:
            try:
                self._advancing_thread = threading.get_ident()
                self.prepare()
                last = math.inf if iterations is None else self.solver.iteration + iterations
                deadline = math.inf if seconds is None else time.perf_counter() + seconds
                self._advancing_since = time.perf_counter()
                while self.stopped is None and self._advance_to_next_evaluation(last, deadline):
                    pass
            except StoppedError:
                self.stopped = "interrupted"
            finally:
                self._seconds_before = self.seconds
                self._advancing_since, self._advancing_thread = math.nan, None
            return self.stopped is None

    def _advance_to_next_evaluation(self, last: float, deadline: float) -> bool:
        """Continue to the next clock position at which the run may be evaluated; return False if it is to pause."""
        solver, target = self.solver, self._next_evaluation
        if self.algorithm.exact:
            self._solve_exactly()
        elif not self._iterate(min(target, self._end_position), last, deadline):
            return False
        if not (solver.iteration or self.algorithm.exact):
            with solver.lock:
                solver.run(1)
        reached = self._clock_position >= target
        self.last_point_is_scheduled = reached and self._should_evaluate(target)
        if reached:
            self._next_evaluation = self._find_next_candidate()
        if not self.last_point_is_scheduled and self._find_stop_reason() is None:
            return True
        self._add_point()
        reason = self._find_stop_reason()
        if reason is not None:
            self.stopped = reason
            if self.saver is not None:
                self.saver.save(self)
            elif self.result_path is not None:
                self.final_result().save(self.result_path)
            self.close()
        return True

    def _solve_exactly(self) -> None:
        """Compute an exact solution in a separate thread, for compiled code reacts to neither `stop` nor Ctrl-C.

        If the run is stopped, the thread is abandoned.
        """
        errors: list[BaseException] = []

        def work() -> None:
            try:
                self.solver.run(1)
            except BaseException as error:
                errors.append(error)

        worker = threading.Thread(target=work, daemon=True, name="zerosum: exact solution")
        worker.start()
        while worker.is_alive():
            worker.join(BATCH_SECONDS)
            if self._stop.is_set() and worker.is_alive():
                raise StoppedError(f"{self.algorithm.name} on {self.problem.name} was stopped before it had a solution")
        if errors:
            raise errors[0]

    def _find_next_candidate(self) -> int:
        """Return the next clock position at which the run may be evaluated."""
        return next(EvaluationSchedule(self.limits.until).iterate_candidates(self._clock_position + 1))

    def _should_evaluate(self, position: int) -> bool:
        solver = self.solver
        curve = [get_coordinates(point, self._counts_nodes) for point in self._curve]
        schedule = EvaluationSchedule(self.limits.until)
        return schedule.should_evaluate(position, curve, solver.work_seconds, solver.evaluation_seconds)

    def _iterate(self, target: int, last: float, deadline: float) -> bool:
        """Iterate to a clock position, or until the run must end; return False if it is to pause before."""
        solver = self.solver
        while self._clock_position < target and solver.iteration < solver.horizon:
            remaining = math.inf if self.limits.seconds is None else self.limits.seconds - self.seconds
            if remaining <= 0 or solver.is_full or self._stop.is_set():
                return True
            if self._pause.is_set():
                self._pause.clear()
                return False
            if solver.iteration >= last or time.perf_counter() >= deadline:
                return False
            if self.saver is not None:
                self.saver.save_if_due(self)
            batch_seconds = min(BATCH_SECONDS, remaining, max(0.0, deadline - time.perf_counter()))
            batch = min(
                max(1, int(self._iterations_per_second * batch_seconds)),
                solver.horizon - solver.iteration,
                last - solver.iteration,
            )
            with solver.lock:
                if self._counts_nodes:
                    solver.run(int(batch), target)
                else:
                    solver.run(int(min(batch, target - solver.iteration)))
            self._iterations_per_second = solver.iteration / max(self.seconds, 1e-9)
            self._report_progress()
        return True

    def _find_stop_reason(self) -> str | None:
        """Return why the run has ended; None if it has not."""
        solver, limits = self.solver, self.limits
        if self.algorithm.exact:
            return "exact"
        if limits.until is not None and self._curve and self._curve[-1].exploitability <= limits.until:
            return "until"
        if self._stop.is_set():
            return "interrupted"
        end = limits.find_node_limit(self.algorithm)
        if end is not None and (solver.nodes or 0) >= end:
            return "nodes"
        if solver.iteration >= solver.horizon:
            return "iterations"
        if solver.is_full:
            return "memory"
        return "seconds" if limits.seconds is not None and self.seconds >= limits.seconds else None

    def _add_point(self) -> None:
        """Add a point to the curve."""
        solver = self.solver
        with solver.lock:
            evaluation = solver.evaluate()
            if evaluation is None:
                return
            solver.check_finite()
            if not math.isfinite(evaluation.exploitability):
                run = f"{solver.algorithm.name} on {self.problem.name}"
                raise ZerosumError(f"{run} is no longer finite at iteration {solver.iteration}")
            numbers = evaluation.exploitability, evaluation.nash_conv, evaluation.value
            point = Point(solver.iteration, self.seconds, *numbers, solver.nodes)
            self._curve.append(RakedPoint(**asdict(point), rake=evaluation.rake) if evaluation.rake else point)
        self._report_progress()
        if self.listener.evaluated is not None:
            self.listener.evaluated(self)

    def _report_progress(self) -> None:
        if self.listener.progress is not None:
            self.listener.progress(self.progress)

    @property
    def progress(self) -> Progress:
        """How far the run is, and about how long it still takes."""
        if self._solver is None:
            return Progress(0, self.limits.find_horizon(self.algorithm), 0.0, None, None)
        solver, seconds = self._solver, self.seconds
        remaining = estimate_seconds_left(solver, self.limits, self._curve, seconds, self._iterations_per_second)
        point = self._curve[-1] if self._curve else None
        return Progress(solver.iteration, solver.horizon, seconds, point, remaining, solver.nodes)

    @report_out_of_memory
    def result(self) -> Result:
        """Return the numbers of the last evaluation and the present strategy."""
        with self.solver.lock:
            reached = RunOutcome(self.curve, self.seconds, self.stopped or RUNNING)
            return self.problem.collect_result(self.solver, reached)

    def finish(self) -> Result:
        """Advance to the end, return the result and close the run; the first Ctrl-C ends it early."""
        try:
            self.prepare()
            with stop_on_interrupt(self.stop):
                self.advance()
            return self.final_result()
        finally:
            self.close()

    def final_result(self) -> Result:
        """Return the result of a run that has ended, and notify its listener first, because that may take seconds.

        An exact solution has no result before its end: the Ctrl-C that ended it is raised again.
        """
        if self.algorithm.exact and not self._curve:
            raise KeyboardInterrupt
        if self.listener.stage is not None:
            self.listener.stage(READING_STRATEGIES, 0)
        return self.result()

    def release_solver(self) -> None:
        """Free the memory of the solver; the curve stays."""
        self._solver = None

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Save the run as it is now, for `zerosum.load` and `zerosum.open_run`; as .json its result alone.

        A run with `out=` may be saved to the same place, even after the save at its end has failed, for example because
        the disk was full.
        """
        from zerosum.runs.run_location import RunLocation, is_result_file
        from zerosum.runs.run_saver import RunSaver

        path = as_path(path)
        if is_result_file(path):
            self.result().save(path)
        elif self.saver is not None and self.saver.is_saving_to(path):
            self.saver.save(self)
            if self.stopped is not None:
                self.close()
        else:
            saver = RunSaver(RunLocation(path, new=True, overwrite=overwrite), self.saved_fields)
            try:
                saver.begin(self)
                saver.save(self)
            finally:
                saver.location.close()

    @property
    def saved_fields(self) -> dict[str, Any]:
        """The description in the header of a saved run: its problem, its limits and its start."""
        limits = {key: value for key, value in asdict(self.limits).items() if key != "threads"}
        start = {
            "seed": self.start.seed,
            "start_seed": self.start.start_seed,
            "start_from": self.start.describe_strategy(),
        }
        return {**self.problem.codec().to_json(self.problem), "limits": limits, **start}

    def close(self) -> None:
        """Stop saving the run and unlock its folder or file; the run itself may go on."""
        if self.saver is not None:
            self.saver.location.close()
        self.saver = self.result_path = None
