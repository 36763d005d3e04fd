"""`rue show`: the strategy of a saved result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import options, spots
from rue.cli.console import print_json

if TYPE_CHECKING:
    from rue.results.result import Result

EPILOG = """[bold]Examples[/bold]

rue show run/

rue show run/ --player 1 --infoset "^K" --min-reach 0.05

rue show leduc.json.gz --json > strategy.json

rue show turn/ --line "check bet50 call 4d" --hand AKs    [dim]a hold'em result[/dim]"""

LIMIT = 40

Saved = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run, or a result file, that rue solve --out wrote.", show_default=False)
]
Player = Annotated[int | None, typer.Option(parser=options.whole, metavar="1|2", help="Only this player's infosets.")]
Infoset = Annotated[
    str | None, typer.Option(metavar="REGEX", help="Only infosets in which this regular expression is found.")
]
MinReach = Annotated[
    float, typer.Option(metavar="P", help="Only infosets to which the player's own actions lead at least so often.")
]
Limit = Annotated[
    int | None,
    typer.Option(parser=options.whole, metavar="N", help=f"Show at most so many ({LIMIT}; with --json all)."),
]


@dataclass(frozen=True)
class Wanted:
    """Which infosets are shown, as it was typed."""

    player: Player = None
    infoset: Infoset = None
    min_reach: MinReach = 0.0
    limit: Limit = None


def show(
    result: Saved,
    wanted: Wanted,
    line: spots.Line = None,
    hand: spots.Hand = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Show what a saved strategy does at each infoset, or at any decision of a hold'em spot.

    Also that of a run that is still going on, or was killed: as it was saved last.
    """
    from rue.cli.console import aside
    from rue.cli.printed import looked_at
    from rue.cli.progress import Display
    from rue.views.look import Look, view
    from rue.views.strategy import Filters

    filters = Filters(wanted.player, wanted.infoset, wanted.min_reach, wanted.limit)
    with Display() as display:
        display.say(f"reading {result}")
        loaded, about = _loaded(result)
    look = Look(filters, line, hand)
    if json:
        with aside():
            seen = view(loaded, look)
        numbers = {key: value for key, value in loaded.summary().items() if key != "curve"}
        print_json({**numbers, **about, **seen.shown()})
        return
    if filters.limit is None and line is None and hand is None:
        look = replace(look, filters=replace(filters, limit=LIMIT))
    looked_at(loaded, look)


def _loaded(path: Path) -> tuple[Result, dict[str, Any]]:
    """What a run or a result file holds, and of a run also how it was made."""
    from rue.container import is_container
    from rue.runs.home import file_of
    from rue.runs.opened import Opened, load

    if not is_container(file_of(path)):
        return load(path), {}
    with Opened(path) as run:
        return run.result(), {"run": run.about}
