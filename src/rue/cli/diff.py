"""`rue diff`: where two strategies differ most."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import options, spots
from rue.cli.console import aside, output, print_json, print_rows, print_whole, table
from rue.cli.typed import option
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.problems.diff import Diff

DIFF_EXAMPLES = """
rue diff turn/ locked/    [dim]two runs on one spot[/dim]
rue diff turn/ locked/ --line "check bet50" --sort ev --by hand --top 40
rue diff turn/ pio.txt    [dim]a run and an export: Pio's text, JSON, CSV or Parquet[/dim]
rue diff leduc.json.gz other.json.gz --json > diff.json
rue diff mine.csv leduc/ --game leduc
"""

TOP = 10
"""Rows of each table unless another number is asked for."""
NUMBERS = ("reach", "differ", "EV A", "B - A")
"""Columns of numbers."""
First = Annotated[Path, typer.Argument(metavar="A", help="A run, a result file or an exported strategy.")]
Second = Annotated[Path, typer.Argument(metavar="B", help="Another one of the same game or spot.")]
Game = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="What is played, if neither of the two says it.")
]


@dataclass(frozen=True)
class Typed:
    """How two strategies are compared, as it was typed."""

    sort: str = option("strategy|ev", "Sort by what is done (the default) or by what it earns.", default="strategy")
    top: int | None = option("N", f"Show so many rows of each kind ({TOP}; with --json all).")
    min_reach: float | None = option("P", "Leave out what play gets to less often; 0.001 of the deals in hold'em.")
    line: str = spots.option("LINE", 'Begin at the decision after a line like "check bet50".', default="")
    by: str = spots.option("class|hand", "List classes like AKs (the default) or single hands.", default="class")


def diff(
    one: First,
    two: Second,
    typed: Typed,
    game: Game = None,
    json: options.Json = False,
) -> None:
    """Compare two strategies: where do they differ most in what they do, or in what that earns?

    Both count by how often play gets there. What an export does not say is taken from the other one.
    """
    import rue.studies.diff as studies
    from rue.cli.progress import Display

    how: dict[str, Any] = asdict(typed)
    if how["top"] is None and not json:
        how["top"] = TOP
    with aside(), Display() as display:
        display.stage("comparing", 0)
        found = studies.diff(one, two, game=game, progress=display.stage, **how)
    print_json(found.content()) if json else show(found)


def show(found: Diff) -> None:
    """What differs, for people."""
    print_rows(found.told)
    for title, rows in found.tables:
        made = table(*rows[0], title=title, right=NUMBERS)
        made.padding = (0, 1, 0, 0)
        for row in rows:
            made.add_row(*map(Text, row.values()))
        output().print()
        print_whole(made, output())
    for note in found.notes:
        output().print(Text(note, style="dim"), soft_wrap=True)
