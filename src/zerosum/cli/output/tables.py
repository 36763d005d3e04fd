"""Print tables, with bars and with columns per action that are folded to the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.measure import Measurement
from rich.text import Text

from zerosum.cli.console import WIDEST, new_table, output, print_unclipped
from zerosum.cli.output.bar import bar
from zerosum.results.blocks import Bars, TableBlock
from zerosum.support.text import format_percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from zerosum.results.blocks import ActionCells

MAX_BAR = 24
"""Columns of a bar without a percentage."""
OTHER_COLUMNS_WIDTH = 46
"""Columns of the terminal besides such bars and the first column."""


class ActionLayout(NamedTuple):
    """The actions that one part of a table shows, with the EV of each beside its frequency or below it."""

    actions: Sequence[int]
    beside: bool


def print_table(block: TableBlock) -> None:
    """Print a table of text and bars; one with columns per action as the width of the terminal allows."""
    console = output()
    if block.actions is not None:
        _print_action_table(block, block.actions, console)
        return
    printed = _text_table(block, console)
    if any(isinstance(column, Bars) for column in block.columns.values()):
        console.print(printed) if block.title else _print_folded(printed, console)
    else:
        print_unclipped(printed, console)


def _text_table(block: TableBlock, console: Console) -> Table:
    headings = [name for name, column in block.columns.items() if not (isinstance(column, Bars) and column.labelled)]
    printed = new_table(*headings, title=block.title or None, right=tuple(block.numbers))
    for name, column in block.columns.items():
        if isinstance(column, Bars) and column.labelled:
            printed.add_column(Text(name), no_wrap=True)
    if "" in headings:
        printed.padding = (0, 1, 0, 0)
        printed.columns[0].no_wrap = True
    first = next(iter(block.columns.values()))
    width = max(map(len, first), default=0) if not isinstance(first, Bars) else 0
    columns = [_cells(column, width, console) for column in block.columns.values()]
    for row in zip(*columns, strict=True):
        printed.add_row(*row)
    return printed


def _cells(column: Sequence[str] | Bars, first_width: int, console: Console) -> list[Text]:
    """Return the cells of a column."""
    if not isinstance(column, Bars):
        return [Text(text) for text in column]
    plain = console.options.ascii_only
    if column.labelled:
        return [
            Text("" if share is None else f"{format_percent(share):>5} {bar(share, plain)}") for share in column.shares
        ]
    from zerosum.cli.output.hand_grid import few_colours
    from zerosum.results.display.action_colours import sixteen

    width = max(0, min(MAX_BAR, console.width - OTHER_COLUMNS_WIDTH - first_width))
    shades = sixteen(column.names) if few_colours(console) else column.colours
    pairs = zip(column.shares, shades, strict=True)
    return [Text("" if share is None else bar(share, plain, width), style=shade) for share, shade in pairs]


def _print_action_table(block: TableBlock, actions: ActionCells, console: Console) -> None:
    """Print a table, or as many below each other as the width of the terminal makes of its actions."""
    numbers = range(len(actions.labels))
    for beside, count in [(True, len(numbers)), *((False, count) for count in range(len(numbers), 0, -1))]:
        batches = [numbers[start : start + count] for start in range(0, len(numbers), count)]
        tables = [_action_table(block, actions, ActionLayout(batch, beside)) for batch in batches]
        if count == 1 or all(_width(part, console) <= console.width for part in tables):
            for part in tables:
                _print_folded(part, console)
            return


def _action_table(block: TableBlock, actions: ActionCells, layout: ActionLayout) -> Table:
    title = "" if layout.actions[0] else block.title
    printed = new_table(*block.columns, title=title or None, right=tuple(block.numbers))
    printed.padding = (0, 1, 0, 0)
    printed.columns[0].no_wrap = True
    for action in layout.actions:
        label = actions.labels[action]
        heading = label if layout.beside else label.replace(" (", "\n(")
        printed.add_column(Text(heading, justify="right"), justify="right", no_wrap=True)
    for number, row in enumerate(zip(*block.columns.values(), strict=True)):
        cells = [_action_cell(actions.cells[action][number], layout.beside) for action in layout.actions]
        printed.add_row(*(Text(cell) for cell in row), *cells)
    return printed


def _action_cell(parts: tuple[str, ...], beside: bool) -> str:
    """Return how often an action is taken, and in brackets or below that what it earns and loses."""
    share, *amounts = parts
    return f"{share} ({', '.join(amounts)})" if beside else "\n".join(parts)


def _print_folded(printed: Table, console: Console) -> None:
    """Print a table; where it is wider than the terminal its lines are folded by the terminal, not cut."""
    printed.width = _width(printed, console)
    console.print(printed, soft_wrap=printed.width > console.width)


def _width(printed: Table, console: Console) -> int:
    return Measurement.get(console, console.options.update_width(WIDEST), printed).maximum
