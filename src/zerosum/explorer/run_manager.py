"""All runs of the page: start, queue, pause, stop, resume and delete them; the memory that they may keep."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import zerosum.api as api
from zerosum.explorer.file_access import refuse_file_names, spot_from_request
from zerosum.explorer.game_cache import GameCache
from zerosum.explorer.requests import LimitRequest, NewRun, decode_request
from zerosum.explorer.run_task import RunFactory, RunTask
from zerosum.explorer.workspace import Workspace
from zerosum.jobs.task import TaskQueue
from zerosum.problems.problem import Problem
from zerosum.problems.registry import problem
from zerosum.results.result import Result
from zerosum.runs.run_location import RUN_FILE, RunLocation
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most, write_atomically
from zerosum.support.system import available_bytes

FREE_SHARE = 0.15
"""Share of the memory that stays free: with less, runs that have ended release theirs."""
MAX_LOADED = 8
"""Runs that have ended and are still in memory, at most."""
TIME_SLICE = 0.25
"""Seconds that a run of a game is advanced before the next one of the same game has its turn."""
PENDING_FILE = "pending.json"
MAX_PENDING_BYTES = 64 << 20


class RunManager:
    """All runs: those found in the workspace, those named on the command line, those started by the page."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.games = GameCache()
        self.runs: dict[str, RunTask] = {}
        self.version = 0
        """Grows when a run is added or deleted."""
        self._lock = threading.Lock()
        self._unsaved: dict[str, tuple[Problem, NewRun]] = {}
        """The problems and requests of runs that are not saved yet, by the keys of the runs."""
        self._pending = PendingRuns(workspace)
        self._queue: TaskQueue[RunTask] = TaskQueue(
            "zerosum explore: runs", TIME_SLICE, self._release_memory, self._forget_request
        )
        for path in workspace.list_run_folders():
            self.open(path)
        for request in self._pending.load():
            self._restore_pending(request)

    def open(self, path: Path) -> RunTask:
        """Return the run of a folder or a file."""
        runs = [run for run in self.runs.values() if run.path.resolve() == path.resolve()]
        return runs[0] if runs else self._add_task(RunTask.load(self._create_key(path), path))

    def _restore_pending(self, request: NewRun) -> None:
        """Add a run that was waiting when an earlier server ended; it is paused."""
        with contextlib.suppress(ZerosumError):  # a game that only another command line names
            run = self.start(request)
            self.pause(run.key)
            if run.path.name != request.name:  # its folder was not empty
                self._pending.remove(self.workspace.path / request.name)

    def _create_key(self, path: Path) -> str:
        """Return the name of a run in addresses, which stays the same for every server until the run is renamed."""
        full_path = path.resolve()
        name = full_path.name if full_path.parent == self.workspace.path else str(full_path)
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        return next(digest[:length] for length in range(8, 65) if digest[:length] not in self.runs)

    def _add_task(self, run: RunTask) -> RunTask:
        with self._lock:
            self.runs[run.key] = run
            self.version += 1
        return run

    def find(self, key: str) -> RunTask:
        run = self.runs.get(key)
        if run is None:
            raise ZerosumError(f"there is no run {key[:20]!r}")
        return run

    def start(self, request: NewRun) -> RunTask:
        """Start a new run, which waits for its turn."""
        return self.start_problem(self._build_problem(request), request)

    def start_problem(self, problem: Problem, request: NewRun) -> RunTask:
        """Start a new run of a problem that was built already."""
        if request.algorithm is not None:
            refuse_file_names(request.algorithm)
        taken = {run.path for run in self.runs.values()}
        path = self.workspace.find_free_path(request.name or problem.name.split("(")[0], taken)
        run = RunTask.create(self._create_key(path), path, _create_run_factory(problem, request, path))
        self._unsaved[run.key] = problem, request
        self._pending.add(path, request)
        self._add_task(run)
        self._queue.submit(run)
        return run

    def pause(self, key: str) -> RunTask:
        run = self.find(key)
        run.pause(waiting=self._queue.withdraw(run))
        return run

    def stop(self, key: str) -> RunTask:
        """End a run; its progress is saved."""
        run = self.find(key)
        self._pending.remove(run.path)
        self._queue.stop(run)
        return run

    def resume(self, key: str, request: LimitRequest) -> RunTask:
        """Continue a run to an exploitability, or for more iterations or seconds; it may be running still."""
        run = self.find(key)
        limits = {name: value for name, value in request.limits.items() if value is not None}
        if run.state == "stopped" and key in self._unsaved:  # before it was saved
            problem, first_request = self._unsaved[key]
            first_request = replace(first_request, **limits)
            run.resume(limits, self.games.custom, _create_run_factory(problem, first_request, run.path))
            self._pending.add(run.path, first_request)
            self._queue.submit(run)
            return run
        if "iterations" in limits:
            limits["iterations"] = f"+{limits['iterations']}"
        if request.until is not None and (run.is_active or run.state in ("paused", "queued")):
            run.set_target(request.until)
            if run.state != "paused":
                return run
        run.resume(limits, self.games.custom, None)
        self._queue.submit(run)
        return run

    def delete(self, key: str) -> None:
        """Delete a run of the workspace, which must not be running."""
        run = self.find(key)
        if run.is_active:
            raise ZerosumError("the run is still running: stop it first")
        self.pause(key)
        run.close()
        if run.path.parent == self.workspace.path and not run.path.is_symlink():
            with contextlib.closing(
                RunLocation(run.path, new=False)
            ) as location:  # fails if another process writes there
                location.remove()
        self._pending.remove(run.path)
        with self._lock:
            del self.runs[key]
            self._unsaved.pop(key, None)
            self.version += 1
        run.release()

    def read_result(self, key: str) -> Result:
        """Return what a run has reached; others may have to release their memory for it."""
        run = self.find(key)
        run.last_used = time.monotonic()
        self._release_memory(run)
        return run.read_result()

    def _release_memory(self, needed: RunTask) -> None:
        """Let runs that have ended release their memory if it is short, those that were not used for longest first."""
        loaded = [run for run in self.runs.values() if run.holds_memory and run is not needed]
        loaded.sort(key=lambda run: run.last_used)
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        while loaded and (len(loaded) >= MAX_LOADED or available_bytes() < FREE_SHARE * total):
            loaded.pop(0).release()

    def _forget_request(self, run: RunTask) -> None:
        """Forget the request of a run once it is saved or has failed."""
        if run.state == "failed" or (run.path / RUN_FILE).is_file():
            self._unsaved.pop(run.key, None)
            with contextlib.suppress(ZerosumError, OSError):
                self._pending.remove(run.path)

    def close(self) -> None:
        """End all runs; their progress is on disk when this returns."""
        runs = list(self.runs.values())
        self._queue.close(runs)
        for run in runs:
            run.close()

    def list_runs(self) -> list[dict[str, Any]]:
        """Return all runs for JSON, the newest first."""
        return [run.to_json() for run in reversed(list(self.runs.values()))]

    def _build_problem(self, request: NewRun) -> Problem:
        """Return the problem of a request, which may not name custom code or files."""
        if (request.spot is None) == (request.game is None):
            raise ZerosumError("a run needs either a spot or a game")
        if request.spot is not None:
            return problem(spot_from_request(request.spot), half=request.half)
        assert request.game is not None
        return self.games.find_game(request.game)


def _create_run_factory(problem: Problem, request: NewRun, path: Path) -> RunFactory:
    return lambda listener: api.start(problem, request.algorithm, out=path, listener=listener, **request.limits)


class PendingRuns:
    """Requests of runs that are not saved yet, in a file of the workspace, by the folders of their runs."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lock = threading.Lock()

    def _read_file(self) -> dict[str, Any]:
        path = self.workspace.get_safe_path(PENDING_FILE)
        if not path.exists():
            return {}
        try:
            requests = parse_json(read_at_most(path, MAX_PENDING_BYTES, "the runs that wait"), path)
        except DAMAGE_ERRORS:
            requests = None
        if not isinstance(requests, dict):
            raise ZerosumError(f"{path} is damaged: delete it; the runs that were waiting are lost")
        return requests

    def _write_file(self, requests: dict[str, Any]) -> None:
        folder = self.workspace.path
        unsaved = {name: data for name, data in requests.items() if not (folder / name / RUN_FILE).is_file()}
        write_atomically(self.workspace.get_safe_path(PENDING_FILE), (json.dumps(unsaved, indent=1) + "\n").encode())

    def add(self, path: Path, request: NewRun) -> None:
        """Keep the request of a run until the run is saved; a run of an object has none."""
        if request.spot is None and request.game is None:
            return
        with self._lock:
            self._write_file({**self._read_file(), path.name: {**vars(request), "name": path.name}})

    def remove(self, path: Path) -> None:
        with self._lock:
            requests = self._read_file()
            if requests.pop(path.name, None) is not None:
                self._write_file(requests)

    def load(self) -> list[NewRun]:
        """Return the requests that an earlier server left, and remove the empty folders of their runs."""
        requests = []
        for name, data in self._read_file().items():
            with contextlib.suppress(ZerosumError):  # the file was edited, or a server that is running has the folder
                path = self.workspace.get_safe_path(name)
                if not (path / RUN_FILE).is_file():
                    RunLocation(path, new=False).close()
                    requests.append(decode_request(NewRun, data))
                    with contextlib.suppress(OSError):
                        path.rmdir()
        return requests
