"""A range as people know it: 13 by 13 classes of hands, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.style import Style
from rich.text import Text

from rue.cli.chart import LETTERS
from rue.views.charts import CellView, ChartView
from rue.views.colours import Colour, colours, hexadecimal, mixed, sixteen
from rue.views.decision import SIDE, ClassView, DecisionView, class_at

if TYPE_CHECKING:
    from rich.console import Console

DARK: Colour = (24, 24, 28)
PALEST = 0.45
"""How strong the colour of a class is of which next to nothing is left, where there are colours enough for shades."""
WIDTH, NARROW = 5, 4
"""Columns of a cell, and where there is no room for that."""
MOSTLY = 0.9


def few_colours(console: Console) -> bool:
    """Whether a terminal has sixteen colours, too few for shades."""
    return console.color_system in ("standard", "windows")


def grid(decision: DecisionView | ChartView, console: Console) -> Text:
    """The range of a decision as a block of text: coloured by action, or with letters where there are few colours."""
    width = WIDTH if console.width >= SIDE * (WIDTH + 1) else NARROW
    if SIDE * (width + 1) > console.width + 1:
        needed = SIDE * (NARROW + 1) - 1
        return Text(f"the grid of hands needs {needed} columns and here are {console.width}: --by class lists them")
    plain = console.color_system is None or console.no_color
    cells: tuple[ClassView | CellView, ...] = decision.classes
    there = {(cell.row, cell.column): cell for cell in cells}
    letters = _letters(decision.actions, None if plain else sixteen(decision.actions))
    exact = None if plain or few_colours(console) else colours(decision.actions)
    block = Text(no_wrap=True)
    for row in range(SIDE):
        for column in range(SIDE):
            cell = there.get((row, column))
            if cell is None:
                empty = "." if exact is None else f"{' ' * (width - 4)}{class_at(row, column)[0]}"
                block.append(f"{empty:<{width}}", style="" if exact is None else "bright_black")
            elif exact is None:
                _write(block, cell, letters, width)
            else:
                _paint(block, cell, exact, width, console.color_system == "truecolor")
            if column < SIDE - 1:
                block.append(" ")
        block.append("\n")
    block.append(_legend(decision.labels, letters if exact is None else None, exact))
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


def _paint(block: Text, cell: ClassView | CellView, palette: list[Colour], width: int, shaded: bool) -> None:
    label = f"{' ' * (width - 4)}{cell.name:<4}"
    strength = PALEST + (1 - PALEST) * cell.share**0.5 if shaded else 1.0
    for character, action in zip(label, segments(list(cell.strategy.values()), width), strict=True):
        back = mixed(DARK, palette[action], strength)
        front = "black" if 0.3 * back[0] + 0.59 * back[1] + 0.11 * back[2] > 115 else "white"
        block.append(character, style=Style(color=front, bgcolor=hexadecimal(back), bold=True))


def _letters(actions: Sequence[str], shades: Sequence[str] | None) -> list[tuple[str, str]]:
    """A letter and a style for each action."""
    styles = [""] * len(actions) if shades is None else [f"bold {shade}" for shade in shades]
    return [(LETTERS[number % len(LETTERS)], style) for number, style in enumerate(styles)]


def _write(block: Text, cell: ClassView | CellView, letters: Sequence[tuple[str, str]], width: int) -> None:
    """A class with the letter of its most frequent action, a capital if it is nearly always taken."""
    shares = list(cell.strategy.values())
    best = shares.index(max(shares))
    letter, style = letters[best]
    told = letter.upper() if shares[best] >= MOSTLY else letter
    block.append(f"{cell.name:<{width - 1}}{told}", style=style)


def _legend(labels: Sequence[str], letters: Sequence[tuple[str, str]] | None, palette: Sequence[Colour] | None) -> Text:
    legend = Text(no_wrap=False)
    for number, label in enumerate(labels):
        if letters is not None:
            letter, style = letters[number]
            legend.append(f"{letter} {label}", style=style)
            legend.append("   ")
        elif palette is not None:
            legend.append("  ", style=Style(bgcolor=hexadecimal(palette[number])))
            legend.append(f" {label}   ")
    if letters is not None:
        legend.append(f"(the most frequent action; capital: at least {MOSTLY:.0%})")
    return legend
