"""Where things are shown: tables on standard output, progress and sentences on standard error."""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout, suppress
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH_OF_FILES = 160
"""Columns of a table that goes to a file or a pipe."""


class Output(Console):
    """A console that leaves a closed pipe to the command."""

    def on_broken_pipe(self) -> None:
        """Say so."""
        raise BrokenPipeError


def output() -> Console:
    """Standard output, with colour and the terminal's width if a person is looking."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return Output(highlight=False, width=width)


def aside() -> redirect_stdout[TextIO]:
    """While it lasts, what a user's own rules print goes to standard error: standard output is for results."""
    return redirect_stdout(sys.stderr)


def print_json(content: Any) -> None:
    """One JSON object on standard output."""
    print(json.dumps(content, allow_nan=False))


def sentence(text: str) -> None:
    """One line on standard error."""
    line = " ".join(text.split()).encode("utf-8", "replace").decode()
    with suppress(OSError, ValueError):  # nobody may be there to read it
        print(f"rue: {line}", file=sys.stderr, flush=True)


def table(*headers: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """An empty table in the style of the house; the columns named in `right` hold numbers."""
    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for header in headers:
        number = header in right
        made.add_column(header, justify="right" if number else "left", no_wrap=number)
    return made


def print_rows(rows: dict[str, str]) -> None:
    """Names and values below each other; what has no value is left out."""
    grid = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value:
            grid.add_row(Text(name, style="bold"), Text(value))
    output().print(grid)
