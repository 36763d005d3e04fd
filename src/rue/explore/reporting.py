"""Reports: a decision of a run on every card that may come, and the reports of the folder."""

from __future__ import annotations

from typing import Any

from rue.errors import RueError
from rue.explore import wire
from rue.explore.asked import TextAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.newest import Newest
from rue.explore.press import NewReport
from rue.explore.walking import spot_result, words_of
from rue.views.report import ANY, Report, on_cards

FORMATS = ("data", "csv")
_NEWEST = Newest()


def runouts(explorer: Explorer, request: Request) -> Any:
    """A decision of a run on every card that `*` stands for in its line."""
    asked = read(TextAsked, request.query)
    line = words_of(asked.line)
    if line.count(ANY) > 1:
        raise RueError("one card at a time: write one * into the line")
    still = _NEWEST.check(explorer, request)
    return _told(on_cards(spot_result(explorer, request), line, still), asked)


def reports(explorer: Explorer, request: Request) -> Any:
    """The names of the reports in the folder."""
    return explorer.folder.reports()


def new_report(explorer: Explorer, request: Request) -> Any:
    """Make a report over flops; how far it is is told by the stream of events."""
    return explorer.press.start(read(NewReport, request.data)).told()


def stop_report(explorer: Explorer, request: Request) -> Any:
    """Stop the report that is made; the flops that are solved are kept."""
    now = explorer.press.now
    if now is None or now.state != "running":
        raise RueError("no report is being made")
    explorer.press.stop()
    return now.told()


def continue_report(explorer: Explorer, request: Request) -> Any:
    """Go on with the report that was stopped."""
    return explorer.press.go_on().told()


def report(explorer: Explorer, request: Request) -> Any:
    """A report of the folder."""
    return _told(explorer.folder.report(request.parts["name"]), read(TextAsked, request.query))


def _told(found: Report, asked: TextAsked) -> dict[str, Any]:
    return {"text": found.csv()} if asked.among(FORMATS) == "csv" else wire.report(found)


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/runouts"): runouts,
    ("GET", "/api/reports"): reports,
    ("POST", "/api/reports"): new_report,
    ("POST", "/api/reports/stop"): stop_report,
    ("POST", "/api/reports/go"): continue_report,
    ("GET", "/api/reports/{name}"): report,
}
