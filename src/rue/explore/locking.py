"""Locking decisions of a solved spot: what edits make of one, a run with what was locked, before and after."""

from __future__ import annotations

from typing import Any

from rue.errors import RueError
from rue.explore import wire
from rue.explore.asked import CompareAsked, EditAsked, LockAsked, LockedRun, NewRun, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.newest import Newest
from rue.explore.session import WAITING, WORKING
from rue.explore.walking import spot_result, words_of
from rue.problems.find import problem
from rue.problems.spot_edits import Edit, EditedDecision
from rue.results.spot import SpotResult
from rue.studies.diff import diff
from rue.views.compared import Compared
from rue.views.decision import DecisionView

MOST = 1326
"""Edits of a decision, and decisions that are locked."""
ROWS = 30
"""Decisions that are told in which runs differ."""
_NEWEST = Newest()


def edited(explorer: Explorer, request: Request) -> Any:
    """A decision as edits make it, which of its hands are locked, and what that costs at once."""
    asked = read(LockAsked, request.data)
    result = spot_result(explorer, request)
    with result.solution.solver.turns:
        found = _edited(result, asked)
        view = wire.decision(DecisionView.shows(found.point, result.spot))
    told = {"text": found.told, "costs": found.costs, "locked": wire.flags(found.before, found.locked)}
    return {**told, "decision": view}


def lock(explorer: Explorer, request: Request) -> Any:
    """A new run of the same spot with decisions locked; it waits for its turn."""
    asked = read(LockedRun, request.data)
    workshop = explorer.workshop
    session = workshop.get(request.parts["run"])
    if session.state in (*WORKING, *WAITING):
        raise RueError("the run is on its way: stop it first, so that there is one solution without locks")
    result = spot_result(explorer, request)
    if not asked.locks or len(asked.locks) > MOST:
        raise RueError(f"lock at least one decision, and at most {MOST}")
    found = [_edited(result, read(LockAsked, each)) for each in asked.locks]
    locks = {place: strategy for each in found for place, strategy in each.lock.items()}
    if len(locks) < len(found):
        raise RueError("a decision is locked twice: put its edits together")
    half = bool(session.standing is not None and session.standing.problem.get("half"))
    locked = problem(result.spot, half=half, locks=locks, unlocked=result)
    limits = {"until": asked.until, "iterations": asked.iterations, "seconds": asked.seconds}
    return workshop.begin(locked, NewRun(name=asked.name or f"{session.path.name}, locked", **limits)).view()  # type: ignore[arg-type]


def _edited(result: SpotResult, asked: LockAsked) -> EditedDecision:
    if len(asked.edits) > MOST:
        raise RueError(f"a decision has at most {MOST} edits")
    edits = [read(EditAsked, each) for each in asked.edits]
    for each in edits:
        if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in each.mix.values()):
            raise RueError("a mix is an object of actions and numbers between 0 and 1")
    return EditedDecision.of(result, words_of(asked.line), [Edit(each.hands, each.mix) for each in edits], asked.keep)


def _before(explorer: Explorer, asked: CompareAsked) -> SpotResult:
    found = explorer.workshop.result(asked.before)
    if not isinstance(found, SpotResult):
        raise RueError(f"{found.game} is not a hold'em spot")
    return found


def compare(explorer: Explorer, request: Request) -> Any:
    """A decision in two runs of the same spot, side by side."""
    asked = read(CompareAsked, request.data)
    after, before = spot_result(explorer, request), _before(explorer, asked)
    price = None if after.price is None else after.price.content()
    found = wire.compared(Compared.of(before, after, words_of(asked.line)))
    return {**found, "locks": list(after.locks), "price": price}


def differences(explorer: Explorer, request: Request) -> Any:
    """The decisions in which two runs of a spot differ most, times how often play gets there."""
    asked = read(CompareAsked, request.data)
    after, before = spot_result(explorer, request), _before(explorer, asked)
    still = _NEWEST.check(explorer, request)
    found = diff(before, after, top=ROWS, line=" ".join(words_of(asked.line)), progress=still)
    return wire.differences(found)


HANDLERS: Handlers = {
    ("POST", "/api/runs/{run}/edited"): edited,
    ("POST", "/api/runs/{run}/lock"): lock,
    ("GET", "/api/runs/{run}/compare"): compare,
    ("GET", "/api/runs/{run}/differences"): differences,
}
