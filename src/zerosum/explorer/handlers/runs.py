"""Runs: start, pause, stop, resume and delete them; the state that a page needs at start."""

from __future__ import annotations

from typing import Any

from zerosum import __version__
from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem import spots
from zerosum.explorer.holdem.json_columns import SCHEMAS
from zerosum.explorer.requests import ContinueRequest, NewRun, read
from zerosum.games.poker.hole_cards import class_of_hand
from zerosum.holdem.betting.presets import PRESETS
from zerosum.holdem.cards.cards import HAND_COUNT, hand_name
from zerosum.holdem.spots.files import SIZES
from zerosum.results.display.action_colours import HIGH, LOW, MIDDLE, hexadecimal
from zerosum.results.display.curve_plot import line_styles
from zerosum.support.system import available_bytes, available_cores


def state(explorer: Explorer, request: Request) -> Any:
    """Return what a page needs at start: runs, spots, and the order of the 1,326 hands."""
    return {
        "zerosum": __version__,
        "folder": str(explorer.workspace.path),
        "cores": available_cores(),
        "free": available_bytes(),
        "start": explorer.start,
        "libratus": explorer.libratus_folder is not None,
        "runs": explorer.runs.list_runs(),
        "spots": spots.list_spots(explorer, request),
        "hands": [hand_name(number) for number in range(HAND_COUNT)],
        "trees": {name: {"summary": preset.summary, "options": preset.options} for name, preset in PRESETS.items()},
        "tree_keys": sorted(SIZES),
        "lines": line_styles(),
        "tables": SCHEMAS,
        "scale": [hexadecimal(colour) for colour in (LOW, MIDDLE, HIGH)],
        "cells": class_of_hand().tolist(),
    }


def list_runs(explorer: Explorer, request: Request) -> Any:
    """Return all runs, the newest first."""
    return explorer.runs.list_runs()


def new_run(explorer: Explorer, request: Request) -> Any:
    """Start a run; it waits for its turn."""
    return explorer.runs.start(read(NewRun, request.body)).to_json()


def run(explorer: Explorer, request: Request) -> Any:
    """Return a run."""
    return explorer.runs.find(request.path["run"]).to_json()


def pause_run(explorer: Explorer, request: Request) -> Any:
    """Pause a run."""
    return explorer.runs.pause(request.path["run"]).to_json()


def stop_run(explorer: Explorer, request: Request) -> Any:
    """Stop a run; its progress is saved."""
    return explorer.runs.stop(request.path["run"]).to_json()


def resume_run(explorer: Explorer, request: Request) -> Any:
    """Continue a run, or let a running one end at another exploitability."""
    return explorer.runs.resume(request.path["run"], read(ContinueRequest, request.body)).to_json()


def delete_run(explorer: Explorer, request: Request) -> Any:
    """Delete a run."""
    explorer.runs.delete(request.path["run"])
    explorer.trainings.delete(request.path["run"])
    return {}


HANDLERS: Handlers = {
    ("GET", "/api/state"): state,
    ("GET", "/api/runs"): list_runs,
    ("POST", "/api/runs"): new_run,
    ("GET", "/api/runs/{run}"): run,
    ("POST", "/api/runs/{run}/pause"): pause_run,
    ("POST", "/api/runs/{run}/stop"): stop_run,
    ("POST", "/api/runs/{run}/resume"): resume_run,
    ("DELETE", "/api/runs/{run}"): delete_run,
}
