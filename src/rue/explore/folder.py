"""The chosen folder: runs, spots and ranges lie in it, and nothing outside of it is read or written."""

from __future__ import annotations

import json
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

from rue.disk import DAMAGE, from_json, read_at_most, text_of, write_atomically
from rue.errors import RueError
from rue.explore.allowed import spot_asked
from rue.holdem import files
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.runs.home import INSIDE
from rue.views.report import Report

NAME = re.compile(r"[\w][\w .,+()-]{0,79}")
"""What runs, spots and ranges may be called: letters, digits and a few marks, no separators of paths."""
RANGES = "ranges.json"
REPORT = "report.json"
"""What `rue report --out` leaves in its folder."""
LARGEST_REPORT = 64 << 20
LARGEST = 4 << 20
"""Bytes of a file of ranges."""


class Folder:
    """A folder with runs (folders with a run in them), spots (.toml) and named ranges (ranges.json)."""

    def __init__(self, path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
            self.path = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise RueError(f"cannot use the folder {path}: {getattr(error, 'strerror', None) or error}") from None

    def inside(self, name: str, suffix: str = "") -> Path:
        """The path of a name; one that would lead out of the folder is refused."""
        check_name(name)
        path = self.path / f"{name}{suffix}"
        if path.is_symlink() or path.resolve().parent != self.path:
            raise RueError(f"{name!r} leads out of the folder {self.path}")
        return path

    def runs(self) -> list[Path]:
        """The folders that hold a run, oldest first."""
        found = [each for each in self.path.iterdir() if not each.is_symlink() and (each / INSIDE).is_file()]
        return sorted(found, key=lambda each: (each / INSIDE).stat().st_mtime)

    def new_run(self, wanted: str, taken: Container[Path] = ()) -> Path:
        """A place for a run that is not taken: its name is what is wanted, with a number if need be."""
        plain = re.sub(r"[^\w .,+()-]+", " ", wanted).strip(" .")[:60].strip() or "run"
        for number in range(1, 100_000):
            path = self.inside(plain if number == 1 else f"{plain} {number}")
            if not path.exists() and path not in taken:
                return path
        raise RueError(f"there are too many runs called {plain!r}")

    def reports(self) -> list[str]:
        """The folders that hold a report, by name; the folder itself may, too."""
        found = [each.name for each in self.path.iterdir() if each.is_dir() and not each.is_symlink()]
        held = sorted(name for name in found if NAME.fullmatch(name) and _plain(self.path / name / REPORT))
        return [REPORT, *held] if _plain(self.path / REPORT) else held

    def report(self, name: str) -> Report:
        """A report by the name of its folder."""
        path = self.inside(name) if name == REPORT else self.inside(name) / REPORT
        if not _plain(path):
            raise RueError(f"there is no report called {name!r} in {self.path}")
        if path.stat().st_size > LARGEST_REPORT:
            raise RueError(f"{path} is too large for a report")
        return Report.load(path)

    def spots(self) -> list[str]:
        """The names of the saved spots."""
        found = [each.stem for each in self.path.glob("*.toml") if each.is_file() and not each.is_symlink()]
        return sorted(name for name in found if NAME.fullmatch(name))

    def spot(self, name: str) -> Spot:
        """A saved spot."""
        path = self.inside(name, ".toml")
        if not path.is_file():
            raise RueError(f"there is no spot called {name!r} in {self.path}")
        return spot_asked(files.mapping_of(text_of(path, "the spot"), str(path)))

    def save_spot(self, name: str, found: Spot) -> None:
        """Save a spot; `rue solve` reads the file, too."""
        files.write_spot(found, self.inside(name, ".toml"))

    def remove_spot(self, name: str) -> None:
        """Forget a saved spot."""
        self.inside(name, ".toml").unlink(missing_ok=True)

    def ranges(self) -> dict[str, str]:
        """The saved ranges, texts by name."""
        path = self.inside(RANGES)
        if not path.exists():
            return {}
        text = read_at_most(path, LARGEST, "the ranges")
        try:
            found: Any = from_json(text, path)
            if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
                raise ValueError
        except DAMAGE:
            raise RueError(f"{path} is not a file of ranges: it must be one JSON object of names and texts") from None
        return dict(sorted(found.items()))

    def save_range(self, name: str, text: str | None) -> dict[str, str]:
        """Save a range under a name, or forget it; returns all of them."""
        if NAME.fullmatch(name) is None:
            raise RueError(
                f"{name[:90]!r} cannot be the name of a range: use letters, digits, spaces and - _ . , + ( )"
            )
        found = self.ranges()
        if text is None:
            found.pop(name, None)
        else:
            found[name] = Range.parse(text).to_text()
        write_atomically(self.inside(RANGES), (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
        return dict(sorted(found.items()))


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a run, a spot or a range."""
    if NAME.fullmatch(name) is None or name != name.strip() or name.endswith("."):
        raise RueError(f"{name[:90]!r} cannot be a name here: use letters, digits, spaces and - _ . , + ( )")


def _plain(path: Path) -> bool:
    """Whether a path is a file, and not one that leads elsewhere."""
    return path.is_file() and not path.is_symlink()
