"""Reports: a decision of a run on every next card; the reports of the workspace: make, stop, resume and show them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem import json_columns
from zerosum.explorer.holdem.report_task import ReportRequest, ReportTask
from zerosum.explorer.holdem.walk import split_line, spot_result
from zerosum.explorer.request_tickets import LatestRequest
from zerosum.explorer.requests import TextRequest, read, read_query
from zerosum.holdem.study.report import ANY_CARD, Report, report_on_cards
from zerosum.support.errors import ZerosumError

FORMATS = ("data", "csv")
_LATEST = LatestRequest()


def runouts(explorer: Explorer, request: Request) -> Any:
    """Return a decision of a run on every card that `*` stands for in its line."""
    text_request = read_query(TextRequest, request.body)
    line = split_line(text_request.line)
    if line.count(ANY_CARD) > 1:
        raise ZerosumError("a line may have only one *, which stands for one card")
    raise_if_superseded = _LATEST.begin(explorer, request)
    return _report_json(report_on_cards(spot_result(explorer, request), line, raise_if_superseded), text_request)


def reports(explorer: Explorer, request: Request) -> Any:
    """Return the names of the reports in the workspace."""
    return explorer.workspace.reports()


def new_report(explorer: Explorer, request: Request) -> Any:
    """Start a report over flops; the event stream shows its progress."""
    return _start(explorer, read(ReportRequest, request.body))


def _start(explorer: Explorer, report_request: ReportRequest) -> dict[str, Any]:
    explorer.report_queue.check_idle()
    task = ReportTask(explorer.workspace, report_request)
    explorer.report_queue.submit_alone(task)
    return task.to_json()


def stop_report(explorer: Explorer, request: Request) -> Any:
    """Stop the report that is running; the flops that are solved are kept."""
    task = explorer.report_queue.latest
    if task is None or not task.is_active:
        raise ZerosumError("no report is running")
    task.stop()
    return task.to_json()


def resume_report(explorer: Explorer, request: Request) -> Any:
    """Continue the report that was stopped."""
    task = explorer.report_queue.latest
    if not isinstance(task, ReportTask) or task.state != "stopped":
        raise ZerosumError("no report was stopped")
    return _start(explorer, replace(task.report_request, name=task.path.name))


def report(explorer: Explorer, request: Request) -> Any:
    """Return a report of the workspace."""
    return _report_json(explorer.workspace.report(request.path["name"]), read_query(TextRequest, request.body))


def _report_json(result: Report, text_request: TextRequest) -> dict[str, Any]:
    return {"text": result.to_csv()} if text_request.among(FORMATS) == "csv" else json_columns.report(result)


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/runouts"): runouts,
    ("GET", "/api/reports"): reports,
    ("POST", "/api/reports"): new_report,
    ("POST", "/api/reports/stop"): stop_report,
    ("POST", "/api/reports/resume"): resume_report,
    ("GET", "/api/reports/{name}"): report,
}
