"""`rue resume`: go on with a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rue.cli import options
from rue.cli.console import aside, print_json, sentence
from rue.cli.stopped import INTERRUPTED

EPILOG = """[bold]Examples[/bold]

rue resume run/    [dim]a run that was stopped or killed goes on to the end it had[/dim]

rue resume run/ --iterations +1000    [dim]a thousand more; without the plus, so many in all[/dim]

rue resume run/ --until 1e-4 --seconds 600    [dim]for hold'em also --until 0.1%[/dim]

rue resume run/ --game my_game.py:MyGame --algorithm my_rule.py:mine --iterations +1000"""

Run = Annotated[
    Path, typer.Argument(metavar="RUN", help="A folder or file that rue solve --out wrote.", show_default=False)
]
Iterations = Annotated[
    str | None, typer.Option(metavar="N|+N", help="Go on to this many iterations in all, or for so many more.")
]
Nodes = Annotated[
    str | None, typer.Option(metavar="N|+N", help="Go on to this many nodes touched in all, or for so many more.")
]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Go on for this time.")]
Game = Annotated[
    str | None,
    typer.Option(metavar="FILE.py:NAME", help="The game, if it is a file of Python: a saved run never runs code."),
]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", "-a", metavar="FILE.py:NAME", help="The algorithm, if it is your own.")
]


def resume(
    run: Run,
    iterations: Iterations = None,
    until: options.Until = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    threads: options.Threads = None,
    game: Game = None,
    algorithm: Algorithm = None,
    plot: options.Plot = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Go on with a saved run and save it again.

    The result is, digit for digit, that of a run without a stop. Ctrl-C ends it and keeps what was reached.
    """
    from rue.cli.progress import Display

    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
    with aside(), Display() as display:
        display.say(f"reading {run}")
        from rue.runs.opened import Opened
        from rue.runs.resume import resume as go_on

        with Opened(run) as opened:
            before = opened.parts[-1]
        result = go_on(
            run,
            iterations=iterations,
            until=until,
            seconds=seconds,
            nodes=nodes,
            threads=threads,
            game=game,
            algorithm=algorithm,
            progress=display.run,
            stage=display.stage,
        )
    _note_other_code(before)
    from rue.result import Result

    if isinstance(result, Result):
        from rue.cli.solve import across, show

        if plot is not None:
            from rue.plots import curves

            curves([result], plot, across(result))
        print_json(result.summary()) if json else show(result)
    else:
        from rue.cli.holdem import told

        told(result, plot, json)
    if result.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _note_other_code(before: dict[str, object]) -> None:
    """Say so if the earlier part of a run was computed by other code."""
    from rue.sources import code_version

    if before.get("code") != code_version():
        sentence(
            f"the run was begun by other code (rue {before.get('rue')}): its digits may differ from those of a run "
            "that was made in one go"
        )
