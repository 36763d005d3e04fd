"""Every endpoint: docs/explorer.md has them with their JSON."""

from __future__ import annotations

from rue.explore import building, figuring, gaming, locking, reporting, running, training, tree, walking
from rue.explore.explorer import Handlers

HANDLERS: Handlers = {
    **running.HANDLERS,
    **building.HANDLERS,
    **walking.HANDLERS,
    **locking.HANDLERS,
    **gaming.HANDLERS,
    **training.HANDLERS,
    **tree.HANDLERS,
    **reporting.HANDLERS,
    **figuring.HANDLERS,
}
