"""Print the blocks by which results, estimates and decisions describe themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from zerosum.cli.console import create_console, measure_table_widths, new_table, print_fields, print_unclipped
from zerosum.results.blocks import Bars, Block, CurveBlock, GridBlock, Note, Rows, TableBlock
from zerosum.support.text import format_percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from zerosum.results.blocks import ActionCells

STYLES = {"plain": "", "heading": "bold", "hint": "dim"}
MAX_CHART_WIDTH = 64
BAR_WIDTH = 6
"""Columns of a bar with a percentage."""
MAX_BAR_WIDTH = 24
"""Columns of a bar without a percentage."""
EIGHTHS = " ▏▎▍▌▋▊▉█"
OTHER_COLUMNS_WIDTH = 46
"""Columns of the terminal besides such bars and the first column."""


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print blocks below each other."""
    console = create_console()
    for block in blocks:
        if isinstance(block, Note):
            console.print(Text(block.text, style=STYLES[block.style]), soft_wrap=block.style != "hint")
        elif isinstance(block, Rows):
            print_fields(dict(block.items))
        elif isinstance(block, TableBlock):
            _print_table(block, console)
        elif isinstance(block, CurveBlock):
            _print_curves(block, console)
        else:
            _print_grid(block, console)


def _print_curves(block: CurveBlock, console: Console) -> None:
    from zerosum.cli.output.line_chart import AXIS_LABELS, draw_line_chart

    width, plain = min(MAX_CHART_WIDTH, console.width - 24), console.options.ascii_only
    lines = draw_line_chart(block.curves, AXIS_LABELS[block.x], width=width, ascii_only=plain)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)


def _print_grid(block: GridBlock, console: Console) -> None:
    from zerosum.cli.output.hand_grid import draw_hand_grid

    console.print(draw_hand_grid(block.classes, block.labels, console))


def _print_table(block: TableBlock, console: Console) -> None:
    if block.actions is not None:
        _print_action_table(block, block.actions, console)
        return
    printed = _build_text_table(block, console)
    if not any(isinstance(column, Bars) for column in block.columns.values()):
        print_unclipped(printed, console)
    elif block.title:
        console.print(printed)
    else:
        _print_folded(printed, console)


def _build_text_table(block: TableBlock, console: Console) -> Table:
    headings = [name for name, column in block.columns.items() if not (isinstance(column, Bars) and column.labelled)]
    printed = new_table(*headings, title=block.title, right=block.numbers, narrow="" in headings)
    for name, column in block.columns.items():
        if isinstance(column, Bars) and column.labelled:
            printed.add_column(Text(name), no_wrap=True)
    first = next(iter(block.columns.values()))
    width = max(map(len, first), default=0) if not isinstance(first, Bars) else 0
    columns = [_format_column(column, width, console) for column in block.columns.values()]
    for row in zip(*columns, strict=True):
        printed.add_row(*row)
    return printed


def _format_column(column: Sequence[str] | Bars, first_width: int, console: Console) -> list[Text]:
    if not isinstance(column, Bars):
        return [Text(text) for text in column]
    plain = console.options.ascii_only
    if column.labelled:
        return [
            Text("" if share is None else f"{format_percent(share):>5} {draw_bar(share, plain)}")
            for share in column.shares
        ]
    from zerosum.cli.output.hand_grid import has_few_colours
    from zerosum.results.display.action_colours import choose_terminal_colours

    width = max(0, min(MAX_BAR_WIDTH, console.width - OTHER_COLUMNS_WIDTH - first_width))
    shades = choose_terminal_colours(column.names) if has_few_colours(console) else column.colours
    pairs = zip(column.shares, shades, strict=True)
    return [Text("" if share is None else draw_bar(share, plain, width), style=shade) for share, shade in pairs]


def _print_action_table(block: TableBlock, actions: ActionCells, console: Console) -> None:
    """Print a table, or as many below each other as the width of the terminal makes of its actions."""
    numbers = range(len(actions.labels))
    for beside, count in [(True, len(numbers)), *((False, count) for count in range(len(numbers), 0, -1))]:
        batches = [numbers[start : start + count] for start in range(0, len(numbers), count)]
        tables = [_build_action_table(block, actions, batch, beside) for batch in batches]
        if count == 1 or all(measure_table_widths(part, console).maximum <= console.width for part in tables):
            for part in tables:
                _print_folded(part, console)
            return


def _build_action_table(block: TableBlock, actions: ActionCells, numbers: Sequence[int], beside: bool) -> Table:
    """Return a table of some of the actions, with the EV of each beside its frequency or below it."""
    title = "" if numbers[0] else block.title
    printed = new_table(*block.columns, title=title, right=block.numbers, narrow=True)
    for action in numbers:
        label = actions.labels[action]
        heading = label if beside else label.replace(" (", "\n(")
        printed.add_column(Text(heading, justify="right"), justify="right", no_wrap=True)
    for place, row in enumerate(zip(*block.columns.values(), strict=True)):
        cells = [_format_action_cell(actions.cells[action][place], beside) for action in numbers]
        printed.add_row(*(Text(cell) for cell in row), *cells)
    return printed


def _format_action_cell(parts: tuple[str, ...], beside: bool) -> str:
    """Return how often an action is taken, and in brackets or below that what it earns and loses."""
    share, *amounts = parts
    return f"{share} ({', '.join(amounts)})" if beside else "\n".join(parts)


def _print_folded(printed: Table, console: Console) -> None:
    """Print a table; where it is wider than the terminal its lines are folded by the terminal, not cut."""
    printed.width = measure_table_widths(printed, console).maximum
    console.print(printed, soft_wrap=printed.width > console.width)


def draw_bar(share: float, ascii_only: bool = False, width: int = BAR_WIDTH) -> str:
    """Return a bar of characters.

    >>> draw_bar(0.5), draw_bar(0.5, True)
    ('███   ', '###   ')
    """
    if ascii_only:
        return ("#" * round(share * width)).ljust(width)
    full, rest = divmod(round(share * width * 8), 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width)
