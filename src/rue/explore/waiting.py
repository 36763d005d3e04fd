"""Runs that are not on the disk yet: what was asked for is kept in the folder, and no end of the server loses it."""

from __future__ import annotations

import contextlib
import json
import threading
from pathlib import Path
from typing import Any

from rue.disk import DAMAGE, from_json, read_at_most, write_atomically
from rue.errors import RueError
from rue.explore.asked import NewRun, read
from rue.explore.folder import Folder
from rue.runs.home import INSIDE, Home

FILE = "waiting.json"
LARGEST = 64 << 20


class Waiting:
    """What runs were asked for that have not been saved so far, by the names of their folders, in a file."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._changing = threading.Lock()

    def _read(self) -> dict[str, Any]:
        path = self.folder.inside(FILE)
        if not path.exists():
            return {}
        try:
            found = from_json(read_at_most(path, LARGEST, "the runs that wait"), path)
        except DAMAGE:
            found = None
        if not isinstance(found, dict):
            raise RueError(f"{path} is damaged: delete it, the runs that wait in it are lost")
        return found

    def _write(self, found: dict[str, Any]) -> None:
        left = {name: asked for name, asked in found.items() if not (self.folder.path / name / INSIDE).is_file()}
        write_atomically(self.folder.inside(FILE), (json.dumps(left, indent=1) + "\n").encode())

    def keep(self, path: Path, asked: NewRun) -> None:
        """Remember what a run was asked for, until it is on the disk; nothing of one that has no words."""
        if asked.spot is None and asked.game is None:
            return
        with self._changing:
            self._write({**self._read(), path.name: {**vars(asked), "name": path.name}})

    def drop(self, path: Path) -> None:
        """Forget a run that nobody wants any more."""
        with self._changing:
            found = self._read()
            if found.pop(path.name, None) is not None:
                self._write(found)

    def left(self) -> list[NewRun]:
        """The runs of an earlier server, not of one that is still there; their empty folders are given up."""
        asked = []
        for name, each in self._read().items():
            with contextlib.suppress(RueError):  # somebody else wrote the file, or has the folder
                path = self.folder.inside(name)
                if not (path / INSIDE).is_file():
                    Home(path, new=False).close()
                    asked.append(read(NewRun, each))
                    with contextlib.suppress(OSError):
                        path.rmdir()
        return asked
