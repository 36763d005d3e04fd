"""`zerosum diff`: where two strategies differ most."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from zerosum.cli.common_options import Json
from zerosum.cli.console import create_console, new_table, print_fields, print_json, print_unclipped, redirect_prints
from zerosum.problems.options import TOP_DIFFERENCES, DiffOptions
from zerosum.support.options import Argument, Option, select_options

if TYPE_CHECKING:
    from zerosum.results.diff import Diff

DIFF_EXAMPLES = """
zerosum diff turn/ locked/    # two runs on one spot
zerosum diff turn/ locked/ --line "check bet50" --sort ev --by hand --top 40
zerosum diff turn/ pio.txt    # a run and an export: Pio's text, JSON, CSV or Parquet
zerosum diff leduc.json.gz other.json.gz --json > diff.json
zerosum diff mine.csv leduc/ --game leduc
"""

NUMBERS = ("reach", "differ", "EV A", "B - A")
"""Columns of numbers."""


class DiffArguments(DiffOptions, total=False):
    first: Annotated[Path, Argument("A run, a result file or an exported strategy.", "A", required=True)]
    second: Annotated[Path, Argument("Another one of the same game or spot.", "B", required=True)]
    game: Annotated[str | None, Option("The game, if neither strategy names it.", "GAME")]
    json: Json


def diff(arguments: DiffArguments) -> None:
    """Compare two strategies: where do their actions, or their EVs, differ most?

    Every difference is weighted by how often play reaches it. Decisions that an export lacks are taken from the other
    strategy.
    """
    from zerosum.cli.progress import Display
    from zerosum.runs.diff import diff as compare_strategies

    options = select_options(DiffOptions, arguments)
    if not arguments["json"]:
        options.setdefault("top", TOP_DIFFERENCES)
    first, second, game = arguments["first"], arguments["second"], arguments["game"]
    with redirect_prints(), Display() as display:
        display.show_stage("comparing", 0)
        result = compare_strategies(first, second, game=game, progress=display.show_stage, **options)
    print_json(result.content()) if arguments["json"] else print_diff(result)


def print_diff(result: Diff) -> None:
    """Print where two strategies differ."""
    print_fields(result.summary_rows)
    for title, rows in result.tables:
        printed = new_table(*rows[0], title=title, right=NUMBERS)
        printed.padding = (0, 1, 0, 0)
        for row in rows:
            printed.add_row(*map(Text, row.values()))
        create_console().print()
        print_unclipped(printed, create_console())
    for note in result.notes:
        create_console().print(Text(note, style="dim"), soft_wrap=True)
