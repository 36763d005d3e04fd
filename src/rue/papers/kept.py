"""Curves that were computed are kept, by run, data and code: a second drawing computes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from rue import __version__
from rue.disk import DAMAGE, from_json, read_at_most, remove_left, write_atomically
from rue.errors import RueError
from rue.machine import largest_text
from rue.papers.traces import Trace
from rue.results.points import check_number
from rue.sources import cache_folder, code_version


def curve_code() -> str:
    """A hash of the sources that a curve depends on."""
    return code_version("papers/jobs.py")


def version() -> str:
    """The version that computes curves now: that of the package, and the sources they depend on."""
    return f"{__version__}+{curve_code()[:8]}"


class CurveStore:
    """A folder of curves, one file each."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder() / "figures"

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def waiting(self, key: str) -> Path:
        """Where a run that is not over waits."""
        return self.folder / f"{key}.part"

    def load(self, key: str) -> Trace | None:
        """The curve of a key, if it is there and whole."""
        try:
            return trace(from_json(read_at_most(self._path(key), largest_text()), key))
        except DAMAGE:
            return None

    def check(self) -> None:
        """Refuse a folder that cannot be written, before the runs whose curves it is to keep, and clear it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.folder):
                pass
            remove_left(self.folder)
        except OSError as error:
            said = f"cannot keep curves in {self.folder}: {error.strerror or error}"
            raise RueError(f"{said}; $RUE_CACHE_DIR names another folder for what is kept") from None

    def store(self, key: str, found: Trace) -> None:
        """Keep a curve."""
        write_atomically(self._path(key), json.dumps(found.content()).encode())
        self.waiting(key).unlink(missing_ok=True)


def trace(content: dict[str, Any]) -> Trace:
    """A curve from what `asdict` made of it."""
    fields = {"low": content["y"], "high": content["y"], **content}
    for name in ("x", "y", "low", "high"):
        fields[name] = tuple(map(check_number, fields[name]))
    fields["runs"] = tuple(tuple(map(check_number, run)) for run in fields["runs"])
    for number in (fields.get("seconds", 0.0), *fields.get("notes", {}).values()):
        check_number(number)
    lists = [*(fields[name] for name in ("x", "y", "low", "high")), *fields["runs"]]
    if not fields["x"] or len({len(numbers) for numbers in lists}) > 1:
        raise ValueError("a curve has no points, or not all of them")
    return Trace(**fields)
