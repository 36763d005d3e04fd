"""Every route and its handler: docs/explorer.md describes them with their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zerosum.explorer.handler import Explorer, Handlers
from zerosum.explorer.handlers import figures, game_tree, games, runs
from zerosum.explorer.holdem import locks, reports, spots, training, walk
from zerosum.explorer.holdem.training_store import TrainingStore
from zerosum.explorer.run_manager import RunManager

HANDLERS: Handlers = {
    **runs.HANDLERS,
    **spots.HANDLERS,
    **walk.HANDLERS,
    **locks.HANDLERS,
    **games.HANDLERS,
    **training.HANDLERS,
    **game_tree.HANDLERS,
    **reports.HANDLERS,
    **figures.HANDLERS,
}


def create_explorer(runs: RunManager, start: Mapping[str, Any], libratus_folder: str | None = None) -> Explorer:
    """Return what these handlers work on."""
    return Explorer(runs, TrainingStore(runs.workspace), start, libratus_folder)
