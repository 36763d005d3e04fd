"""A run that anybody can hold: a problem, an algorithm and limits, advanced in pieces from any thread.

It iterates in batches, evaluates now and then, stops at the first limit, and is saved on the way if somebody keeps it.
What it gives does not depend on how it was cut into pieces.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.checked import as_path, shown
from rue.errors import RueError, tells_lack_of_memory
from rue.native.kernel import compiling
from rue.problems.problem import Problem, Reached
from rue.problems.start import Start
from rue.results.points import Point, RakedPoint
from rue.results.result import Result
from rue.runs.checkpoints import Looks, height
from rue.runs.home import Home, is_result
from rue.runs.keeper import Keeper
from rue.runs.progress import Listener, Progress, time_left
from rue.solvers.base import BaseSolver
from rue.solvers.limits import Limits

BATCH_SECONDS = 0.05
RUNNING = "running"
"""Why a run stopped that has not."""
READING = "reading off the strategies"
"""What is done when a run is over."""


class StoppedError(RueError):
    """The run was asked to stop while it was being prepared."""


class Run:
    """A run on its way; `rue.start` makes one, `rue.open_run` takes up a saved one.

    `advance` goes on, to the end or for a while, in one thread at a time. From any thread, at any moment: `pause` and
    `stop` end that soon, `progress`, `curve` and `result` tell how far it is, `save` writes it down.

    >>> import rue
    >>> run = rue.start("leduc", "dcfr", iterations=300)
    >>> run.advance(iterations=100), run.iteration, run.stopped
    (True, 100, None)
    >>> run.advance(), run.stopped, run.result() == rue.solve("leduc", "dcfr", iterations=300)
    (False, 'iterations', False)
    >>> run.result().strategy == rue.solve("leduc", "dcfr", iterations=300).strategy
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
        kinds: dict[str, tuple[object, Any]] = {
            "problem": (problem, Problem),
            "algorithm": (algorithm, Algorithm),
            "limits": (limits, Limits),
            "start": (start, Start | None),
        }
        for what, (given, kind) in kinds.items():
            if not isinstance(given, kind):
                raise RueError(f"the {what} of a run must be made already, as rue.start does, not be {shown(given)}")
        if not isinstance(listener, Listener | None):
            raise RueError(f"listener must be a rue.Listener, not {shown(listener)}")
        self.problem, self.algorithm, self.limits = problem, algorithm, limits
        self.origin = start or Start()
        problem.check_run(algorithm, limits, self.origin)
        self.keeper: Keeper | None = None
        self.listener = listener or Listener()
        self.stopped: str | None = None
        """Why the run is over, if it is."""
        self.settled = False
        """Whether a longer run would have the last point, too."""
        self._curve: list[Point] = []
        self._solver: BaseSolver | None = None
        self._going = threading.RLock()
        self._inside: int | None = None
        self._stop, self._pause = threading.Event(), threading.Event()
        self._spent, self._since = 0.0, math.nan
        self._rate = 0.0

    def __repr__(self) -> str:
        """On one line."""
        state = self.stopped or ("not begun" if self._solver is None else RUNNING)
        return f"Run({self.problem.name}, {self.algorithm.name}: {self.iteration:,} iterations, {state})"

    @property
    def solver(self) -> BaseSolver:
        """What iterates; there is one once the run is prepared."""
        if self._solver is None:
            raise RueError(f"{self.algorithm.name} on {self.problem.name} has not begun")
        return self._solver

    @property
    def iteration(self) -> int:
        """The iterations so far."""
        return 0 if self._solver is None else self._solver.iteration

    @property
    def curve(self) -> tuple[Point, ...]:
        """The evaluations so far."""
        return tuple(self._curve)

    @property
    def seconds(self) -> float:
        """How long the run took, pauses left out."""
        return self._spent + (0.0 if math.isnan(self._since) else time.perf_counter() - self._since)

    def pause(self) -> None:
        """Let `advance` return soon, or at once if it is called later; the call after that goes on."""
        self._pause.set()

    def stop(self) -> None:
        """Let the run end soon, or its preparation; what was reached is kept."""
        self._stop.set()

    def aim(self, until: float | None) -> None:
        """Let the run go on to another exploitability than it was to reach."""
        self.limits = replace(self.limits, until=until)
        if self.keeper is not None:
            self.keeper.about["limits"] = self.about["limits"]

    @tells_lack_of_memory
    def prepare(self) -> None:
        """Build the form, load or compile the kernels, make the solver: what comes before the first iteration.

        `stop` ends it with a StoppedError.
        """
        with self._going:
            if self._solver is not None:
                return
            self.problem.check_memory(self.algorithm, self.limits.threads)
            with compiling(lambda seconds: self.tell("compiling", seconds)):
                self.problem.load(self.algorithm)
            self.problem.build(self.tell, self.algorithm.sampling is not None)
            self.problem.settle(self._solve_first)
            self.tell(self.algorithm.name, 0)
            with compiling(lambda seconds: self.tell("compiling", seconds)):
                solver = self.problem.solver(self.algorithm, self.limits, self.origin)
                if self.limits.until is not None:
                    self.limits.check_until(self.algorithm, solver.rounding)
                solver.load()
            end = self.limits.end(self.algorithm)
            if end is not None and solver.nodes is None:
                name = f"{self.algorithm.name} counts no nodes on {self.problem.name}"
                raise RueError(f"{name}: give iterations or seconds instead of nodes")
            self.algorithm, self._solver = solver.algorithm, solver
            if self.keeper is not None:
                self._curve = self.keeper.begin(self)
                self._spent = self.keeper.seconds
            self._target = self._next_place()

    def _solve_first(self, problem: Problem) -> Result:
        """Solve what has to be known before the run starts, by the same algorithm and within the same limits."""
        what = f"{problem.name} without locks"
        self.tell(what, 0)
        listener = Listener(lambda at: self.tell("iterations", at.iteration))
        run = Run(problem, self.algorithm, self.limits, listener=listener)
        run.advance()
        self.tell(what, run.iteration)
        return run.result()

    def tell(self, what: str, count: int) -> None:
        """Pass on what is done before the run starts; ends it if the run is to stop."""
        if self._stop.is_set():
            raise StoppedError(f"{self.algorithm.name} on {self.problem.name} was stopped before it began")
        if self.listener.stage is not None:
            self.listener.stage(what, count)

    @property
    def _by_nodes(self) -> bool:
        """Whether nodes touched are the clock of the run."""
        return self.solver.sampled and self.limits.end(self.algorithm) is not None

    @property
    def clock(self) -> str:
        """What the points of the curve are spaced by."""
        return "nodes" if self._by_nodes else "iterations"

    def _place(self) -> int:
        return (self.solver.nodes or 0) if self._by_nodes else self.solver.iteration

    @property
    def _end(self) -> int:
        """The place at which the run is over, whatever it has reached."""
        end = self.limits.end(self.algorithm) if self._by_nodes else None
        return self.solver.horizon if end is None else end

    @tells_lack_of_memory
    def advance(self, iterations: int | None = None, seconds: float | None = None) -> bool:
        """Go on to the end, or at most for so many iterations or seconds; True while there is more to do."""
        Limits(iterations=iterations, seconds=seconds)
        if self._inside == threading.get_ident():
            raise RueError("a run is not advanced by who is told of its progress")
        with self._going:
            try:
                self._inside = threading.get_ident()
                self.prepare()
                last = math.inf if iterations is None else self.solver.iteration + iterations
                latest = math.inf if seconds is None else time.perf_counter() + seconds
                self._since = time.perf_counter()
                while self.stopped is None and self._piece(last, latest):
                    pass
            except StoppedError:
                self.stopped = "interrupted"
            finally:
                self._spent, self._since, self._inside = self.seconds, math.nan, None
            return self.stopped is None

    def _piece(self, last: float, latest: float) -> bool:
        """Go on to the next place at which the run may be evaluated; False if that was put off."""
        solver, target = self.solver, self._target
        if self.algorithm.exact:
            self._solve_at_once()
        elif not self._reach(min(target, self._end), last, latest):
            return False
        if not (solver.iteration or self.algorithm.exact):
            with solver.turns:
                solver.run(1)
        there = self._place() >= target
        self.settled = there and self._worth_a_look(target)
        if there:
            self._target = self._next_place()
        if not self.settled and self._why() is None:
            return True
        self._evaluate()
        why = self._why()
        if why is not None:
            self.stopped = why
            if self.keeper is not None:
                self.keeper.save(self)
                self.close()
        return True

    def _solve_at_once(self) -> None:
        """Run what has nothing to show before its end in a thread of its own: compiled code hears no `stop` and no
        Ctrl-C. It is left to itself then."""
        failed: list[BaseException] = []

        def work() -> None:
            try:
                self.solver.run(1)
            except BaseException as error:
                failed.append(error)

        worker = threading.Thread(target=work, daemon=True, name="rue: exact solution")
        worker.start()
        while worker.is_alive():
            worker.join(BATCH_SECONDS)
            if self._stop.is_set() and worker.is_alive():
                raise StoppedError(f"{self.algorithm.name} on {self.problem.name} was stopped before it had a solution")
        if failed:
            raise failed[0]

    def _next_place(self) -> int:
        """The next place at which the run may be evaluated."""
        return next(Looks(self.limits.until).places(self._place() + 1))

    def _worth_a_look(self, place: int) -> bool:
        solver = self.solver
        heights = [height(point, self._by_nodes) for point in self._curve]
        return Looks(self.limits.until).worth(place, heights, solver.worked, solver.look_seconds)

    def _reach(self, target: int, last: float, latest: float) -> bool:
        """Go on to a place, or until the run must end; False if it is to pause before."""
        solver = self.solver
        while self._place() < target and solver.iteration < solver.horizon:
            left = math.inf if self.limits.seconds is None else self.limits.seconds - self.seconds
            if left <= 0 or solver.full or self._stop.is_set():
                return True
            if self._pause.is_set():
                self._pause.clear()
                return False
            if solver.iteration >= last or time.perf_counter() >= latest:
                return False
            if self.keeper is not None:
                self.keeper.pass_by(self)
            ahead = min(BATCH_SECONDS, left, max(0.0, latest - time.perf_counter()))
            wanted = min(max(1, int(self._rate * ahead)), solver.horizon - solver.iteration, last - solver.iteration)
            with solver.turns:
                if self._by_nodes:
                    solver.run(int(wanted), target)
                else:
                    solver.run(int(min(wanted, target - solver.iteration)))
            self._rate = solver.iteration / max(self.seconds, 1e-9)
            self._report()
        return True

    def _why(self) -> str | None:
        """Why the run is over, if it is."""
        solver, limits = self.solver, self.limits
        if self.algorithm.exact:
            return "exact"
        if limits.until is not None and self._curve and self._curve[-1].exploitability <= limits.until:
            return "until"
        if self._stop.is_set():
            return "interrupted"
        end = limits.end(self.algorithm)
        if end is not None and (solver.nodes or 0) >= end:
            return "nodes"
        if solver.iteration >= solver.horizon:
            return "iterations"
        if solver.full:
            return "memory"
        return "seconds" if limits.seconds is not None and self.seconds >= limits.seconds else None

    def _evaluate(self) -> None:
        """One more point of the curve."""
        solver = self.solver
        with solver.turns:
            found = solver.evaluate()
            if found is None:
                return
            solver.check_finite()
            if not math.isfinite(found.exploitability):
                where = f"{solver.algorithm.name} on {self.problem.name}"
                raise RueError(f"{where} is no longer finite at iteration {solver.iteration}")
            numbers = found.exploitability, found.nash_conv, found.value
            point = Point(solver.iteration, self.seconds, *numbers, solver.nodes)
            self._curve.append(RakedPoint(**asdict(point), rake=found.rake) if found.rake else point)
        self._report()
        if self.listener.evaluated is not None:
            self.listener.evaluated(self)

    def _report(self) -> None:
        if self.listener.progress is not None:
            self.listener.progress(self.progress)

    @property
    def progress(self) -> Progress:
        """Where the run is, and about how long it still takes."""
        if self._solver is None:
            return Progress(0, self.limits.horizon(self.algorithm), 0.0, None, None)
        solver, now = self._solver, self.seconds
        left = time_left(solver, self.limits, self._curve, now, self._rate)
        point = self._curve[-1] if self._curve else None
        return Progress(solver.iteration, solver.horizon, now, point, left, solver.nodes)

    @tells_lack_of_memory
    def result(self) -> Result:
        """What the run has reached. Its numbers are those of the last evaluation, its strategy is that of now."""
        with self.solver.turns:
            reached = Reached(self.curve, self.seconds, self.stopped or RUNNING)
            return self.problem.result(self.solver, reached)

    def final(self) -> Result:
        """What a run that is over has reached. It is told before, for reading off many infosets takes seconds.

        An exact solution has nothing to keep before its end: the Ctrl-C that ended it is passed on.
        """
        if self.algorithm.exact and not self._curve:
            raise KeyboardInterrupt
        if self.listener.stage is not None:
            self.listener.stage(READING, 0)
        return self.result()

    def let_go(self) -> None:
        """Free the memory of the solver; the curve stays."""
        self._solver = None

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the run down as it is now, for `rue.load` and `rue.open_run`; in .json the result alone."""
        place = as_path(path)
        if is_result(place):
            self.result().save(place)
            return
        keeper = Keeper(Home(place, new=True, overwrite=overwrite), self.about)
        try:
            keeper.begin(self)
            keeper.save(self)
        finally:
            keeper.close()

    @property
    def about(self) -> dict[str, Any]:
        """What a saved run says of itself: its problem, its limits, where it starts."""
        limited = {key: value for key, value in asdict(self.limits).items() if key != "threads"}
        seeds = {"seed": self.origin.seed, "start_seed": self.origin.start_seed, "start_from": self.origin.told()}
        return {**self.problem.data(), "limits": limited, **seeds}

    def close(self) -> None:
        """Give up the place the run is saved to; it may go on, and is no longer saved."""
        if self.keeper is not None:
            self.keeper.close()
            self.keeper = None
