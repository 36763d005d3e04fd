"""`rue show`: the strategy of a saved result."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rue.cli import options, spots
from rue.cli.console import print_json
from rue.cli.typed import option
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.results.result import Result

SHOW_EXAMPLES = """
rue show run/
rue show run/ --player 1 --infoset "^K" --min-reach 0.05
rue show leduc.json.gz --json > strategy.json
rue show turn/ --line "check bet50 call 4d" --hand AKs    [dim]a hold'em result[/dim]
"""

LIMIT = 40


@dataclass(frozen=True)
class Wanted:
    """Which infosets are shown, as it was typed."""

    player: int | None = option("1|2", "Only this player's infosets.")
    infoset: str | None = option("REGEX", "Only infosets in which this regular expression is found.")
    min_reach: float = option(
        "P", "Only infosets to which the player's own actions lead at least so often.", default=0.0
    )
    limit: int | None = option("N", f"Show at most so many ({LIMIT}; with --json all).")


def show(
    result: options.Saved,
    wanted: Wanted,
    asked: spots.Asked,
    json: options.Json = False,
) -> None:
    """Show what a saved strategy does at each infoset, or at any decision of a hold'em spot.

    Also that of a run that is still going on, or was killed: as it was saved last.
    """
    from rue.cli.console import aside
    from rue.cli.printed import looked_at
    from rue.cli.progress import Display
    from rue.views.look import Look, view

    look = Look(**asdict(wanted), **asdict(asked))
    with Display() as display:
        display.say(f"reading {result}")
        loaded, about = _loaded(result)
    if json:
        with aside():
            seen = view(loaded, look)
        numbers = {key: value for key, value in loaded.summary().items() if key != "curve"}
        print_json({**numbers, **about, **seen.shown()})
        return
    if look.limit is None and not look.inside:
        look = replace(look, limit=LIMIT)
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
