"""Pages of help: usage, description, options in panels, examples."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from zerosum.cli.console import SafeConsole
from zerosum.support.options import Argument, Declaration, Option

WIDEST = 100
"""Columns beyond which lines of text are hard to read."""


class Row(NamedTuple):
    """A line of a panel: a command, an argument, or the flags of an option, with its value and its description."""

    name: str
    metavar: str
    text: str


COMMON_OPTIONS = (
    Row("--debug", "", "Show the traceback of an error."),
    Row("--help, -h", "", "Show this page and exit."),
)
"""Options of every command."""


def print_command_help(usage: str, description: str, declared: Sequence[Declaration], examples: str) -> None:
    """Print the page of a command with the declared arguments and options, and a line for each example."""
    arguments = [declaration.option for declaration in declared if isinstance(declaration.option, Argument)]
    panels = {
        "Arguments": [Row(option.metavar, "", _format_option_help(option)) for option in arguments],
        "Options": list[Row](),
    }
    for declaration in declared:
        option = declaration.option
        if not isinstance(option, Argument):
            row = Row(", ".join(declaration.flags), option.metavar, _format_option_help(option))
            panels.setdefault(option.panel, []).append(row)
    panels["Options"] += COMMON_OPTIONS
    names = [option.metavar if option.required else f"[{option.metavar}]" for option in arguments]
    print_page(" ".join([usage, *names, "[OPTIONS]"]), description, panels, examples)


def print_page(usage: str, description: str, panels: Mapping[str, Sequence[Row]], examples: str) -> None:
    """Print a page of help; in `examples`, what follows `    # ` is a comment."""
    console = SafeConsole(highlight=False, emoji=False)
    console.width = min(console.width, WIDEST)
    console.print(Text.assemble(("Usage: ", "bold"), usage), end="\n\n")
    console.print(_embolden_backticks(re.sub(r"(?<!\n)\n(?!\n) *", " ", description.strip())), end="\n\n")
    for title, rows in panels.items():
        if rows:
            console.print(_draw_panel(title, rows))
    console.print(Text("\nExamples", style="bold"))
    for example in examples.strip().splitlines():
        line, mark, comment = example.partition("    # ")
        console.print(Text.assemble(f"  {line}", (f"{mark}{comment}", "dim")), soft_wrap=True)


def _draw_panel(title: str, rows: Sequence[Row]) -> Panel:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for row in rows:
        table.add_row(
            Text.assemble((row.name, "bold cyan"), (f" {row.metavar}", "yellow")), _embolden_backticks(row.text)
        )
    return Panel(table, title=title, title_align="left", border_style="dim", box=box.ROUNDED)


def _format_option_help(option: Option) -> str:
    """Return what an option does, with its default."""
    return f"{option.help} [default: {option.default_text}]" if option.default_text else option.help


def _embolden_backticks(text: str) -> Text:
    """Return a text with the words between backticks in bold."""
    pieces = text.split("`")
    return Text.assemble(*((piece, "bold" if number % 2 else "") for number, piece in enumerate(pieces)))
