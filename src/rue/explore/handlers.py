"""What the page may ask for: every function takes the request as data and returns data, or raises a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rue import __version__
from rue.errors import RueError
from rue.explore import wire
from rue.explore.asked import Further, LineAsked, NewRun, RangeAsked, SpotAsked, read
from rue.explore.folder import Folder
from rue.explore.workshop import Workshop, refuse_files
from rue.holdem import files
from rue.holdem.cards import HAND_COUNT, hand_name
from rue.holdem.ranges import CLASS_ORDER, Range
from rue.machine import available_bytes, cores
from rue.problems.find import problem
from rue.results.spot import SpotResult
from rue.views.decision import DecisionView
from rue.views.walk import Walk

START: Mapping[str, Any] = {"page": "home"}


@dataclass(frozen=True)
class Request:
    """A request: what was in the address, and the JSON or the query that came with it."""

    parts: Mapping[str, str]
    data: Any

    @property
    def query(self) -> dict[str, Any]:
        """The query as data: 1 and 0 are flags."""
        return {key: {"1": True, "0": False}.get(value, value) for key, value in self.data.items()}


@dataclass(frozen=True)
class Explorer:
    """What the handlers work on: the runs, the folder, and what was named on the command line."""

    workshop: Workshop
    start: Mapping[str, Any]

    @property
    def folder(self) -> Folder:
        """Where runs, spots and ranges lie."""
        return self.workshop.folder


Handler = Callable[[Explorer, Request], Any]


def state(explorer: Explorer, request: Request) -> Any:
    """What a page needs when it opens: runs, spots, ranges, and the order of the 1,326 hands."""
    return {
        "rue": __version__,
        "folder": str(explorer.folder.path),
        "cores": cores(),
        "free": available_bytes(),
        "start": explorer.start,
        "runs": explorer.workshop.told(),
        "spots": spots(explorer, request),
        "hands": [hand_name(number) for number in range(HAND_COUNT)],
        "cells": [wire.cell_of()[hand_name(number)] for number in range(HAND_COUNT)],
        "order": list(CLASS_ORDER),
    }


def spots(explorer: Explorer, request: Request) -> Any:
    """The names of the spots that come along and of those that were saved."""
    return {"bundled": files.names(), "saved": explorer.folder.spots()}


def bundled_spot(explorer: Explorer, request: Request) -> Any:
    """A spot that comes along, in the words of its file."""
    name = request.parts["name"]
    if name not in files.names():
        raise RueError(f"no spot called {name[:90]!r} comes along")
    return files.to_mapping(files.load_spot(name))


def saved_spot(explorer: Explorer, request: Request) -> Any:
    """A spot of the folder."""
    return files.to_mapping(explorer.folder.spot(request.parts["name"]))


def save_spot(explorer: Explorer, request: Request) -> Any:
    """Save a spot in the folder."""
    explorer.folder.save_spot(request.parts["name"], files.from_mapping(read(SpotAsked, request.data).spot))
    return spots(explorer, request)


def remove_spot(explorer: Explorer, request: Request) -> Any:
    """Forget a saved spot."""
    explorer.folder.remove_spot(request.parts["name"])
    return spots(explorer, request)


def check_spot(explorer: Explorer, request: Request) -> Any:
    """A spot as it is understood, and what solving it would take."""
    asked = read(SpotAsked, request.data)
    if asked.algorithm is not None:
        refuse_files(asked.algorithm)
    spot = files.from_mapping(asked.spot)
    found = problem(spot, half=asked.half)
    size = found.estimate(found.algorithm(asked.algorithm))
    assert size is not None
    free, sentence = available_bytes(), ""
    try:
        size.check()
    except RueError as error:
        sentence = str(error)
    return {"spot": files.to_mapping(spot), "name": str(spot), **size.content(), "free": free, "too_large": sentence}


def check_range(explorer: Explorer, request: Request) -> Any:
    """A range in both ways: its shortest text and its 1,326 weights."""
    asked = read(RangeAsked, request.data)
    if (asked.text is None) == (asked.weights is None):
        raise RueError("a range is asked for by a text or by weights")
    found = _weighed(asked.weights or []) if asked.text is None else Range.parse(asked.text)
    weights = wire.column(found.weights.tolist(), wire.DIGITS)
    return {"text": found.to_text(), "weights": weights, "hands": found.total, "share": found.total / HAND_COUNT}


def _weighed(weights: list[Any]) -> Range:
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in weights):
        raise RueError("the weights of a range are numbers")
    return Range(weights)


def ranges(explorer: Explorer, request: Request) -> Any:
    """The saved ranges, texts by name."""
    return explorer.folder.ranges()


def save_range(explorer: Explorer, request: Request) -> Any:
    """Save a range under a name."""
    asked = read(RangeAsked, request.data)
    if asked.text is None:
        raise RueError("a range is saved as a text")
    return explorer.folder.save_range(request.parts["name"], asked.text)


def remove_range(explorer: Explorer, request: Request) -> Any:
    """Forget a saved range."""
    return explorer.folder.save_range(request.parts["name"], None)


def runs(explorer: Explorer, request: Request) -> Any:
    """All runs, the newest first."""
    return explorer.workshop.told()


def new_run(explorer: Explorer, request: Request) -> Any:
    """Start a run; it waits for its turn."""
    return explorer.workshop.start(read(NewRun, request.data)).view()


def run(explorer: Explorer, request: Request) -> Any:
    """One run."""
    return explorer.workshop.get(request.parts["run"]).view()


def pause_run(explorer: Explorer, request: Request) -> Any:
    """Let a run pause."""
    return explorer.workshop.pause(request.parts["run"]).view()


def stop_run(explorer: Explorer, request: Request) -> Any:
    """Let a run end and keep what it has reached."""
    return explorer.workshop.stop(request.parts["run"]).view()


def go_on(explorer: Explorer, request: Request) -> Any:
    """Let a run go on, or get more accurate."""
    return explorer.workshop.go_on(request.parts["run"], read(Further, request.data)).view()


def remove_run(explorer: Explorer, request: Request) -> Any:
    """Delete a run."""
    explorer.workshop.remove(request.parts["run"])
    return {}


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


HANDLERS: dict[tuple[str, str], Handler] = {
    ("GET", "/api/state"): state,
    ("GET", "/api/spots"): spots,
    ("GET", "/api/spots/bundled/{name}"): bundled_spot,
    ("GET", "/api/spots/saved/{name}"): saved_spot,
    ("PUT", "/api/spots/saved/{name}"): save_spot,
    ("DELETE", "/api/spots/saved/{name}"): remove_spot,
    ("POST", "/api/spot"): check_spot,
    ("POST", "/api/range"): check_range,
    ("GET", "/api/ranges"): ranges,
    ("PUT", "/api/ranges/{name}"): save_range,
    ("DELETE", "/api/ranges/{name}"): remove_range,
    ("GET", "/api/runs"): runs,
    ("POST", "/api/runs"): new_run,
    ("GET", "/api/runs/{run}"): run,
    ("POST", "/api/runs/{run}/pause"): pause_run,
    ("POST", "/api/runs/{run}/stop"): stop_run,
    ("POST", "/api/runs/{run}/go"): go_on,
    ("DELETE", "/api/runs/{run}"): remove_run,
    ("GET", "/api/runs/{run}/walk"): walk,
}
"""Every endpoint: docs/explorer.md has them with their JSON."""
