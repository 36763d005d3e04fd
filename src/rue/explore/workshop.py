"""The runs of the page: a queue that one thread works off, and what of it is kept in memory."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import rue.api as api
from rue.errors import RueError
from rue.explore.allowed import refuse_files, spot_asked
from rue.explore.asked import Further, NewRun
from rue.explore.folder import Folder
from rue.explore.session import WORKING, Make, Session
from rue.explore.shelf import Shelf
from rue.explore.waiting import Waiting
from rue.machine import available_bytes
from rue.problems.find import problem
from rue.problems.problem import Problem
from rue.results.result import Result
from rue.runs.home import INSIDE, Home

SPARE = 0.15
"""Share of the memory that is to stay free before a run that is over gives its memory back."""
HELD = 8
"""Runs that are over and still in memory, at most."""
TURN = 0.25
"""Seconds that a run of a game is worked on before another one of the same game has its turn."""


class Workshop:
    """All runs: those that were found in the folder, those named on the command line, those started by the page."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.shelf = Shelf()
        self.sessions: dict[str, Session] = {}
        self._looks = itertools.count(1)
        self._changed = threading.Condition()
        self._queue: list[Session] = []
        self._closing = False
        self.changes = 0
        """Goes up when a run is added or removed."""
        self._asked: dict[str, tuple[Problem, NewRun]] = {}
        """What runs are of that are not on the disk yet, by their keys."""
        self._waiting = Waiting(folder)
        for path in folder.runs():
            self.open(path)
        for asked in self._waiting.left():
            self._take_up(asked)
        self._worker = threading.Thread(target=self._work, daemon=True, name="rue explore: runs")
        self._worker.start()

    def open(self, path: Path) -> Session:
        """A run on the disk."""
        known = [each for each in self.sessions.values() if each.path.resolve() == path.resolve()]
        return known[0] if known else self._add(Session.saved(self._key(path), path))

    def _take_up(self, asked: NewRun) -> None:
        """A run that waited when an earlier server ended; it goes on when it is told to."""
        with contextlib.suppress(RueError):  # a game that only another command line names
            session = self.start(asked)
            self.pause(session.key)
            if session.path.name != asked.name:  # its folder was not empty
                self._waiting.drop(self.folder.path / asked.name)

    def _key(self, path: Path) -> str:
        """What a run is called in addresses: the same whenever the server starts, as long as the run is called so."""
        place = path.resolve()
        name = place.name if place.parent == self.folder.path else str(place)
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        return next(digest[:length] for length in range(8, 65) if digest[:length] not in self.sessions)

    def _add(self, session: Session) -> Session:
        with self._changed:
            self.sessions[session.key] = session
            self.changes += 1
        return session

    def get(self, key: str) -> Session:
        """A run by its key."""
        found = self.sessions.get(key)
        if found is None:
            raise RueError(f"there is no run {key[:20]!r}")
        return found

    def start(self, asked: NewRun) -> Session:
        """A new run, which waits for its turn."""
        return self.begin(self._problem(asked), asked)

    def begin(self, found: Problem, asked: NewRun) -> Session:
        """The same, of a problem that is known already."""
        if asked.algorithm is not None:
            refuse_files(asked.algorithm)
        taken = {each.path for each in self.sessions.values()}
        path = self.folder.new_run(asked.name or found.name.split("(")[0], taken)
        session = Session.new(self._key(path), path, _making(found, asked, path))
        self._asked[session.key] = found, asked
        self._waiting.keep(path, asked)
        self._add(session)
        self._enqueue(session)
        return session

    def _enqueue(self, session: Session) -> None:
        with self._changed:
            if session not in self._queue:
                self._queue.append(session)
            self._changed.notify_all()

    def pause(self, key: str) -> Session:
        """Let a run pause."""
        session = self.get(key)
        with self._changed:
            waiting = session in self._queue
            if waiting:
                self._queue.remove(session)
        session.pause(waiting)
        return session

    def stop(self, key: str) -> Session:
        """Let a run end; what was reached is kept."""
        session = self.get(key)
        self._waiting.drop(session.path)
        with self._changed:
            if session in self._queue:
                self._queue.remove(session)
                session.pause(waiting=True)
            idle = session.stop()
        if idle:  # the worker may be busy with another run for hours
            session.work()
            self._settle(session)
        return session

    def go_on(self, key: str, further: Further) -> Session:
        """Let a run go on: one that is on its way to another exploitability, one that is over from where it ended."""
        session = self.get(key)
        limits = {name: value for name, value in vars(further).items() if value is not None}
        if session.state == "stopped" and key in self._asked:  # before it was on the disk
            found, before = self._asked[key]
            asked = replace(before, **limits)
            session.go_on(limits, self.shelf.own, _making(found, asked, session.path))
            self._waiting.keep(session.path, asked)
            self._enqueue(session)
            return session
        if "iterations" in limits:
            limits["iterations"] = f"+{limits['iterations']}"
        if further.until is not None and session.state in (*WORKING, "paused", "queued"):
            session.aim(further.until)
            if session.state != "paused":
                return session
        session.go_on(limits, self.shelf.own)
        self._enqueue(session)
        return session

    def remove(self, key: str) -> None:
        """Delete a run of the folder; one that is on its way has to be stopped first."""
        session = self.get(key)
        if session.state in WORKING:
            raise RueError("the run is on its way: stop it first")
        self.pause(key)
        session.close()
        if session.path.parent == self.folder.path and not session.path.is_symlink():
            with contextlib.closing(Home(session.path, new=False)) as home:  # refused if another process writes there
                home.remove()
        self._waiting.drop(session.path)
        with self._changed:
            del self.sessions[key]
            self._asked.pop(key, None)
            self.changes += 1
        session.let_go()

    def result(self, key: str) -> Result:
        """What a run has reached; others may have to give their memory back for it."""
        session = self.get(key)
        session.looked = next(self._looks)
        self._make_room(session)
        return session.result()

    def _make_room(self, wanted: Session) -> None:
        """Let runs that are over give their memory back, those that were not looked at the longest first."""
        held = sorted((each for each in self.sessions.values() if each.held and each is not wanted), key=_looked)
        total = _total_bytes()
        while held and (len(held) >= HELD or available_bytes() < SPARE * total):
            held.pop(0).let_go()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closing)
                if self._closing:
                    return
                session = self._queue.pop(0)
                session.begin()
            self._make_room(session)
            if session.work(None if session.together is None else TURN):
                self._another_turn(session)
            else:
                self._settle(session)

    def _settle(self, session: Session) -> None:
        """What was asked for is known no longer once a run is on the disk, or cannot be made."""
        if session.state == "failed" or (session.path / INSIDE).is_file():
            self._asked.pop(session.key, None)
            with contextlib.suppress(RueError, OSError):
                self._waiting.drop(session.path)

    def _another_turn(self, session: Session) -> None:
        """Let a run go on after those of the same game that wait beside it."""
        with self._changed:
            if self._closing:
                return
            place = 0
            while place < len(self._queue) and self._queue[place].together == session.together:
                place += 1
            self._queue.insert(place, session)

    def close(self) -> None:
        """End all runs; what they have reached is on the disk when this returns."""
        with self._changed:
            self._closing = True
            self._queue.clear()
            self._changed.notify_all()
        for session in self.sessions.values():
            if session.state in (*WORKING, "paused"):
                session.stop()
        self._worker.join()
        for session in self.sessions.values():
            if session.state in (*WORKING, "paused"):
                session.work()
                self._settle(session)
            session.close()

    def told(self) -> list[dict[str, Any]]:
        """All runs, ready for JSON, the newest first."""
        return [session.view() for session in reversed(list(self.sessions.values()))]

    def _problem(self, asked: NewRun) -> Problem:
        """What the page wants solved; code of one's own is named on the command line only, and files are not read."""
        if (asked.spot is None) == (asked.game is None):
            raise RueError("a run needs a spot or a game, and not both")
        if asked.spot is not None:
            return problem(spot_asked(asked.spot), half=asked.half)
        assert asked.game is not None
        return self.shelf.find(asked.game)


def _making(found: Problem, asked: NewRun, path: Path) -> Make:
    """What makes a run that was asked for."""
    limits = {"until": asked.until, "iterations": asked.iterations, "seconds": asked.seconds}
    return lambda listener: api.start(found, asked.algorithm, out=path, listener=listener, **limits)  # type: ignore[arg-type]


def _looked(session: Session) -> int:
    return session.looked


def _total_bytes() -> int:
    import os

    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
