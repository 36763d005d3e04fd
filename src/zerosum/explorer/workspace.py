"""The folder of the explorer: runs, spots, ranges and reports. Nothing outside of it is read or written."""

from __future__ import annotations

import json
import re
from collections.abc import Container
from pathlib import Path
from typing import Any

from zerosum.explorer.file_access import spot_from_request
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots import files
from zerosum.holdem.spots.spot import Spot
from zerosum.holdem.study.report import Report
from zerosum.runs.run_location import RUN_FILE
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most, read_text_file, write_atomically

NAME = re.compile(r"[\w][\w .,+()-]{0,79}")
"""Names of runs, spots and ranges: letters, digits and a few marks, no separators of paths."""
RANGES = "ranges.json"
REPORT = "report.json"
"""The file that `zerosum report --out` writes."""
MAX_REPORT_BYTES = 64 << 20
MAX_RANGES_BYTES = 4 << 20


class Workspace:
    """A folder with runs (folders with a run in them), spots (.toml) and named ranges (ranges.json)."""

    def __init__(self, path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
            self.path = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise ZerosumError(f"cannot use the folder {path}: {getattr(error, 'strerror', None) or error}") from None

    def get_safe_path(self, name: str, suffix: str = "") -> Path:
        """Return the path of a name; raise if it would lead out of the folder."""
        _check_name(name)
        path = self.path / f"{name}{suffix}"
        if path.is_symlink() or path.resolve().parent != self.path:
            raise ZerosumError(f"{name!r} leads out of the folder {self.path}")
        return path

    def list_run_folders(self) -> list[Path]:
        """Return the folders that hold a run, the oldest first."""
        folders = [path for path in self.path.iterdir() if not path.is_symlink() and (path / RUN_FILE).is_file()]
        return sorted(folders, key=lambda path: (path / RUN_FILE).stat().st_mtime)

    def find_free_path(self, name: str, taken: Container[Path] = ()) -> Path:
        """Return the path of a new run: its name without other marks, with a number if it is taken."""
        plain = re.sub(r"[^\w .,+()-]+", " ", name).strip(" .")[:60].strip() or "run"
        for number in range(1, 100_000):
            path = self.get_safe_path(plain if number == 1 else f"{plain} {number}")
            if not path.exists() and path not in taken:
                return path
        raise ZerosumError(f"there are too many runs called {plain!r}")

    def list_report_names(self) -> list[str]:
        """Return the names of the folders that hold a report; the workspace itself may hold one, too."""
        folders = [path.name for path in self.path.iterdir() if path.is_dir() and not path.is_symlink()]
        names = sorted(name for name in folders if NAME.fullmatch(name) and _is_regular_file(self.path / name / REPORT))
        return [REPORT, *names] if _is_regular_file(self.path / REPORT) else names

    def load_report(self, name: str) -> Report:
        """Return a report by the name of its folder, or that of the workspace itself by the name of its file."""
        path = self.get_safe_path(name) if name == REPORT else self.get_safe_path(name) / REPORT
        if not _is_regular_file(path):
            raise ZerosumError(f"there is no report called {name!r} in {self.path}")
        if path.stat().st_size > MAX_REPORT_BYTES:
            raise ZerosumError(f"{path} is too large to be a report")
        return Report.load(path)

    def list_spot_names(self) -> list[str]:
        """Return the names of the saved spots."""
        names = [path.stem for path in self.path.glob("*.toml") if _is_regular_file(path)]
        return sorted(name for name in names if NAME.fullmatch(name))

    def load_spot(self, name: str) -> Spot:
        path = self.get_safe_path(name, ".toml")
        if not path.is_file():
            raise ZerosumError(f"there is no spot called {name!r} in {self.path}")
        return spot_from_request(files.parse_spot_text(read_text_file(path, "the spot"), str(path)))

    def save_spot(self, name: str, spot: Spot) -> None:
        """Save a spot in a file that `zerosum solve` reads, too."""
        files.write_spot(spot, self.get_safe_path(name, ".toml"))

    def delete_spot(self, name: str) -> None:
        self.get_safe_path(name, ".toml").unlink(missing_ok=True)

    def load_ranges(self) -> dict[str, str]:
        """Return the saved ranges as text, by name."""
        path = self.get_safe_path(RANGES)
        if not path.exists():
            return {}
        text = read_at_most(path, MAX_RANGES_BYTES, "the ranges")
        try:
            ranges: Any = parse_json(text, path)
            if not isinstance(ranges, dict) or not all(isinstance(text, str) for text in ranges.values()):
                raise ValueError
        except DAMAGE_ERRORS:
            raise ZerosumError(
                f"{path} is not a file of ranges: it must be one JSON object of names and texts"
            ) from None
        return dict(sorted(ranges.items()))

    def save_range(self, name: str, text: str | None) -> dict[str, str]:
        """Save a range under a name, or delete it; return all ranges."""
        _check_name(name)
        ranges = self.load_ranges()
        if text is None:
            ranges.pop(name, None)
        else:
            ranges[name] = Range.parse(text).to_text()
        write_atomically(self.get_safe_path(RANGES), (json.dumps(ranges, indent=1, ensure_ascii=False) + "\n").encode())
        return self.load_ranges()


def _check_name(name: str) -> None:
    """Raise if a text cannot be the name of a run, a spot or a range."""
    if NAME.fullmatch(name) is None or name != name.strip() or name.endswith("."):
        raise ZerosumError(f"{name[:90]!r} cannot be a name: use letters, digits, spaces and - _ . , + ( )")


def _is_regular_file(path: Path) -> bool:
    """Return whether a path is a file and not a link."""
    return path.is_file() and not path.is_symlink()
