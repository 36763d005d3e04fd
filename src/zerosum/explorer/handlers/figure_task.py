"""A figure of the papers as a background task: its runs, and its lines as far as they are computed."""

from __future__ import annotations

import math
from bisect import bisect_left
from pathlib import Path
from typing import Any

from zerosum.explorer.workspace import Workspace
from zerosum.jobs.job import Job
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.task import Task, TaskState
from zerosum.papers.curve import Curve, combine_runs
from zerosum.papers.curve_job import CurveJob, CurveSpec, open_curve_store
from zerosum.papers.figure import Figure, FigureLimits, Scale
from zerosum.papers.problems import ProblemCache
from zerosum.papers.reproduction import (
    FigureResult,
    build_result,
    decode_outcome,
    list_specs,
    plan_runs,
    write_files,
)
from zerosum.runs.progress import TaskProgress
from zerosum.support.errors import ZerosumError

FOLDER = "figures"
"""In the workspace: figures and their curves."""
SCALE: Scale = "quick"
"""The scale of the figures that the page runs."""
PartialLines = dict[str, dict[str, tuple[Curve, bool]]]
"""Panel -> label -> the curve as far as it is known, and whether that is all of it."""


class FigureTask(Task):
    """A figure being run; its lines grow while their runs are in progress."""

    starting_state: TaskState = "running"

    def __init__(self, figure: Figure, limits: FigureLimits, folder: Path, libratus_folder: str | None = None) -> None:
        super().__init__(figure.key, figure.key)
        self.figure, self.folder = figure, folder
        self.problems = ProblemCache(libratus_folder)
        self.runs = plan_runs(figure, SCALE, limits)
        self.specs = list_specs(self.runs)
        self.progress = TaskProgress(0, len(self.specs))
        self.outcomes: dict[CurveSpec, Curve | ZerosumError] = {}
        self.points: dict[CurveSpec, list[tuple[float, float]]] = {}
        """The points of runs in progress."""
        self._runner = JobRunner(store=open_curve_store(folder), job_report=self.add_point)

    def work(self, seconds: float | None) -> TaskState:
        """Run what is missing, judge the figure and write its numbers; the page draws it."""
        for job, result in self._runner.run([self.problems.build_job(spec) for spec in self.specs]):
            self.outcomes[job.spec] = decode_outcome(result)
            self.progress = TaskProgress(len(self.outcomes), len(self.specs))
            self.mark_changed()
        if self._runner.interrupted:
            return "stopped"
        write_files(self.figure, build_result(self.figure, self.runs, SCALE, self.outcomes), self.folder, ())
        return "done"

    def stop(self) -> bool:
        """Stop its runs; their progress is saved."""
        self._runner.stop()
        return super().stop()

    def add_point(self, job: Job, share: float, height: float) -> None:
        """Add the height of a run at the last point that it has passed."""
        assert isinstance(job, CurveJob)
        spec = job.spec
        passed = bisect_left(spec.points, share * spec.length) - 1
        if spec.x_axis is not None or passed < 0 or not math.isfinite(height):
            return
        points, x = self.points.setdefault(spec, []), float(spec.points[passed])
        if not points or points[-1][0] < x:
            points.append((x, height))
            self.mark_changed()

    def collect_lines(self) -> PartialLines:
        """Return every line as far as it is known: of several runs those that are done, or the longest in progress."""
        lines: PartialLines = {}
        for title, specs_by_label in self.runs.items():
            lines[title] = {}
            for label, specs in specs_by_label.items():
                done = [curve for curve in map(self.outcomes.get, specs) if isinstance(curve, Curve)]
                if done:
                    scaled = specs[0].payoff_scale != specs[-1].payoff_scale
                    lines[title][label] = combine_runs(label, done, scaled), len(done) == len(specs)
                    continue
                points = max((list(self.points.get(spec, ())) for spec in specs), key=len)
                if points:
                    x, y = zip(*points, strict=True)
                    lines[title][label] = Curve(label, specs[0].algorithm, x, y, y, y), False
        return lines

    def to_json(self) -> dict[str, Any]:
        state = {"key": self.key, "state": self.state, "error": self.error, "changes": self.version}
        return {**state, "done": self.progress.done, "of": self.progress.total}


def load_local_figure(workspace: Workspace, key: str) -> FigureResult | None:
    """Return a figure that was run in this workspace, or None."""
    path = workspace.get_safe_path(FOLDER) / f"{key}.json"
    return FigureResult.load(path) if path.is_file() and not path.is_symlink() else None
