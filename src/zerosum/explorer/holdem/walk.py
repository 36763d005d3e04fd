"""Walk through a solved spot: the requests of the page about points of the hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem import json_columns
from zerosum.explorer.requests import HandsRequest, LineRequest, TextRequest, read, read_query
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import hand_name, parse_board
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.solution.pio import format_pio_decision
from zerosum.holdem.solution.result import SpotResult, require_spot_result
from zerosum.holdem.study.line_steps import LineSteps
from zerosum.holdem.study.runouts import Runouts
from zerosum.results.table import SHARE_DIGITS, page_digits


def spot_result(explorer: Explorer, request: Request) -> SpotResult:
    """Return the result of the run in the address; raise an error if it is not of a spot."""
    result = explorer.runs.result(request.path["run"])
    return result if isinstance(result, SpotResult) else require_spot_result(result)


def split_line(line: str) -> tuple[str, ...]:
    """Return the words of a line as it stands in an address."""
    return tuple(word for word in line.split(",") if word.strip())


def walk(explorer: Explorer, request: Request) -> Any:
    """Return the steps of a line and the decision there; its EVs, which take longer, only if they are asked for."""
    query = read_query(LineRequest, request.body)
    solution, table = spot_result(explorer, request).solution, None
    with solution.solver.lock:  # all of one iteration; the rest may run while the solver goes on
        line = LineSteps.of(solution, split_line(query.line))
        if line.steps[-1].kind == "decision":
            table = solution.read_decision(line.line, with_ev=query.evs)
        iteration = solution.solver.iteration
    decision = None
    if table is not None and table.reach.any():
        decision = table.content(digits=page_digits(table.pot))
    return {**line.content(), "iteration": iteration, "decision": decision}


def cards(explorer: Explorer, request: Request) -> Any:
    """Return the cards that may come after a line; EVs and equities only if they are asked for."""
    query = read_query(LineRequest, request.body)
    return json_columns.runouts(Runouts.of(spot_result(explorer, request), split_line(query.line), query.evs))


def ranges(explorer: Explorer, request: Request) -> Any:
    """Return both ranges after a line, against each other."""
    query = read_query(LineRequest, request.body)
    return json_columns.ranges(spot_result(explorer, request).solution.match_ranges(split_line(query.line)))


def text(explorer: Explorer, request: Request) -> Any:
    """Return a point of the hand as text: hands as CSV, a node in Pio's format, or both ranges in range notation."""
    query = read_query(TextRequest, request.body)
    return {"text": TEXTS[query.among(TEXTS)](spot_result(explorer, request), split_line(query.line))}


def _csv(result: SpotResult, line: tuple[str, ...]) -> str:
    table = result.at(line)
    return table.list_hands().to_csv(".6g")


def _pio(result: SpotResult, line: tuple[str, ...]) -> str:
    return format_pio_decision(result.solution.read_decision(line, with_ev=False), result.spot)


def _ranges(result: SpotResult, line: tuple[str, ...]) -> str:
    lines = []
    for name, reach in zip(PLAYER_NAMES, result.solution.compute_reaches(line), strict=True):
        notation = Range(np.round(np.minimum(reach, 1.0), SHARE_DIGITS)).to_text() if reach.any() else ""
        lines.append(f"{name}: {notation}\n")
    return "".join(lines)


TEXTS = {"csv": _csv, "pio": _pio, "ranges": _ranges}
"""The formats of a point of the hand."""


def match_hands(explorer: Explorer, request: Request) -> Any:
    """Return the hands that a text names on a board."""
    query = read(HandsRequest, request.body)
    hands = select_hands(query.hands, parse_board(query.board))
    return {"hands": [hand_name(int(hand)) for hand in np.flatnonzero(hands)]}


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/walk"): walk,
    ("GET", "/api/runs/{run}/cards"): cards,
    ("GET", "/api/runs/{run}/ranges"): ranges,
    ("GET", "/api/runs/{run}/text"): text,
    ("POST", "/api/hands"): match_hands,
}
