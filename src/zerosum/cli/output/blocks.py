"""Print the blocks by which results, estimates and decisions describe themselves."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from zerosum.cli.console import output, print_fields
from zerosum.results.blocks import Block, CurveBlock, GridBlock, Note, Rows, TableBlock

STYLES = {"plain": "", "heading": "bold", "hint": "dim"}


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print blocks below each other."""
    console = output()
    for block in blocks:
        if isinstance(block, Note):
            console.print(Text(block.text, style=STYLES[block.style]), soft_wrap=block.style != "hint")
        elif isinstance(block, Rows):
            print_fields(dict(block.items))
        elif isinstance(block, TableBlock):
            from zerosum.cli.output.tables import print_table

            print_table(block)
        elif isinstance(block, CurveBlock):
            print_curves(block)
        else:
            print_grid(block)


def print_curves(block: CurveBlock) -> None:
    """Print a small chart of curves, where there is something to draw."""
    from zerosum.cli.output.line_chart import AXIS_LABELS, line_chart

    console = output()
    width, plain = min(64, console.width - 24), console.options.ascii_only
    lines = line_chart(block.curves, AXIS_LABELS[block.x], width=width, ascii_only=plain)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)


def print_grid(block: GridBlock) -> None:
    """Print a grid of classes of hands."""
    from zerosum.cli.output.hand_grid import grid

    console = output()
    console.print(grid(block.classes, block.labels, console))
