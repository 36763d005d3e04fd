"""A run that was stopped on its way: its curve so far and the state to go on from, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rue.container as container
from rue.errors import RueError
from rue.solvers.base import BaseSolver

FORMAT = "rue-curve"


def save(path: Path, solver: BaseSolver, so_far: dict[str, Any]) -> None:
    """Keep a solver and what was measured of it, whole or not at all."""
    header = {"format": FORMAT, "algorithm": solver.algorithm.name, "iteration": solver.iteration, **so_far}
    path.parent.mkdir(parents=True, exist_ok=True)
    container.write(path, header, solver.state())


def load(path: Path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What was kept and the arrays of the solver; None if there is nothing, or nothing that can be used."""
    if not path.is_file():
        return None
    try:
        file = container.Container(path)
        try:
            return (file.header, file.arrays()) if file.header.get("format") == FORMAT else None
        finally:
            file.close()
    except RueError:
        return None
