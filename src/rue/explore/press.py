"""The report that a page makes: a decision of a spot on many flops, solved in processes and kept in the folder."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from rue.errors import RueError, told
from rue.explore.allowed import refuse_files, spot_asked
from rue.explore.folder import REPORT, Folder
from rue.holdem.flops import flops_named, names
from rue.records import dataclass
from rue.runs.many import Standing, Stop, Workers
from rue.studies.report import report

FLOP = re.compile(r"([2-9TJQKA][shdc]){3}([\s:]+[\d.]+)?", re.IGNORECASE)
"""A flop as it is typed, with its weight; other texts would be names of files."""
UNTIL = "0.5%"
LEFT = {REPORT, "report.csv", "solved"}
"""What a report leaves in its folder."""


@dataclass(frozen=True)
class NewReport:
    """A report to be made: of a spot that begins on a flop, on a list of flops or on those that are typed.

    Each flop is solved to `until`, or to the first of the other limits. One that was stopped goes on under its name.
    """

    spot: dict[str, Any]
    flops: str
    line: str = ""
    algorithm: str | None = None
    until: float | str | None = None
    iterations: int | None = None
    seconds: float | None = None
    name: str = ""

    def limits(self) -> dict[str, Any]:
        """When a solve ends."""
        given = {"until": self.until, "iterations": self.iterations, "seconds": self.seconds}
        return given if any(value is not None for value in given.values()) else {"until": UNTIL}


class Making:
    """A report on its way."""

    def __init__(self, path: Path, asked: NewReport) -> None:
        self.path, self.asked = path, asked
        self.spot = spot_asked(asked.spot)
        self.flops = flops_named(asked.flops)
        self.state: Literal["running", "stopped", "done", "failed"] = "running"
        self.error = ""
        self.stop = Stop()
        """Seen by the workers, who take it down at the end."""
        self.stopping = False
        self.changes = 0
        self.standing = Standing(0, len(self.flops))
        self.thread = threading.Thread(target=self._work, daemon=True, name="rue explore: report")

    def _progressed(self, at: Standing) -> None:
        before, self.standing = self.standing, at
        self.changes += (before.done, before.count, before.running) != (at.done, at.count, at.running)

    def _work(self) -> None:
        where = Workers(processes=True, progress=self._progressed, stop=self.stop)
        asked = self.asked
        try:
            limits = asked.limits()
            line = " ".join(asked.line.split(","))
            found = report(
                self.spot, asked.algorithm, line=line, flops=self.flops, out=self.path, executor=where, **limits
            )
            self.standing = Standing(
                len(self.flops) - found.missing, len(self.flops)
            )  # solves that were stopped are none
            self.state = "stopped" if found.missing else "done"
        except RueError as error:
            self.standing = Standing(0, len(self.flops))
            self.state, self.error = ("stopped", "") if self.stopping else ("failed", str(error))
        except Exception as error:
            self.state, self.error = "failed", told(error)
        self.changes += 1

    def told(self) -> dict[str, Any]:
        """How far it is, ready for JSON."""
        at = self.standing
        about = {"name": self.path.name, "state": self.state, "error": self.error, "changes": self.changes}
        return {**about, "done": at.done, "of": at.count, "running": list(at.running), "remaining": at.remaining}


class Press:
    """Where reports are made, one at a time."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.now: Making | None = None
        self._lock = threading.Lock()

    def start(self, asked: NewReport) -> Making:
        """Make a report; one that was stopped goes on."""
        if asked.algorithm is not None:
            refuse_files(asked.algorithm)
        _refuse_files_of_flops(asked.flops)
        with self._lock:
            if self.now is not None and self.now.state == "running":
                raise RueError(f"the report {self.now.path.name} is being made: wait for it, or stop it first")
            making = Making(self._place(asked), asked)
            if making.spot.street != 0:
                raise RueError(f"{making.spot} does not begin on a flop: flops need the bets of all streets")
            self.now = making
            making.thread.start()
        return making

    def _place(self, asked: NewReport) -> Path:
        """A folder of its own, or that of a report that is to go on."""
        path = self.folder.inside(asked.name) if asked.name else self.folder.new_run("flops")
        if path.exists() and not (path.is_dir() and {each.name for each in path.iterdir()} <= LEFT):
            raise RueError(f"{path.name} is something else in {self.folder.path}: choose another name")
        return path

    def go_on(self) -> Making:
        """Go on with the report that was stopped."""
        if self.now is None or self.now.state != "stopped":
            raise RueError("no report was stopped")
        return self.start(replace(self.now.asked, name=self.now.path.name))

    def stop(self) -> None:
        """Stop what is made; the flops that are solved are kept."""
        if self.now is not None and self.now.state == "running":
            self.now.stopping = True
            self.now.stop.set()

    def close(self) -> None:
        """The same, and wait for it."""
        self.stop()
        if self.now is not None:
            self.now.thread.join()


def _refuse_files_of_flops(text: str) -> None:
    """Refuse what is neither a list of flops nor flops."""
    parts = [part.strip() for part in re.split(r"[\n,;]", text) if part.strip()]
    if text.strip().lower() in names() or (parts and all(FLOP.fullmatch(part) for part in parts)):
        return
    listed = ", ".join(names())
    raise RueError(f"there are no flops {text[:40]!r}: name a list ({listed}), or flops like Ks7h2d, 8c8d3h")
