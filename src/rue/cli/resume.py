"""`rue resume`: go on with a saved run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rue.cli import options
from rue.cli.console import aside, sentence
from rue.cli.typed import option
from rue.records import dataclass

RESUME_EXAMPLES = """
rue resume run/    [dim]a run that was stopped or killed goes on to the end it had[/dim]
rue resume run/ --iterations +1000    [dim]a thousand more; without the plus, so many in all[/dim]
rue resume run/ --until 1e-4 --seconds 600    [dim]for hold'em also --until 0.1%[/dim]
rue resume run/ --on auto --machines 3    [dim]on a Ray cluster; whatever it ran on before[/dim]
rue resume run/ --game my_game.py:MyGame --algorithm my_rule.py:mine --iterations +1000
"""

Run = Annotated[
    Path, typer.Argument(metavar="RUN", help="A folder or file that rue solve --out wrote.", show_default=False)
]


@dataclass(frozen=True)
class Further:
    """How far a run goes on, as it was typed."""

    iterations: str | None = option("N|+N", "Go on to this many iterations in all, or for so many more.")
    until: options.Until = None
    seconds: float | None = option("S", "Go on for this time.")
    nodes: str | None = option("N|+N", "Go on to this many nodes touched in all, or for so many more.")
    threads: options.Threads = None


@dataclass(frozen=True)
class Own:
    """Code of one's own that a saved run needs, as it was typed."""

    game: str | None = option("FILE.py:NAME", "The game, if it is a file of Python: a saved run never runs code.")
    algorithm: str | None = option("FILE.py:NAME", "The algorithm, if it is your own.", "--algorithm", "-a")


def resume(
    run: Run,
    further: Further,
    shown: options.Shown,
    own: Own,
    placed: options.Placed,
) -> None:
    """Go on with a saved run and save it again.

    The result is, digit for digit, that of a run without a stop. Ctrl-C ends it and keeps what was reached.
    """
    import rue.api as api
    from rue.cli.progress import Display
    from rue.runs.opened import Opened
    from rue.views.look import Look

    shown.check()
    with aside(), Display() as display:
        display.say(f"reading {run}")
        with Opened(run) as opened:
            before = opened.parts[-1]
        going = api.open_run(run, listener=display.listener, **asdict(own), **asdict(further), **asdict(placed))
        display.unit(going.problem.unit)
        options.doubt_until(going.problem.unit, further.until)
        result = api.finish(going)
    _note_other_code(before)
    shown.tell(result, Look())


def _note_other_code(before: dict[str, object]) -> None:
    """Say so if the earlier part of a run was computed by other code."""
    from rue.sources import code_version

    if before.get("code") != code_version():
        sentence(
            f"the run was begun by other code (rue {before.get('rue')}): its digits may differ from those of a run "
            "that was made in one go"
        )
