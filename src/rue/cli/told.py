"""What a command leaves: a picture, JSON or text of a result, and the exit code of a run that was interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from rue.cli.console import print_json
from rue.cli.stopped import INTERRUPTED

if TYPE_CHECKING:
    from rue.cli.options import Shown
    from rue.results.result import Result
    from rue.results.unit import Unit
    from rue.runs.repeat import Repeated
    from rue.views.look import Look


def told(result: Result, shown: Shown, look: Look) -> None:
    """Draw and show what a run has reached."""
    if shown.plot is not None:
        from rue.views.plots import curves

        curves([result], shown.plot, "nodes" if result.along_nodes else "iterations")
    if shown.json:
        print_json({**result.summary(), **seen(result, look)})
    else:
        from rue.cli.printed import solved

        solved(result, look)
    end(result.stopped)


def seen(result: Result, look: Look) -> dict[str, Any]:
    """The decision that was asked for, for JSON."""
    if look.line is None and look.hand is None:
        return {}
    from rue.views.look import view

    return {"point": view(result, look).content()}


def told_seeds(runs: Repeated, shown: Shown, unit: Unit) -> None:
    """Draw and show the mean of many seeds."""
    count = len(runs.seeds)
    if shown.plot is not None:
        from rue.views.plots import curves

        title = f"{runs.algorithm}, {f'mean of {count} seeds' if count > 1 else f'seed {runs.seeds[0]}'}"
        curves([(runs.algorithm, runs.curve)], shown.plot, "nodes", f"{runs.game}, {title}", unit.drawn)
    if shown.json:
        print_json(runs.summary())
    else:
        from rue.cli.printed import averaged

        averaged(runs)
    end(runs.stopped)


def end(stopped: str) -> None:
    """Leave with the code of Ctrl-C if that ended the run."""
    if stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)
