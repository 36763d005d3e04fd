"""Requests of runs that are not saved yet, kept in the workspace until the runs are."""

from __future__ import annotations

import contextlib
import json
import threading
from pathlib import Path
from typing import Any

from zerosum.explorer.requests import NewRun, read
from zerosum.explorer.workspace import Workspace
from zerosum.runs.run_location import RUN_FILE, RunLocation
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most, write_atomically

FILE = "pending.json"
MAX_FILE_BYTES = 64 << 20


class PendingRuns:
    """The requests by the names of the folders of their runs, in one file."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lock = threading.Lock()

    def _read(self) -> dict[str, Any]:
        path = self.workspace.path_of(FILE)
        if not path.exists():
            return {}
        try:
            requests = parse_json(read_at_most(path, MAX_FILE_BYTES, "the runs that wait"), path)
        except DAMAGE_ERRORS:
            requests = None
        if not isinstance(requests, dict):
            raise ZerosumError(f"{path} is damaged: delete it; the runs that were waiting are lost")
        return requests

    def _write(self, requests: dict[str, Any]) -> None:
        folder = self.workspace.path
        unsaved = {name: data for name, data in requests.items() if not (folder / name / RUN_FILE).is_file()}
        write_atomically(self.workspace.path_of(FILE), (json.dumps(unsaved, indent=1) + "\n").encode())

    def add(self, path: Path, request: NewRun) -> None:
        """Keep the request of a run until the run is saved; a run of an object has none."""
        if request.spot is None and request.game is None:
            return
        with self._lock:
            self._write({**self._read(), path.name: {**vars(request), "name": path.name}})

    def remove(self, path: Path) -> None:
        """Remove the request of a run."""
        with self._lock:
            requests = self._read()
            if requests.pop(path.name, None) is not None:
                self._write(requests)

    def load(self) -> list[NewRun]:
        """Return the requests that an earlier server left, and remove the empty folders of their runs."""
        requests = []
        for name, data in self._read().items():
            with contextlib.suppress(ZerosumError):  # the file was edited, or a server that is running has the folder
                path = self.workspace.path_of(name)
                if not (path / RUN_FILE).is_file():
                    RunLocation(path, new=False).close()
                    requests.append(read(NewRun, data))
                    with contextlib.suppress(OSError):
                        path.rmdir()
        return requests
