"""Walk through a solved spot: the requests of the page about points of the hand."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.holdem import json_columns
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import hand_name, parse_board
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.solution.pio import format_pio_decision
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.study.line_steps import list_runouts, list_steps
from zerosum.results.table import SHARE_DIGITS, choose_page_digits
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option


def find_spot_result(explorer: Explorer, run: str) -> SpotResult:
    """Return the result of a run of a spot; raise if it is one of a game."""
    result = explorer.runs.read_result(run)
    if not isinstance(result, SpotResult):
        raise ZerosumError(f"{result.game} is not a hold'em spot: its curves and its tree are under Games")
    return result


def split_line(line: str) -> tuple[str, ...]:
    """Return the words of a line as it stands in an address."""
    return tuple(word for word in line.split(",") if word.strip())


@route("GET", "/api/runs/{run}/walk")
def show_decision(explorer: Explorer, run: str, line: str = "", evs: bool = False) -> Any:
    """Return the steps of a line and the decision there; its EVs, which take longer, only if they are asked for."""
    solution, table = find_spot_result(explorer, run).solution, None
    with solution.solver.lock:  # all of one iteration; the rest may run while the solver goes on
        words, steps = list_steps(solution, split_line(line))
        if steps[-1].kind == "decision":
            table = solution.read_decision(words, with_ev=evs)
        iteration = solution.solver.iteration
    decision = None
    if table is not None and table.reach.any():
        decision = table.content(digits=choose_page_digits(table.pot))
    return {"line": words, "steps": [step.to_json() for step in steps], "iteration": iteration, "decision": decision}


@route("GET", "/api/runs/{run}/cards")
def show_next_cards(explorer: Explorer, run: str, line: str = "", evs: bool = False) -> Any:
    """Return the cards that may come after a line; EVs and equities only if they are asked for."""
    return json_columns.runouts_to_json(list_runouts(find_spot_result(explorer, run), split_line(line), evs))


@route("GET", "/api/runs/{run}/ranges")
def compare_ranges(explorer: Explorer, run: str, line: str = "") -> Any:
    """Return both ranges after a line, against each other."""
    return json_columns.ranges_to_json(find_spot_result(explorer, run).solution.match_ranges(split_line(line)))


@route("GET", "/api/runs/{run}/text")
def export_decision(
    explorer: Explorer,
    run: str,
    line: str = "",
    format: Annotated[str, Option(choices=("csv", "pio", "ranges"))] = "csv",
) -> Any:
    """Return a point of the hand as text: hands as CSV, a node in Pio's format, or both ranges in range notation."""
    result, words = find_spot_result(explorer, run), split_line(line)
    if format == "pio":
        return {"text": format_pio_decision(result.solution.read_decision(words, with_ev=False), result.spot)}
    if format == "ranges":
        return {"text": _format_ranges(result, words)}
    return {"text": result.at(words).list_hands().to_csv(".6g")}


def _format_ranges(result: SpotResult, line: tuple[str, ...]) -> str:
    lines = []
    for name, reach in zip(PLAYER_NAMES, result.solution.compute_reaches(line), strict=True):
        notation = Range(np.round(np.minimum(reach, 1.0), SHARE_DIGITS)).to_text() if reach.any() else ""
        lines.append(f"{name}: {notation}\n")
    return "".join(lines)


@route("POST", "/api/hands")
def match_hands(explorer: Explorer, board: str, hands: str) -> Any:
    """Return the hands that a text such as `top pair` matches on a board."""
    matches = select_hands(hands, parse_board(board))
    return {"hands": [hand_name(int(hand)) for hand in np.flatnonzero(matches)]}
