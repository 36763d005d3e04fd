"""Pages of help: usage, description, options in panels, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from zerosum.cli.console import SafeConsole
from zerosum.support.options import Argument, Declaration

WIDEST = 100
"""Columns beyond which lines of text are hard to read."""


class Row(NamedTuple):
    """A line of a panel: a command, an argument, or the flags of an option, with its value and its description."""

    name: str
    metavar: str
    text: str


COMMON = (Row("--debug", "", "Show the traceback of an error."), Row("--help, -h", "", "Show this page and exit."))
"""Options of every command."""


class Example(NamedTuple):
    """A line that can be typed, and what it does where that is not obvious."""

    line: str
    comment: str = ""


def print_help(
    usage: str,
    description: str,
    declared: Sequence[Declaration],
    examples: Iterable[Example],
    commands: Iterable[Row] = (),
    more: Iterable[Row] = (),
) -> None:
    """Print a page of help; `more` are options that are not declared, `commands` those of the whole program."""
    arguments = [declaration for declaration in declared if isinstance(declaration.option, Argument)]
    names = [item.option.metavar if item.option.required else f"[{item.option.metavar}]" for item in arguments]
    panels: dict[str, list[Row]] = {"Arguments": [Row(item.option.metavar, "", _help(item)) for item in arguments]}
    panels["Options"] = []
    for declaration in declared:
        if declaration not in arguments:
            row = Row(", ".join(declaration.flags), declaration.option.metavar, _help(declaration))
            panels.setdefault(declaration.option.panel, []).append(row)
    panels["Options"] += [*more, *COMMON]
    panels["Commands"] = list(commands)
    console = SafeConsole(highlight=False, emoji=False)
    console.width = min(console.width, WIDEST)
    console.print(Text.assemble(("Usage: ", "bold"), " ".join([usage, *names, "[OPTIONS]"])), end="\n\n")
    console.print(_styled(re.sub(r"(?<!\n)\n(?!\n) *", " ", description.strip())), end="\n\n")
    for title, rows in panels.items():
        if rows:
            console.print(_panel(title, rows))
    console.print(Text("\nExamples", style="bold"))
    for example in examples:
        comment = f"    # {example.comment}" if example.comment else ""
        console.print(Text.assemble(f"  {example.line}", (comment, "dim")), soft_wrap=True)


def _panel(title: str, rows: list[Row]) -> Panel:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for row in rows:
        table.add_row(Text.assemble((row.name, "bold cyan"), (f" {row.metavar}", "yellow")), _styled(row.text))
    return Panel(table, title=title, title_align="left", border_style="dim", box=box.ROUNDED)


def _help(declaration: Declaration) -> str:
    """Return what an option does, with its default."""
    option = declaration.option
    return f"{option.help} [default: {option.default_text}]" if option.default_text else option.help


def _styled(text: str) -> Text:
    """Return a text with the words between backticks in bold."""
    pieces = text.split("`")
    return Text.assemble(*((piece, "bold" if number % 2 else "") for number, piece in enumerate(pieces)))
