"""Reports: a decision of a run on every next card, and decisions on many flops, each solved and stored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from zerosum.explorer.file_access import refuse_file_names, spot_from_request
from zerosum.explorer.handler import Explorer, LatestRequest, route
from zerosum.explorer.holdem.json_columns import report_to_json
from zerosum.explorer.holdem.walk import find_spot_result, split_line
from zerosum.explorer.requests import LimitRequest
from zerosum.explorer.workspace import REPORT, Workspace
from zerosum.holdem.cards.flops import list_flop_lists, parse_flops
from zerosum.holdem.study.report import ANY_CARD, Report, report_on_cards
from zerosum.holdem.study.report_runner import report
from zerosum.jobs.job import StopFlag
from zerosum.jobs.store import LOCK_FILE, SUBFOLDER
from zerosum.jobs.task import Task, TaskState
from zerosum.jobs.workers import Workers
from zerosum.runs.progress import TaskProgress
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option

FLOP = re.compile(r"([2-9TJQKA][shdc]){3}([\s:]+[\d.]+)?", re.IGNORECASE)
"""A flop as it is typed, with its weight; any other text would be the name of a file."""
DEFAULT_UNTIL = "0.5%"
REPORT_FILES = {REPORT, "report.csv", SUBFOLDER, LOCK_FILE}
"""What a report leaves in its folder."""


@dataclass(frozen=True)
class ReportRequest(LimitRequest):
    """A report: of a spot that starts on the flop, over a list of flops or over those that are typed.

    Each flop is solved to `until`, or to the first of the other limits. One that was stopped is continued by its name.
    """

    spot: dict[str, Any]
    flops: str
    line: str = ""
    algorithm: str | None = None
    name: str = ""

    @property
    def limits(self) -> dict[str, Any]:
        """The limits of each solve."""
        limits = super().limits
        return limits if any(value is not None for value in limits.values()) else {"until": DEFAULT_UNTIL}


class ReportTask(Task):
    """A report over flops in progress."""

    starting_state: TaskState = "running"

    def __init__(self, workspace: Workspace, request: ReportRequest) -> None:
        if request.algorithm is not None:
            refuse_file_names(request.algorithm)
        _refuse_flop_files(request.flops)
        self.path, self.report_request = _choose_report_folder(workspace, request), request
        self.spot = spot_from_request(request.spot)
        self.flops = parse_flops(request.flops)
        if self.spot.street != 0:
            raise ZerosumError(f"{self.spot} does not start on the flop: flops need the bets of all streets")
        super().__init__(self.path.name, f"the report {self.path.name}")
        self.progress = TaskProgress(0, len(self.flops))
        self._stop_flag = StopFlag()

    def work(self, seconds: float | None) -> TaskState:
        """Solve the spot on every flop that was not solved before."""
        workers = Workers(processes=True, progress=self._show_progress, stop=self._stop_flag)
        request = self.report_request
        options: dict[str, Any] = {"out": self.path, "executor": workers, **request.limits}
        line = " ".join(request.line.split(","))
        try:
            result = report(self.spot, request.algorithm, line=line, flops=self.flops, **options)
        except ZerosumError:
            self.progress = TaskProgress(0, len(self.flops))
            if self.request == "stop":
                return "stopped"
            raise
        self.progress = TaskProgress(len(self.flops) - result.unfinished, len(self.flops))  # stopped solves are missing
        return "stopped" if result.unfinished else "done"

    def _show_progress(self, progress: TaskProgress) -> None:
        before, self.progress = self.progress, progress
        if (before.done, before.total, before.running) != (progress.done, progress.total, progress.running):
            self.mark_changed()

    def stop(self) -> bool:
        """Stop its solves; flops that are solved are kept."""
        super().stop()
        self._stop_flag.set()  # the workers see it, and remove it at the end
        return False

    def to_json(self) -> dict[str, Any]:
        progress = self.progress
        state = {"name": self.path.name, "state": self.state, "error": self.error, "changes": self.version}
        running = {"running": list(progress.running), "remaining": progress.remaining}
        return {**state, "done": progress.done, "of": progress.total, **running}


def _choose_report_folder(workspace: Workspace, request: ReportRequest) -> Path:
    """Return a new folder, or that of the report to continue."""
    path = workspace.get_safe_path(request.name) if request.name else workspace.find_free_path("flops")
    if path.exists() and not (path.is_dir() and {entry.name for entry in path.iterdir()} <= REPORT_FILES):
        raise ZerosumError(f"{path.name} in {workspace.path} is not a report: choose another name")
    return path


def _refuse_flop_files(text: str) -> None:
    """Raise if a text is neither the name of a list of flops nor flops."""
    parts = [part.strip() for part in re.split(r"[\n,;]", text) if part.strip()]
    if text.strip().lower() in list_flop_lists() or (parts and all(FLOP.fullmatch(part) for part in parts)):
        return
    lists = ", ".join(list_flop_lists())
    raise ZerosumError(f"there are no flops {text[:40]!r}: name a list ({lists}), or flops like Ks7h2d, 8c8d3h")


Format = Annotated[str, Option(choices=("data", "csv"))]
_LATEST_RUNOUTS = LatestRequest()


@route("GET", "/api/runs/{run}/runouts")
def report_on_runouts(explorer: Explorer, run: str, line: str = "", format: Format = "data") -> Any:
    """Return a decision of a run on every card that `*` stands for in its line."""
    words = split_line(line)
    if words.count(ANY_CARD) > 1:
        raise ZerosumError("a line may have only one *, which stands for one card")
    raise_if_superseded = _LATEST_RUNOUTS.begin(explorer, run)
    return _format_report(report_on_cards(find_spot_result(explorer, run), words, raise_if_superseded), format)


@route("GET", "/api/reports")
def list_reports(explorer: Explorer) -> Any:
    """Return the names of the reports in the workspace."""
    return explorer.workspace.list_report_names()


@route("POST", "/api/reports")
def start_report(explorer: Explorer, request: ReportRequest) -> Any:
    """Start a report over flops; the event stream shows its progress."""
    explorer.report_queue.check_idle()
    task = ReportTask(explorer.workspace, request)
    explorer.report_queue.submit_alone(task)
    return task.to_json()


@route("POST", "/api/reports/stop")
def stop_report(explorer: Explorer) -> Any:
    """Stop the report that is running; the flops that are solved are kept."""
    task = explorer.report_queue.latest
    if task is None or not task.is_active:
        raise ZerosumError("no report is running")
    task.stop()
    return task.to_json()


@route("POST", "/api/reports/resume")
def resume_report(explorer: Explorer) -> Any:
    """Continue the report that was stopped."""
    task = explorer.report_queue.latest
    if not isinstance(task, ReportTask) or task.state != "stopped":
        raise ZerosumError("there is no stopped report to resume: start a new one")
    return start_report(explorer, replace(task.report_request, name=task.path.name))


@route("GET", "/api/reports/{name}")
def show_report(explorer: Explorer, name: str, format: Format = "data") -> Any:
    """Return a report of the workspace."""
    return _format_report(explorer.workspace.load_report(name), format)


def _format_report(result: Report, format: str) -> dict[str, Any]:
    return {"text": result.to_csv()} if format == "csv" else report_to_json(result)
