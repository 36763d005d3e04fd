"""Runs: start, pause, stop, resume and delete them; the state that a page needs when it opens."""

from __future__ import annotations

from typing import Any

from zerosum import __version__
from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.holdem import spots
from zerosum.explorer.holdem.json_columns import SCHEMAS
from zerosum.explorer.requests import LimitRequest, NewRun
from zerosum.games.poker.hole_cards import map_hands_to_classes
from zerosum.holdem.betting.presets import PRESETS
from zerosum.holdem.cards.cards import HAND_COUNT, hand_name
from zerosum.holdem.spots.files import TREE_KEYS
from zerosum.holdem.spots.options import SpotFileOptions
from zerosum.results.display.action_colours import HIGH, LOW, MIDDLE, format_colour
from zerosum.results.display.drawing import list_line_styles
from zerosum.support.options import read_declarations


@route("GET", "/api/state")
def show_state(explorer: Explorer) -> Any:
    """Return the data that a page needs when it opens: runs, spots, and everything that never changes."""
    spot_options = {
        name: {
            "title": item.option.title or name.replace("_", " ").capitalize(),
            "help": item.option.help,
            "default": item.option.default_text,
        }
        for name, item in read_declarations(SpotFileOptions).items()
    }
    return {
        "zerosum": __version__,
        "folder": str(explorer.workspace.path),
        "start": explorer.start,
        "libratus": explorer.libratus_folder is not None,
        "runs": explorer.runs.list_runs(),
        "spots": spots.list_spots(explorer),
        "spot_options": spot_options,
        "hands": [hand_name(number) for number in range(HAND_COUNT)],
        "trees": {name: preset.summary for name, preset in PRESETS.items()},
        "tree_keys": sorted(TREE_KEYS),
        "lines": list_line_styles(),
        "tables": SCHEMAS,
        "scale": [format_colour(colour) for colour in (LOW, MIDDLE, HIGH)],
        "cells": map_hands_to_classes().tolist(),
    }


@route("GET", "/api/runs")
def list_runs(explorer: Explorer) -> Any:
    """Return all runs, the newest first."""
    return explorer.runs.list_runs()


@route("POST", "/api/runs")
def start_run(explorer: Explorer, request: NewRun) -> Any:
    """Start a run; it waits for its turn."""
    return explorer.runs.start(request).to_json()


@route("GET", "/api/runs/{run}")
def show_run(explorer: Explorer, run: str) -> Any:
    """Return the state, the numbers and the curve of a run."""
    return explorer.runs.find(run).to_json()


@route("POST", "/api/runs/{run}/pause")
def pause_run(explorer: Explorer, run: str) -> Any:
    """Pause a run as soon as its current iteration ends."""
    return explorer.runs.pause(run).to_json()


@route("POST", "/api/runs/{run}/stop")
def stop_run(explorer: Explorer, run: str) -> Any:
    """Stop a run; its progress is saved."""
    return explorer.runs.stop(run).to_json()


@route("POST", "/api/runs/{run}/resume")
def resume_run(explorer: Explorer, run: str, request: LimitRequest) -> Any:
    """Continue a run, or let a running one end at another exploitability."""
    return explorer.runs.resume(run, request).to_json()


@route("DELETE", "/api/runs/{run}")
def delete_run(explorer: Explorer, run: str) -> Any:
    """Delete a run and the training against it."""
    explorer.runs.delete(run)
    explorer.trainings.delete(run)
    return {}
