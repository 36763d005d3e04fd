"""Walking through a solved spot: what a page asks about points of its tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.errors import RueError
from rue.explore import wire
from rue.explore.asked import HandsAsked, LineAsked, TextAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.holdem.cards import hand_name, parse_board
from rue.holdem.hand_classes import hand_order
from rue.holdem.hands_named import hands_named
from rue.holdem.line import follow
from rue.holdem.ranges import Range
from rue.results.nodes import node_at
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult
from rue.runs.export import pio_node
from rue.views.decision import DecisionView
from rue.views.runouts import Runouts
from rue.views.texts import hands_csv
from rue.views.versus import Versus, ranges_after
from rue.views.walk import Walk


def spot_result(explorer: Explorer, request: Request) -> SpotResult:
    """The result of a run that must be one of a spot."""
    found = explorer.workshop.result(request.parts["run"])
    if not isinstance(found, SpotResult):
        raise RueError(f"{found.game} is not a hold'em spot: it has no line to walk")
    return found


def words_of(line: str) -> list[str]:
    """The words of a line as it stands in an address."""
    return [word for word in line.split(",") if word.strip()]


def walk(explorer: Explorer, request: Request) -> Any:
    """A line, its steps and the decision there: without EVs at once, with them when they are computed."""
    asked = read(LineAsked, request.query)
    result = spot_result(explorer, request)
    solution, point = result.solution, None
    with solution.solver.turns:  # of one iteration; what follows does not keep a run from going on
        steps = Walk.of(result, words_of(asked.line))
        if steps.steps[-1].kind == "decision":
            point = solution.at(steps.line) if asked.evs else solution.glance(steps.line)
        iteration = solution.solver.iteration
    found = None
    if point is not None and point.reach.any():
        found = wire.decision(DecisionView.shows(point, result.spot))
    return {**wire.walk(steps), "iteration": iteration, "decision": found}


def cards(explorer: Explorer, request: Request) -> Any:
    """The cards that may come after a line: with EVs and equities when they are computed."""
    asked = read(LineAsked, request.query)
    return wire.runouts(Runouts.of(spot_result(explorer, request), words_of(asked.line), asked.evs))


def ranges(explorer: Explorer, request: Request) -> Any:
    """Both ranges after a line, against each other."""
    asked = read(LineAsked, request.query)
    return wire.versus(Versus.of(spot_result(explorer, request), words_of(asked.line)))


def text(explorer: Explorer, request: Request) -> Any:
    """A point as text: its hands as a table, as Pio tells it, or both ranges in the usual notation."""
    asked = read(TextAsked, request.query)
    return {"text": TEXTS[asked.among(TEXTS)](spot_result(explorer, request), words_of(asked.line))}


def _csv(result: SpotResult, line: list[str]) -> str:
    return hands_csv(DecisionView.shows(result.at(line), result.spot))


def _pio(result: SpotResult, line: list[str]) -> str:
    words = follow(result.spot, line).line
    with result.solution.solver.turns:
        return pio_node(node_at(result.solution, words), hand_order("pio"))


def _ranges(result: SpotResult, line: list[str]) -> str:
    found = zip(PLAYERS, ranges_after(result, line), strict=True)
    told = {who: Range(np.round(np.minimum(own, 1.0), wire.SHARE)).to_text() if own.any() else "" for who, own in found}
    return "".join(f"{who}: {text}\n" for who, text in told.items())


TEXTS = {"csv": _csv, "pio": _pio, "ranges": _ranges}
"""How a point is written."""


def named_hands(explorer: Explorer, request: Request) -> Any:
    """The hands that a text names on a board."""
    asked = read(HandsAsked, request.data)
    found = hands_named(asked.hands, parse_board(asked.board))
    return {"hands": [hand_name(int(number)) for number in np.flatnonzero(found)]}


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/walk"): walk,
    ("GET", "/api/runs/{run}/cards"): cards,
    ("GET", "/api/runs/{run}/ranges"): ranges,
    ("GET", "/api/runs/{run}/text"): text,
    ("POST", "/api/hands"): named_hands,
}
