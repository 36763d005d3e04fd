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
from rue.cli.words import percent, pieces
from rue.records import dataclass
from rue.words import short

if TYPE_CHECKING:
    from rue.problems.diff import Diff, DiffRow

DIFF_EXAMPLES = """
rue diff turn/ locked/    [dim]two runs on one spot[/dim]
rue diff turn/ locked/ --line "check bet50" --sort ev --by hand --top 40
rue diff turn/ pio.txt    [dim]a run and an export: Pio's text, JSON, CSV or Parquet[/dim]
rue diff leduc.json.gz other.json.gz --json > diff.json
rue diff mine.csv leduc/ --game leduc
"""

TOP = 10
"""Rows of each table unless another number is asked for."""
ROUNDING = 1e-6
"""The share of what is earned below which a difference is none."""
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
    unit = f" {found.unit}".rstrip()
    values = {
        f"EV, {seat}": f"{short(before)}{unit} in A, {short(after)}{unit} in B"
        for seat, before, after in zip(found.seats, *found.values, strict=True)
    }
    print_rows({
        "game": found.game,
        "A": found.one,
        "B": found.two,
        **values,
        "differ": f"{_percent(found.moved)} of what is done, {short(found.ev_moved)}{unit} of what it earns",
    })  # fmt: skip
    for title, rows in (("ranges", found.decisions), ("hands" if found.decisions else "infosets", found.rows)):
        if rows:
            _print(found, title, rows)
    for note in found.notes:
        output().print(Text(note, style="dim"), soft_wrap=True)


def _print(found: Diff, title: str, rows: tuple[DiffRow, ...]) -> None:
    by = "what they do" if found.sort == "strategy" else "what they earn"
    numbers = "reach", "differ", "EV A", "B - A"
    ranges = title == "ranges"
    places = [name for name in rows[0].place if not (ranges and name == "hand")]
    made = table("player", *places, *numbers, "A", "B", title=f"{title}, by {by}", right=numbers)
    made.padding = (0, 1, 0, 0)
    for row in rows:
        made.add_row(
            ("oop", "ip")[row.player - 1] if found.decisions else str(row.player),
            *(Text(row.place[name] or "the start") for name in places),
            _percent(row.reach),
            percent(row.moved),
            short(row.ev_one),
            _change(row),
            Text(pieces(row.one)),
            Text(pieces(row.two)),
        )
    output().print()
    print_whole(made, output())


def _change(row: DiffRow) -> str:
    """What is earned more; nothing where only rounding differs."""
    largest = max(abs(row.ev_one), abs(row.ev_two))
    return "0" if abs(row.ev_change) <= ROUNDING * largest else f"{row.ev_change:+.3g}"


def _percent(share: float) -> str:
    """A share with two decimals: most of them are small."""
    return f"{share:.2%}"
