"""Tables and JSON on standard output, messages on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from typing import Any, TextIO, cast

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from zerosum.support.errors import shorten
from zerosum.support.text import mask_control_characters

WIDTH_OF_FILES = 160
"""Columns of a table that goes to a file or a pipe."""
WIDEST = 10_000
"""Columns in which every table has room."""


class SafeConsole(Console):
    """A console that leaves a closed pipe to the command, and shows control characters instead of sending them."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """The pieces to print."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(mask_control_characters(piece.text), piece.style)

    def on_broken_pipe(self) -> None:
        """Say so."""
        raise BrokenPipeError


def output() -> Console:
    """Standard output, with colour and the terminal's width if a person is looking."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return SafeConsole(highlight=False, emoji=False, width=width)


def data_output() -> TextIO:
    """Standard output for data: as they are for a file or a pipe, nothing that a terminal would obey for a terminal."""
    if sys.stdout.isatty():
        return cast(TextIO, SafeText())
    return sys.stdout


class SafeText:
    """Standard output that shows control characters instead of sending them."""

    def write(self, text: str) -> int:
        """Write what may be seen of a text."""
        return sys.stdout.write(mask_control_characters(text))


def redirect_prints() -> redirect_stdout[TextIO]:
    """Send what custom rules print to standard error, within a `with` block: standard output is for results."""
    return redirect_stdout(sys.stderr)


def print_json(content: Any) -> None:
    """One JSON object on standard output."""
    print(json.dumps(content, allow_nan=False))


def print_message(text: str) -> None:
    """One line on standard error."""
    line = mask_control_characters(shorten(" ".join(text.split()))).encode("utf-8", "replace").decode()
    with suppress(OSError, ValueError):  # nobody may be there to read it
        print(f"zerosum: {line}", file=sys.stderr, flush=True)


def new_table(*headers: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """An empty table in the style of the house; the columns named in `right` hold numbers, and no word is cut."""
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for header in headers:
        number = header in right
        table.add_column(header, justify="right" if number else "left", no_wrap=number, overflow="fold")
    return table


def print_unclipped(table: Table, console: Console) -> None:
    """Print a table no narrower than its words: in a terminal that is, its lines are folded and nothing is cut."""
    needs = Measurement.get(console, console.options.update_width(WIDEST), table)
    least = needs.minimum if any(not column.no_wrap for column in table.columns) else needs.maximum
    table.width = min(needs.maximum, max(least, console.width))
    console.print(table, soft_wrap=table.width > console.width)


def print_fields(rows: dict[str, str]) -> None:
    """Print names and values below each other, without those that are empty."""
    grid = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value:
            grid.add_row(Text(name, style="bold"), Text(value))
    output().print(grid)
