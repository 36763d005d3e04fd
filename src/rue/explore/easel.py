"""The figures of the papers as a page draws them: one at a time is run, its lines grow, and what is done is kept."""

from __future__ import annotations

import math
import threading
from bisect import bisect_left
from pathlib import Path
from typing import Any, Literal

from rue.errors import RueError
from rue.errors import told as told_error
from rue.explore.folder import Folder
from rue.papers.figure import Figure, Most, Scale
from rue.papers.jobs import Job
from rue.papers.kept import CurveStore
from rue.papers.make import Made, jobs_of, make, write
from rue.papers.traces import Trace, of_runs
from rue.papers.work import Work
from rue.runs.many import Standing

FOLDER = "figures"
"""Of the chosen folder: figures, and the curves they are made of."""
SCALE: Scale = "quick"
"""How long the runs of a page are at most."""
Lines = dict[str, dict[str, tuple[Trace, bool]]]
"""Panel -> label -> the curve as far as it is known, and whether that is all of it."""


class Going:
    """A figure on its way; who works on it tells it how far its runs are."""

    def __init__(self, figure: Figure, most: Most, work: Work) -> None:
        self.figure, self.most, self.work = figure, most, work
        self.state: Literal["running", "stopped", "done", "failed"] = "running"
        self.error = ""
        self.jobs = {panel.title: jobs_of(figure, panel, SCALE, most) for panel in figure.panels}
        self.count = len(dict.fromkeys(self.every()))
        self.ended: dict[Job, Trace | None] = {}
        self.points: dict[Job, list[tuple[float, float]]] = {}
        """Of runs on their way."""
        self.changes = 0

    def every(self) -> list[Job]:
        """All runs."""
        return [job for lines in self.jobs.values() for jobs in lines.values() for job in jobs]

    def started(self, job: Job) -> None:
        """A run starts."""

    def going(self, job: Job, share: float, height: float) -> None:
        """A run has done a share of its way; its curve is this high at the last point that it has passed."""
        passed = bisect_left(job.points, share * job.length) - 1
        if job.along is not None or passed < 0 or not math.isfinite(height):
            return
        points, x = self.points.setdefault(job, []), float(job.points[passed])
        if not points or points[-1][0] < x:
            points.append((x, height))
            self.changes += 1

    def done(self, job: Job, left: int) -> None:
        """A run is over."""
        self.changes += 1

    def standing(self, at: Standing) -> None:
        """Runs are not made elsewhere."""

    def work_off(self, folder: Path) -> None:
        """Run what is missing, judge the figure and write its numbers."""
        try:
            for done in self.work.run(self.every(), self):
                self.ended[done.job] = done.trace
                self.changes += 1
            (made,) = make([self.figure], SCALE, self.work, self.most)
            write(self.figure, made, folder, kinds=())  # the page draws it
            self.state = "done"
        except KeyboardInterrupt:
            self.state = "stopped"
        except Exception as error:
            self.state, self.error = "failed", told_error(error)
        self.changes += 1

    def lines(self) -> Lines:
        """Every line as far as it is known: of several runs those that are done, or one that is on its way."""
        found: Lines = {}
        for title, lines in self.jobs.items():
            found[title] = {}
            for label, jobs in lines.items():
                known = [trace for trace in map(self.ended.get, jobs) if trace is not None]
                if known:
                    found[title][label] = (
                        of_runs(label, known, jobs[0].payoffs != jobs[-1].payoffs),
                        len(known) == len(jobs),
                    )
                    continue
                points = max((list(self.points.get(job, ())) for job in jobs), key=len)
                if points:
                    x, y = zip(*points, strict=True)
                    found[title][label] = Trace(label, jobs[0].algorithm, x, y, y, y), False
        return found

    def told(self) -> dict[str, Any]:
        """How far it is, ready for JSON."""
        about = {"key": self.figure.key, "state": self.state, "error": self.error}
        return {**about, "done": len(self.ended), "of": self.count, "changes": self.changes}


class Easel:
    """Where figures are drawn, one at a time; what was done is found again in the folder."""

    def __init__(self, folder: Folder, data: str | None = None) -> None:
        """`data` is the folder of the Libratus endgames, which only the command line names."""
        self.folder, self.data = folder, data
        self.now: Going | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, figure: Figure, most: Most) -> None:
        """Run a figure; one that was stopped goes on."""
        if figure.needs_libratus and self.data is None:
            raise RueError(f"{figure.key} needs the files of the Libratus endgames: start rue explore --data FOLDER")
        with self._lock:
            if self.now is not None and self.now.state == "running":
                raise RueError(f"{self.now.figure.key} is being run: wait for it, or stop it first")
            path = self._place()
            going = self.now = Going(figure, most, Work(self.data, store=CurveStore(path)))
            self._thread = threading.Thread(
                target=going.work_off, args=(path,), daemon=True, name="rue explore: figure"
            )
            self._thread.start()

    def stop(self) -> None:
        """Stop what is run; what was reached is kept."""
        if self.now is not None:
            self.now.work.stop()

    def close(self) -> None:
        """The same, and wait for it."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def made(self, key: str) -> Made | None:
        """A figure that was finished here."""
        path = self._place() / f"{key}.json"
        return Made.load(path) if path.is_file() and not path.is_symlink() else None

    def _place(self) -> Path:
        return self.folder.inside(FOLDER)
