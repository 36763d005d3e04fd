"""Edit a decision of a solved spot, lock it and solve again, compare two runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.explorer.handler import Explorer, LatestRequest, route
from zerosum.explorer.holdem import json_columns
from zerosum.explorer.holdem.walk import find_spot_result, split_line
from zerosum.explorer.requests import LimitRequest, NewRun, decode_request
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.study.comparison import compare_decision
from zerosum.holdem.study.lock_draft import HandEdit, LockDraft, draft_lock
from zerosum.jobs.task import ACTIVE, WAITING
from zerosum.problems.registry import problem
from zerosum.results.table import choose_page_digits
from zerosum.runs.diff import diff
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import is_number

MAX_EDITS = 1326
"""Edits of a decision, and locked decisions."""
MAX_ROWS = 30
"""Decisions in a list of differences."""
_LATEST_DIFFERENCES = LatestRequest()


@dataclass(frozen=True)
class EditRequest:
    """A strategy for some hands: `hands` is empty for all of them, `overall` for the range as a whole, or AKs, sets."""

    mix: dict[str, Any]
    hands: str = ""


@dataclass(frozen=True)
class LockRequest:
    """A decision to lock: its line, edits in their order, and whether other hands stay as they were solved."""

    line: str
    edits: list[Any]
    keep: bool = False


@dataclass(frozen=True)
class LockedRun(LimitRequest):
    """A run with locks, each as `LockRequest`, and where it ends."""

    locks: list[Any]
    name: str = ""


@route("POST", "/api/runs/{run}/lock/preview")
def preview_lock(explorer: Explorer, run: str, request: LockRequest) -> Any:
    """Return a decision after edits, which of its hands are locked, and the immediate cost of that."""
    result = find_spot_result(explorer, run)
    with result.solution.solver.lock:
        draft = _draft_lock(result, request)
        table = draft.table
        if not table.reach.any():
            raise ZerosumError("no hand reaches this decision: lock another one")
        decision = table.content(digits=choose_page_digits(table.pot))
    return {"text": draft.text, "ev_cost": draft.ev_cost, "decision": decision}


@route("POST", "/api/runs/{run}/lock")
def solve_with_locks(explorer: Explorer, run: str, request: LockedRun) -> Any:
    """Start a run of the same spot with locked decisions; it waits for its turn."""
    solved = explorer.runs.find(run)
    if solved.state in (*ACTIVE, *WAITING):
        raise ZerosumError("the run is still running: stop it first, so that the locks start from a fixed solution")
    result = find_spot_result(explorer, run)
    if not request.locks or len(request.locks) > MAX_EDITS:
        raise ZerosumError(f"lock at least one decision, and at most {MAX_EDITS}")
    drafts = [_draft_lock(result, decode_request(LockRequest, lock)) for lock in request.locks]
    locks = {place: strategy for draft in drafts for place, strategy in draft.lock.items()}
    if len(locks) < len(drafts):
        raise ZerosumError("a decision is locked twice: put its edits together")
    half = bool(solved.summary is not None and solved.summary.problem.get("half"))
    locked = problem(result.spot, half=half, locks=locks, unlocked=result)
    new_run = NewRun(name=request.name or f"{solved.path.name}, locked", **request.limits)
    return explorer.runs.start_problem(locked, new_run).to_json()


def _draft_lock(result: SpotResult, request: LockRequest) -> LockDraft:
    if len(request.edits) > MAX_EDITS:
        raise ZerosumError(f"a decision has at most {MAX_EDITS} edits")
    edits = [decode_request(EditRequest, edit) for edit in request.edits]
    if not all(is_number(share) for edit in edits for share in edit.mix.values()):
        raise ZerosumError("a mix must be an object of actions and numbers between 0 and 1")
    hand_edits = [HandEdit(edit.hands, edit.mix) for edit in edits]
    return draft_lock(result, split_line(request.line), hand_edits, request.keep)


@route("GET", "/api/runs/{run}/compare")
def compare_runs(explorer: Explorer, run: str, before: str, line: str = "") -> Any:
    """Return a decision in two runs of the same spot, side by side."""
    later, earlier = find_spot_result(explorer, run), find_spot_result(explorer, before)
    price = None if later.price is None else later.price.to_json()
    comparison = json_columns.comparison_to_json(compare_decision(earlier, later, split_line(line)))
    return {**comparison, "locks": list(later.locks), "price": price}


@route("GET", "/api/runs/{run}/differences")
def find_differences(explorer: Explorer, run: str, before: str, line: str = "") -> Any:
    """Return the decisions in which two runs of a spot differ most, weighted by reach."""
    later, earlier = find_spot_result(explorer, run), find_spot_result(explorer, before)
    progress, words = _LATEST_DIFFERENCES.begin(explorer, run), " ".join(split_line(line))
    return json_columns.differences_to_json(diff(earlier, later, top=MAX_ROWS, line=words, progress=progress))
