"""Tables and JSON on standard output, messages on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
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
"""Columns of a table in a file or a pipe."""
WIDEST = 10_000
"""Columns that are enough for every table."""


class SafeConsole(Console):
    """A console that raises an error when its pipe is closed, and masks control characters."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(mask_control_characters(piece.text), piece.style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def create_console() -> Console:
    """Return a console on standard output, with colour and the width of the terminal if it is one."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return SafeConsole(highlight=False, emoji=False, width=width)


def get_data_stream() -> TextIO:
    """Return standard output for data: unchanged for a file or a pipe, without control characters for a terminal."""
    return cast(TextIO, MaskedOutput()) if sys.stdout.isatty() else sys.stdout


class MaskedOutput:
    """Standard output with control characters masked."""

    def write(self, text: str) -> int:
        return sys.stdout.write(mask_control_characters(text))


def redirect_prints() -> redirect_stdout[TextIO]:
    """Send what custom rules print to standard error, within a `with` block: standard output is for results."""
    return redirect_stdout(sys.stderr)


def print_json(content: Any) -> None:
    """Print one JSON object on standard output."""
    print(json.dumps(content, allow_nan=False))


def print_message(text: str) -> None:
    """Print one line on standard error."""
    line = mask_control_characters(shorten(" ".join(text.split()))).encode("utf-8", "replace").decode()
    with suppress(OSError, ValueError):  # the stream may be closed
        print(f"zerosum: {line}", file=sys.stderr, flush=True)


def new_table(*headers: str, title: str = "", right: Sequence[str] = (), narrow: bool = False) -> Table:
    """Return an empty table; the columns named in `right` hold numbers, and no word is cut.

    narrow: leave less space between the columns, and keep the first one on one line.
    """
    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold", pad_edge=False)
    for header in headers:
        number = header in right
        table.add_column(header, justify="right" if number else "left", no_wrap=number, overflow="fold")
    if narrow:
        table.padding = (0, 1, 0, 0)
        table.columns[0].no_wrap = True
    return table


def measure_table_widths(table: Table, console: Console) -> Measurement:
    """Return the smallest width of a table, at which words still fit, and the one at which no line is broken."""
    return Measurement.get(console, console.options.update_width(WIDEST), table)


def print_unclipped(table: Table, console: Console) -> None:
    """Print a table no narrower than its words: a narrower terminal folds its lines, and nothing is cut."""
    needs = measure_table_widths(table, console)
    least = needs.minimum if any(not column.no_wrap for column in table.columns) else needs.maximum
    table.width = min(needs.maximum, max(least, console.width))
    console.print(table, soft_wrap=table.width > console.width)


def print_fields(rows: dict[str, str]) -> None:
    """Print names and values below each other, without those that are empty."""
    grid = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value:
            grid.add_row(Text(name, style="bold"), Text(value))
    create_console().print(grid)
