"""Runs: what a page asks when it opens, and what it does with runs."""

from __future__ import annotations

from typing import Any

from rue import __version__
from rue.explore import building, wire
from rue.explore.asked import Further, NewRun, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.holdem.cards import HAND_COUNT, hand_name
from rue.holdem.files import SIZES
from rue.holdem.presets import PRESETS
from rue.machine import available_bytes, cores
from rue.results.drawing import line_styles
from rue.views.colours import HIGH, LOW, MIDDLE, hexadecimal


def state(explorer: Explorer, request: Request) -> Any:
    """What a page needs when it opens: runs, spots, and the order of the 1,326 hands."""
    return {
        "rue": __version__,
        "folder": str(explorer.folder.path),
        "cores": cores(),
        "free": available_bytes(),
        "start": explorer.start,
        "libratus": explorer.data is not None,
        "runs": explorer.workshop.told(),
        "spots": building.spots(explorer, request),
        "hands": [hand_name(number) for number in range(HAND_COUNT)],
        "trees": {name: {"summary": each.summary, "options": each.options} for name, each in PRESETS.items()},
        "tree_keys": sorted(SIZES),
        "lines": line_styles(),
        "scale": [hexadecimal(colour) for colour in (LOW, MIDDLE, HIGH)],
        "cells": [wire.cell_of()[hand_name(number)] for number in range(HAND_COUNT)],
    }


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
    explorer.trainings.forget(request.parts["run"])
    return {}


HANDLERS: Handlers = {
    ("GET", "/api/state"): state,
    ("GET", "/api/runs"): runs,
    ("POST", "/api/runs"): new_run,
    ("GET", "/api/runs/{run}"): run,
    ("POST", "/api/runs/{run}/pause"): pause_run,
    ("POST", "/api/runs/{run}/stop"): stop_run,
    ("POST", "/api/runs/{run}/go"): go_on,
    ("DELETE", "/api/runs/{run}"): remove_run,
}
