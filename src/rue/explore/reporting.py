"""Reports: a decision of a run on every card that may come, and the reports of the folder."""

from __future__ import annotations

from typing import Any

from rue.errors import RueError, nearest
from rue.explore import wire
from rue.explore.asked import ReportAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.newest import Newest
from rue.explore.walking import spot_result, words_of
from rue.views.report import ANY, Report, on_cards

FORMATS = ("data", "csv")
_NEWEST = Newest()


def runouts(explorer: Explorer, request: Request) -> Any:
    """A decision of a run on every card that `*` stands for in its line."""
    asked = read(ReportAsked, request.query)
    line = words_of(asked.line)
    if line.count(ANY) > 1:
        raise RueError("one card at a time: write one * into the line")
    still = _NEWEST.check(explorer, request)
    return _told(on_cards(spot_result(explorer, request), line, still), asked)


def reports(explorer: Explorer, request: Request) -> Any:
    """The names of the reports in the folder."""
    return explorer.folder.reports()


def report(explorer: Explorer, request: Request) -> Any:
    """A report of the folder."""
    return _told(explorer.folder.report(request.parts["name"]), read(ReportAsked, request.query))


def _told(found: Report, asked: ReportAsked) -> dict[str, Any]:
    if asked.format not in FORMATS:
        raise RueError(f"there is no format {asked.format[:20]!r}; {nearest(asked.format[:20], FORMATS)}")
    return {"text": found.csv()} if asked.format == "csv" else wire.report(found)


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/runouts"): runouts,
    ("GET", "/api/reports"): reports,
    ("GET", "/api/reports/{name}"): report,
}
