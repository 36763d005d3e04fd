"""Edit a decision of a solved spot, lock it and solve again, compare two runs."""

from __future__ import annotations

from typing import Any

from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem import json_columns
from zerosum.explorer.holdem.walk import split_line, spot_result
from zerosum.explorer.request_tickets import LatestRequest
from zerosum.explorer.requests import CompareRequest, EditRequest, LockedRun, LockRequest, NewRun, read
from zerosum.holdem.solution.result import SpotResult, require_spot_result
from zerosum.holdem.study.comparison import Comparison
from zerosum.holdem.study.lock_draft import HandEdit, LockDraft
from zerosum.jobs.task import ACTIVE, WAITING
from zerosum.problems.registry import problem
from zerosum.results.table import page_digits
from zerosum.runs.diff import diff
from zerosum.support.errors import ZerosumError

MAX_EDITS = 1326
"""Edits of a decision, and locked decisions."""
MAX_ROWS = 30
"""Decisions in a list of differences."""
_LATEST = LatestRequest()


def preview_lock(explorer: Explorer, request: Request) -> Any:
    """Return a decision after edits, which of its hands are locked, and the immediate cost of that."""
    lock_request = read(LockRequest, request.body)
    result = spot_result(explorer, request)
    with result.solution.solver.lock:
        draft = _draft(result, lock_request)
        table = draft.table
        if not table.reach.any():
            raise ZerosumError("no hand gets here")
        decision = table.content(digits=page_digits(table.pot))
    return {"text": draft.text, "ev_cost": draft.ev_cost, "decision": decision}


def solve_with_locks(explorer: Explorer, request: Request) -> Any:
    """Start a run of the same spot with locked decisions; it waits for its turn."""
    run_request = read(LockedRun, request.body)
    run = explorer.runs.find(request.path["run"])
    if run.state in (*ACTIVE, *WAITING):
        raise ZerosumError("the run is still running: stop it first, so that the locks start from a fixed solution")
    result = spot_result(explorer, request)
    if not run_request.locks or len(run_request.locks) > MAX_EDITS:
        raise ZerosumError(f"lock at least one decision, and at most {MAX_EDITS}")
    drafts = [_draft(result, read(LockRequest, lock)) for lock in run_request.locks]
    locks = {place: strategy for draft in drafts for place, strategy in draft.lock.items()}
    if len(locks) < len(drafts):
        raise ZerosumError("a decision is locked twice: put its edits together")
    half = bool(run.summary is not None and run.summary.problem.get("half"))
    locked = problem(result.spot, half=half, locks=locks, unlocked=result)
    new_run = NewRun(name=run_request.name or f"{run.path.name}, locked", **run_request.limits)
    return explorer.runs.start_problem(locked, new_run).to_json()


def _draft(result: SpotResult, lock_request: LockRequest) -> LockDraft:
    if len(lock_request.edits) > MAX_EDITS:
        raise ZerosumError(f"a decision has at most {MAX_EDITS} edits")
    edits = [read(EditRequest, edit) for edit in lock_request.edits]
    for edit in edits:
        if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in edit.mix.values()):
            raise ZerosumError("a mix is an object of actions and numbers between 0 and 1")
    hand_edits = [HandEdit(edit.hands, edit.mix) for edit in edits]
    return LockDraft.of(result, split_line(lock_request.line), hand_edits, lock_request.keep)


def compare(explorer: Explorer, request: Request) -> Any:
    """Return a decision in two runs of the same spot, side by side."""
    body = read(CompareRequest, request.body)
    after, before = spot_result(explorer, request), require_spot_result(explorer.runs.result(body.before))
    price = None if after.price is None else after.price.content()
    comparison = json_columns.comparison(Comparison.of(before, after, split_line(body.line)))
    return {**comparison, "locks": list(after.locks), "price": price}


def differences(explorer: Explorer, request: Request) -> Any:
    """Return the decisions in which two runs of a spot differ most, weighted by reach."""
    body = read(CompareRequest, request.body)
    after, before = spot_result(explorer, request), require_spot_result(explorer.runs.result(body.before))
    progress, line = _LATEST.begin(explorer, request), " ".join(split_line(body.line))
    return json_columns.differences(diff(before, after, top=MAX_ROWS, line=line, progress=progress))


HANDLERS: Handlers = {
    ("POST", "/api/runs/{run}/lock/preview"): preview_lock,
    ("POST", "/api/runs/{run}/lock"): solve_with_locks,
    ("GET", "/api/runs/{run}/compare"): compare,
    ("GET", "/api/runs/{run}/differences"): differences,
}
