"""A range as people know it: 13 by 13 classes of hands, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.style import Style
from rich.text import Text

from rue.cli.chart import LETTERS
from rue.views.charts import CellView, ChartView
from rue.views.colours import Colour, colours, mixed
from rue.views.decision import SIDE, ClassView, DecisionView, class_at

if TYPE_CHECKING:
    from rich.console import Console

DARK: Colour = (24, 24, 28)
PALEST = 0.45
"""How strong the colour of a class is of which next to nothing is left."""
WIDTH = 5
"""Columns of a cell."""
MOSTLY = 0.9


def grid(decision: DecisionView | ChartView, console: Console) -> Text:
    """The range of a decision as a block of text: coloured by action, or with letters where there is no colour."""
    plain = console.color_system is None or console.no_color
    palette = colours(decision.actions)
    cells: tuple[ClassView | CellView, ...] = decision.classes
    there = {(cell.row, cell.column): cell for cell in cells}
    block = Text(no_wrap=True)
    for row in range(SIDE):
        for column in range(SIDE):
            cell = there.get((row, column))
            if cell is None:
                empty = "." if plain else f" {class_at(row, column)[0]}"
                block.append(f"{empty:<{WIDTH}}", style="" if plain else "bright_black")
            elif plain:
                block.append(f"{cell.name:<3} {_letter(cell)}")
            else:
                _paint(block, cell, palette)
            block.append(" ")
        block.append("\n")
    block.append(_legend(decision.actions, palette, plain))
    return block


def segments(shares: Sequence[float], width: int) -> list[int]:
    """Which action each of a number of columns shows: whole columns that come nearest to the shares.

    >>> segments([0.5, 0.3, 0.2], 5)
    [0, 0, 0, 1, 2]
    """
    exact = np.asarray(shares) * width
    whole = np.floor(exact + 1e-9).astype(int)
    for action in np.argsort(-(exact - whole), kind="stable")[: width - whole.sum()]:
        whole[action] += 1
    return [action for action, count in enumerate(whole) for _ in range(count)][:width]


def _paint(block: Text, cell: ClassView | CellView, palette: list[Colour]) -> None:
    label = f" {cell.name:<{WIDTH - 1}}"
    strength = PALEST + (1 - PALEST) * cell.share**0.5
    for character, action in zip(label, segments(list(cell.strategy.values()), WIDTH), strict=True):
        back = mixed(DARK, palette[action], strength)
        front = "black" if 0.3 * back[0] + 0.59 * back[1] + 0.11 * back[2] > 115 else "white"
        block.append(character, style=Style(color=front, bgcolor=_code(back), bold=True))


def _letter(cell: ClassView | CellView) -> str:
    """The letter of the most frequent action, a capital if it is nearly always taken."""
    shares = list(cell.strategy.values())
    best = shares.index(max(shares))
    letter = LETTERS[best % len(LETTERS)]
    return letter.upper() if shares[best] >= MOSTLY else letter


def _legend(actions: Sequence[str], palette: list[Colour], plain: bool) -> Text:
    legend = Text(no_wrap=False)
    for number, (action, colour) in enumerate(zip(actions, palette, strict=True)):
        if plain:
            legend.append(f"{LETTERS[number % len(LETTERS)]} {action}   ")
        else:
            legend.append("  ", style=Style(bgcolor=_code(colour)))
            legend.append(f" {action}   ")
    if plain:
        legend.append(f"(the most frequent action; capital: at least {MOSTLY:.0%})")
    return legend


def _code(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
