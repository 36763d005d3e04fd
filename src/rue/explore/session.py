"""A run as the page knows it: waiting, on its way, over or on the disk; told as data, looked at, taken up again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any, Literal

import rue.api as api
from rue.errors import RueError, told
from rue.explore.allowed import refuse_named_files
from rue.records import dataclass
from rue.results.result import Result
from rue.results.unit import Unit
from rue.runs.home import INSIDE
from rue.runs.opened import STAYING, Opened
from rue.runs.progress import Listener, Progress
from rue.runs.resume import UNFINISHED
from rue.runs.run import RUNNING, Run, StoppedError

State = Literal["queued", "preparing", "running", "paused", "stopped", "done", "failed"]
WORKING: tuple[State, ...] = ("preparing", "running")
WAITING: tuple[State, ...] = ("queued", "paused")
Make = Callable[[Listener], Run]


@dataclass(frozen=True)
class Standing:
    """What is known of a run, on its way or on the disk."""

    game: str
    algorithm: str
    unit: Unit
    problem: dict[str, Any]
    """The problem as data; a spot under `spot`."""
    iteration: int
    seconds: float
    nodes: int | None
    curve: tuple[Any, ...]
    until: float | None
    judged: bool
    """Whether its exploitability can be known, as it cannot by rules alone."""

    @staticmethod
    def of_run(run: Run) -> Standing:
        """That of a run in memory."""
        problem, at = run.problem, run.progress
        about = problem.name, run.algorithm.name, problem.unit, problem.data()
        return Standing(*about, at.iteration, run.seconds, at.nodes, run.curve, run.limits.until, problem.judged)

    @staticmethod
    def of_saved(saved: Opened) -> Standing:
        """That of a run on the disk."""
        header = saved.header
        try:
            unit = saved.problem().unit
        except RueError:  # code of one's own, which only the command line may name
            unit = Unit()
        return Standing(
            game=str(header["numbers"].get("name", header.get("game"))),
            algorithm=str(header["algorithm"]["name"]),
            unit=unit,
            problem={name: header[name] for name in STAYING if name in header},
            iteration=saved.iteration,
            seconds=saved.seconds,
            nodes=saved.nodes,
            curve=saved.curve,
            until=saved.limits.until,
            judged=saved.problem_kind.judged,
        )

    def told(self) -> dict[str, Any]:
        """Ready for JSON: exploitability in the measure that curves are drawn in."""
        measure = self.unit.drawn
        points = [
            [point.iteration, point.seconds, measure.factor * point.exploitability, point.nodes] for point in self.curve
        ]
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "spot": self.problem.get("spot"),
            "locks": list(self.problem.get("locks") or ()),
            "measure": measure.name,
            "judged": self.judged,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "until": None if self.until is None else measure.factor * self.until,
            "exploitability": points[-1][2] if points else None,
            "value": self.curve[-1].value if self.curve else None,
            "curve": points,
        }


class Session:
    """A run of the page. Its worker advances it; any thread may ask for its state, its result, and to pause or stop."""

    def __init__(self, key: str, path: Path) -> None:
        self.key, self.path = key, path
        self.state: State = "stopped"
        self.error = ""
        self.stage: tuple[str, int] | None = None
        self.remaining: float | None = None
        self.changes = 0
        """Goes up whenever there is something new to tell."""
        self.looked = 0
        """When the result was last looked at, as a number that grows."""
        self.together: str | None = None
        """The game of a run that takes turns with others of the same game; None for a spot."""
        self._standing: Standing | None = None
        self._run: Run | None = None
        self._make: Make | None = None
        self._before: State = "failed"
        """What it was before it was to go on, which it is again if that is refused."""
        self._result: Result | None = None
        self._reading = threading.Lock()
        self._wish: Literal["", "pause", "stop"] = ""
        """What is to happen to a run that is still being read."""

    @staticmethod
    def new(key: str, path: Path, make: Make) -> Session:
        """A run that waits for its turn; what cannot be run is refused at once."""
        session = Session(key, path)
        session._run = make(session.listener)
        session._know(Standing.of_run(session._run))
        session.state = "queued"
        return session

    @staticmethod
    def saved(key: str, path: Path) -> Session:
        """A run on the disk; one that cannot be read says so."""
        session = Session(key, path)
        try:
            with Opened(path) as saved:
                refuse_named_files(saved.header.get("spot"))
                session._know(Standing.of_saved(saved))
                session.state = "stopped" if saved.stopped in UNFINISHED else "done"
        except RueError as error:
            session.state, session.error = "failed", str(error)
        return session

    def _know(self, standing: Standing) -> None:
        self._standing = standing
        self.together = None if standing.problem.get("spot") else standing.game

    @property
    def listener(self) -> Listener:
        """Told how the run goes."""
        return Listener(self._progressed, self._staged)

    def _progressed(self, at: Progress) -> None:
        self.state, self.stage, self.remaining = "running", None, at.remaining
        self.changes += 1

    def _staged(self, what: str, count: int) -> None:
        self.stage = what, count
        self.changes += 1
        if self._wish == "stop":
            raise StoppedError("the run was stopped while it was being read")

    @property
    def held(self) -> bool:
        """Whether it takes memory that it could give back: it has a result and nothing to do."""
        return (self._run is not None or self._result is not None) and self.state not in (*WORKING, *WAITING)

    @property
    def standing(self) -> Standing | None:
        """What is known of it, by the run where there is one."""
        run = self._run
        if run is not None:
            self._standing = Standing.of_run(run)
        return self._standing

    def view(self) -> dict[str, Any]:
        """Everything that the page shows of a run, ready for JSON."""
        standing = self.standing
        stage = None if self.stage is None or self.state != "preparing" else list(self.stage)
        about = {"id": self.key, "name": self.path.name, "state": self.state, "error": self.error, "stage": stage}
        remaining = self.remaining if self.state == "running" else None
        return {**about, "remaining": remaining, **({} if standing is None else standing.told())}

    def begin(self) -> None:
        """Its turn has come: what is wished from now on is for this turn."""
        if self.state not in WORKING:
            self.state, self.error, self.stage, self._wish = "preparing", "", None, ""
            self.changes += 1

    def work(self, seconds: float | None = None) -> bool:
        """Advance the run until it pauses, stops or is over, or for some seconds; for the worker. True if it is to have
        another turn."""
        self.begin()
        try:
            if self._run is None:
                assert self._make is not None
                self._result = None
                self._run = self._make(self.listener)
                {"": lambda: None, "pause": self._run.pause, "stop": self._run.stop}[self._wish]()
            more = self._run.advance(seconds=seconds)
            self._result = None  # its numbers are those of an earlier look
            if more and seconds is not None and not self._wish:
                self.state = "running"
                return True
            self.state = "paused" if more else "stopped" if self._run.stopped in UNFINISHED else "done"
        except StoppedError:
            self.state = "stopped"
        except RueError as error:
            before = self._before if self._run is None else "failed"
            self._fail(error)
            self.state = before
        except Exception as error:
            self._fail(error)
        self._wish = ""
        self.changes += 1
        return False

    def _fail(self, error: BaseException) -> None:
        self.error, self.state = told(error), "failed"
        if self._run is not None:
            self._run.close()
        self._run = self._result = None

    def pause(self, waiting: bool) -> None:
        """Let the run pause soon; one that waits for its turn at once."""
        if waiting or self.state == "queued":
            self.state = "paused"
        elif self.state in WORKING:
            self._wish = "pause"
            if self._run is not None:
                self._run.pause()
        self.changes += 1

    def stop(self) -> bool:
        """Let the run end soon and keep what was reached; True if who asks has to see to it."""
        self._wish = "stop"
        self.changes += 1
        run = self._run
        if run is not None:
            run.stop()
        if self.state not in WAITING:
            return False
        if run is None or not (run.iteration or (self.path / INSIDE).is_file()):
            self.state = "stopped"
            return False
        idle = self.state == "paused"
        self.state = "preparing" if idle else self.state
        return idle

    def go_on(self, limits: dict[str, Any], own: Container[str], anew: Make | None = None) -> None:
        """Wait for its turn again: a paused run as it is, one that is over from the disk, with new limits.

        `own` are the games in files that the command line named; `anew` makes a run that was stopped before it was on
        the disk.
        """
        if self.state in (*WORKING, "queued"):
            raise RueError("the run is on its way already")
        if self.state != "paused" or self._run is None:
            self._before = self.state
            path, game = self.path, None if self._standing is None else self._standing.problem.get("game")
            given = game if game in own else None
            self.close()
            self._run = None
            self._make = anew or (lambda listener: api.open_run(path, game=given, listener=listener, **limits))
        self.state = "queued"
        self.changes += 1

    def aim(self, until: float | str) -> None:
        """Make a run that is on its way more accurate, or less."""
        run = self._run
        if run is None:
            raise RueError("the run is not on its way")
        run.aim(run.problem.unit.limit(until))
        self.changes += 1

    def result(self) -> Result:
        """What the run has reached: of a run on its way as it is now, else as it was saved."""
        run = self._run
        if run is not None:
            if run.iteration == 0 and not run.curve:  # the exact solution has a curve, and no iterations
                raise RueError("the run has not begun: there is nothing to look at yet")
            found = self._result
            if found is None or (len(found.curve), found.stopped) != (len(run.curve), run.stopped or RUNNING):
                self._result = found = run.result()
            return found
        if self.state in (*WORKING, "queued"):
            raise RueError("the run is being read from the disk: wait a moment")
        with self._reading:
            if self._result is None:
                with Opened(self.path) as saved:
                    self._result = saved.result()
            return self._result

    def let_go(self) -> None:
        """Free the memory of a run that is over; it is read again when it is looked at."""
        self._standing = self.standing
        self.close()
        self._run = self._result = None

    def close(self) -> None:
        """Give up the place the run is saved to."""
        if self._run is not None:
            self._run.close()
