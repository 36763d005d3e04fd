"""One run of the page as a background task: live or on disk, its summary and its result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zerosum.api as api
from zerosum.explorer.file_access import refuse_file_keys
from zerosum.jobs.task import ACTIVE, WAITING, Task, TaskState
from zerosum.results.payoff_unit import Unit
from zerosum.results.result import Result
from zerosum.runs.progress import Listener, Progress, TaskProgress
from zerosum.runs.resume import UNFINISHED
from zerosum.runs.run import RUNNING, Run, StoppedError
from zerosum.runs.run_location import RUN_FILE
from zerosum.runs.saved_run import CONTINUED_KEYS, SavedRun
from zerosum.support.errors import ZerosumError

RunFactory = Callable[[Listener], Run]
"""Makes a run that reports to a listener."""


@dataclass(frozen=True)
class RunSummary:
    """What the page shows of a run, whether it is in memory or on disk."""

    game: str
    algorithm: str
    unit: Unit
    problem: dict[str, Any]
    """The problem as data; a spot is under `spot`."""
    iteration: int
    seconds: float
    nodes: int | None
    curve: tuple[Any, ...]
    until: float | None
    has_exploitability: bool
    """Whether its exploitability can be computed; not if it is sampled by rules."""

    @staticmethod
    def from_run(run: Run) -> RunSummary:
        """Return the summary of a run in memory."""
        problem, progress = run.problem, run.progress
        codec = problem.codec()
        names = problem.name, run.algorithm.name, problem.unit, codec.to_json(problem)
        reached = progress.iteration, run.seconds, progress.nodes, run.curve
        return RunSummary(*names, *reached, run.limits.until, codec.has_exploitability)

    @staticmethod
    def from_saved(saved: SavedRun) -> RunSummary:
        """Return the summary of a run on disk."""
        header = saved.header
        try:
            unit = saved.problem().unit
        except ZerosumError:  # custom code, which only the command line may name
            unit = Unit()
        return RunSummary(
            game=str(header["numbers"].get("name", header.get("game"))),
            algorithm=str(header["algorithm"]["name"]),
            unit=unit,
            problem={name: header[name] for name in CONTINUED_KEYS if name in header},
            iteration=saved.iteration,
            seconds=saved.seconds,
            nodes=saved.nodes,
            curve=saved.curve,
            until=saved.limits.until,
            has_exploitability=saved.codec.has_exploitability,
        )

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON; exploitability is in the unit in which curves are drawn."""
        measure = self.unit.plot_measure
        points = [
            [point.iteration, point.seconds, measure.factor * point.exploitability, point.nodes] for point in self.curve
        ]
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "spot": self.problem.get("spot"),
            "locks": list(self.problem.get("locks") or ()),
            "measure": measure.name,
            "has_exploitability": self.has_exploitability,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "until": None if self.until is None else measure.factor * self.until,
            "exploitability": points[-1][2] if points else None,
            "value": self.curve[-1].value if self.curve else None,
            "curve": points,
        }


class RunTask(Task):
    """A run of the page. A queue advances it; any thread may ask for its summary and its result."""

    def __init__(self, key: str, path: Path) -> None:
        super().__init__(key, path.name)
        self.path = path
        self.state = "stopped"
        self.last_used = 0.0
        """When its result was last asked for."""
        self._summary: RunSummary | None = None
        self._run: Run | None = None
        self._create_run: RunFactory | None = None
        self._earlier_state: TaskState = "failed"
        """Its state before it was to be resumed, which returns if that is refused."""
        self._result: Result | None = None
        self._loading = threading.Lock()

    @staticmethod
    def create(key: str, path: Path, create_run: RunFactory) -> RunTask:
        """Return a run that waits for its turn; raise if it cannot be built."""
        task = RunTask(key, path)
        task._run = create_run(task.listener)
        task._summary = RunSummary.from_run(task._run)
        task.state = "queued"
        return task

    @staticmethod
    def load(key: str, path: Path) -> RunTask:
        """Return a run on disk; one that cannot be read has failed."""
        task = RunTask(key, path)
        try:
            with SavedRun(path) as saved:
                refuse_file_keys(saved.header.get("spot"))
                task._summary = RunSummary.from_saved(saved)
                task.state = "stopped" if saved.stopped in UNFINISHED else "done"
        except ZerosumError as error:
            task.state, task.error = "failed", str(error)
        return task

    @property
    def group(self) -> str | None:
        """The game: runs of the same game take turns, so that their curves grow side by side; spots do not."""
        return None if self._summary is None or self._summary.problem.get("spot") else self._summary.game

    @property
    def listener(self) -> Listener:
        """What the run reports to."""
        return Listener(self._show_progress, self._show_stage)

    def _show_progress(self, progress: Progress) -> None:
        self.state, self.progress = "running", TaskProgress(progress.iteration, remaining=progress.remaining)
        self.mark_changed()

    def _show_stage(self, stage: str, count: int) -> None:
        self.progress = TaskProgress(count, stage=stage)
        self.mark_changed()
        if self.request == "stop":
            raise StoppedError("the run was stopped while it was being read")

    @property
    def holds_memory(self) -> bool:
        """Whether it has memory that it could release: a result, and nothing to do."""
        return (self._run is not None or self._result is not None) and self.state not in (*ACTIVE, *WAITING)

    @property
    def summary(self) -> RunSummary | None:
        """What is known of it."""
        run = self._run
        if run is not None:
            self._summary = RunSummary.from_run(run)
        return self._summary

    def to_json(self) -> dict[str, Any]:
        summary, progress = self.summary, self.progress
        stage = [progress.stage, progress.done] if progress.stage and self.state == "preparing" else None
        remaining = progress.remaining if self.state == "running" else None
        task = {"id": self.key, "name": self.path.name, "state": self.state, "error": self.error, "stage": stage}
        return {**task, "remaining": remaining, **({} if summary is None else summary.to_json())}

    def start_turn(self) -> None:
        if not self.is_active:
            self.progress = TaskProgress(0)
        super().start_turn()

    def work(self, seconds: float | None) -> TaskState:
        if self._run is None:
            assert self._create_run is not None
            self._result = None
            self._run = self._create_run(self.listener)
            if self.request == "pause":
                self._run.pause()
            elif self.request == "stop":
                self._run.stop()
        more = self._run.advance(seconds=seconds)
        self._result = None  # it holds the numbers of an earlier iteration
        if more and seconds is not None and not self.request:
            return "running"
        if more and self.request == "stop":  # it came after the last step of this turn
            more = self._run.advance()
        return "paused" if more else "stopped" if self._run.stopped in UNFINISHED else "done"

    def fail(self, error: Exception) -> None:
        """Note the error; a run that was not to be resumed has its earlier state again."""
        refused = self._run is None and isinstance(error, ZerosumError)
        super().fail(error)
        if refused:
            self.state = self._earlier_state
        self.close()
        self._run = self._result = None

    def pause(self, waiting: bool = False) -> None:
        super().pause(waiting)
        if self.is_active and self._run is not None:
            self._run.pause()

    def stop(self) -> bool:
        self.request = "stop"
        self.mark_changed()
        run = self._run
        if run is not None:
            run.stop()
        if self.state not in WAITING:
            return False
        if run is None or not (run.iteration or (self.path / RUN_FILE).is_file()):
            self.state = "stopped"
            return False
        is_paused = self.state == "paused"
        self.state = "preparing" if is_paused else self.state
        return is_paused

    def resume(self, limits: dict[str, Any], custom_games: Container[str], create_run: RunFactory | None) -> None:
        """Wait for another turn: a paused run as it is, one that has ended from its files, with new limits.

        `custom_games` are the games in files that the command line named; `create_run` makes a run that was stopped
        before it was saved.
        """
        if self.state in (*ACTIVE, "queued"):
            raise ZerosumError("the run is already running")
        if self.state != "paused" or self._run is None:
            self._earlier_state = self.state
            path, game = self.path, None if self._summary is None else self._summary.problem.get("game")
            custom_game = game if game in custom_games else None
            self.close()
            self._run = None
            self._create_run = create_run or (
                lambda listener: api.open_run(path, game=custom_game, listener=listener, **limits)
            )
        self.state = "queued"
        self.mark_changed()

    def set_target(self, until: float | str) -> None:
        """Let a run in memory end at another exploitability."""
        run = self._run
        if run is None:
            raise ZerosumError("the run is not running")
        run.set_target(run.problem.unit.parse_target(until))
        self.mark_changed()

    def read_result(self) -> Result:
        """Return what the run has reached: of a run in memory as it is now, else as it was saved."""
        run = self._run
        if run is not None:
            if run.iteration == 0 and not run.curve:  # the exact solution has a curve, and no iterations
                raise ZerosumError("the run has not started: there is no strategy yet")
            result = self._result
            if result is None or (len(result.curve), result.stopped) != (len(run.curve), run.stopped or RUNNING):
                self._result = result = run.result()
            return result
        if self.state in (*ACTIVE, "queued"):
            raise ZerosumError("the run is being read from disk: wait a moment")
        with self._loading:
            if self._result is None:
                with SavedRun(self.path) as saved:
                    self._result = saved.result()
            return self._result

    def release(self) -> None:
        """Free the memory of a run that has ended; `read_result` reads it again."""
        self._summary = self.summary
        self.close()
        self._run = self._result = None

    def close(self) -> None:
        """Release the lock of the folder that the run is saved to."""
        if self._run is not None:
            self._run.close()
