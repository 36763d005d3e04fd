"""Walking through a solved spot: what a page asks about points of its tree."""

from __future__ import annotations

from typing import Any

from rue.errors import RueError
from rue.explore import wire
from rue.explore.asked import LineAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.results.spot import SpotResult
from rue.views.decision import DecisionView
from rue.views.walk import Walk


def spot_result(explorer: Explorer, request: Request) -> SpotResult:
    """The result of a run that must be one of a spot."""
    found = explorer.workshop.result(request.parts["run"])
    if not isinstance(found, SpotResult):
        raise RueError(f"{found.game} is not a hold'em spot: it has no line to walk")
    return found


def walk(explorer: Explorer, request: Request) -> Any:
    """A line, its steps and the decision there: without EVs at once, with them when they are computed."""
    asked = read(LineAsked, request.query)
    result = spot_result(explorer, request)
    words = [word for word in asked.line.split(",") if word.strip()]
    with result.solution.solver.turns:
        steps = Walk.of(result, words)
        found = None
        if steps.steps[-1].kind == "decision":
            point = result.solution.at(steps.line) if asked.evs else result.solution.glance(steps.line)
            if point.reach.any():
                found = wire.decision(DecisionView.shows(point, result.spot))
        iteration = result.solution.solver.iteration
    return {**wire.walk(steps), "iteration": iteration, "decision": found}


HANDLERS: Handlers = {("GET", "/api/runs/{run}/walk"): walk}
