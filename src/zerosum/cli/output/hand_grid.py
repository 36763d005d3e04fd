"""Print a 13 by 13 grid of hand classes, in colour or with letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.style import Style
from rich.text import Text

from zerosum.cli.output.line_chart import LETTERS
from zerosum.games.poker.hole_cards import SIDE, class_name
from zerosum.results.display.action_colours import (
    Colour,
    choose_colours,
    choose_terminal_colours,
    format_colour,
    mix_colours,
)

if TYPE_CHECKING:
    from rich.console import Console

    from zerosum.results.blocks import ClassTable

BACKGROUND: Colour = (24, 24, 28)
MIN_STRENGTH = 0.45
"""Strength of the colour of a class of which next to nothing is left, in terminals with shades."""
WIDTH, NARROW = 5, 4
"""Columns of a cell, and of one in a narrow terminal."""
NEARLY_ALWAYS = 0.9


def has_few_colours(console: Console) -> bool:
    """Return whether a terminal has sixteen colours, too few for shades."""
    return console.color_system in ("standard", "windows")


def draw_hand_grid(classes: ClassTable, labels: Sequence[str], console: Console) -> Text:
    """Return the classes of a range as a block of text: coloured by action, or with letters where colours are few.

    labels: the actions as people read them.
    """
    width = WIDTH if console.width >= SIDE * (WIDTH + 1) else NARROW
    if SIDE * (width + 1) > console.width + 1:
        needed = SIDE * (NARROW + 1) - 1
        room = f"needs {needed} columns and the terminal has {console.width}"
        return Text(f"the grid of hands {room}: list the classes with --by class")
    plain = console.color_system is None or console.no_color
    cells = _group_cells_by_place(classes)
    exact = None if plain or has_few_colours(console) else choose_colours(classes.actions)
    styles = [""] * len(labels) if plain else [f"bold {colour}" for colour in choose_terminal_colours(classes.actions)]
    letters = [(LETTERS[number % len(LETTERS)], style) for number, style in enumerate(styles)]
    block = Text(no_wrap=True)
    for row in range(SIDE):
        for column in range(SIDE):
            cell = cells.get(SIDE * row + column)
            if cell is None:
                empty = "." if exact is None else f"{' ' * (width - 4)}{class_name(row, column)}"
                block.append(f"{empty:<{width}}", style="" if exact is None else "bright_black")
            elif exact is None:
                _append_letter_cell(block, cell, letters, width)
            else:
                _append_colour_cell(block, cell, exact, width, console.color_system == "truecolor")
            if column < SIDE - 1:
                block.append(" ")
        block.append("\n")
    block.append(_draw_legend(labels, letters if exact is None else None, exact))
    return block


class _Cell(NamedTuple):
    """A class of hands: its name, how much of it is left, and how often it takes each action."""

    name: str
    share: float
    frequencies: list[float]


def _group_cells_by_place(classes: ClassTable) -> dict[int, _Cell]:
    """Return the classes by their place in the grid."""
    assert classes.frequency is not None
    rows = zip(classes.name, classes.start_share.tolist(), classes.frequency.T.tolist(), strict=True)
    return {place: _Cell(*row) for place, row in zip(classes.group.tolist(), rows, strict=True)}


def assign_columns(shares: Sequence[float], width: int) -> list[int]:
    """Return which action each of a number of columns shows: whole columns that come nearest to the shares.

    >>> assign_columns([0.5, 0.3, 0.2], 5)
    [0, 0, 0, 1, 2]
    """
    exact = np.asarray(shares) * width
    whole = np.floor(exact + 1e-9).astype(int)
    for action in np.argsort(-(exact - whole), kind="stable")[: width - whole.sum()]:
        whole[action] += 1
    return [action for action, count in enumerate(whole) for _ in range(count)][:width]


def _append_colour_cell(block: Text, cell: _Cell, palette: list[Colour], width: int, shaded: bool) -> None:
    label = f"{' ' * (width - 4)}{cell.name:<4}"
    strength = MIN_STRENGTH + (1 - MIN_STRENGTH) * cell.share**0.5 if shaded else 1.0
    for character, action in zip(label, assign_columns(cell.frequencies, width), strict=True):
        back = mix_colours(BACKGROUND, palette[action], strength)
        front = "black" if 0.3 * back[0] + 0.59 * back[1] + 0.11 * back[2] > 115 else "white"
        block.append(character, style=Style(color=front, bgcolor=format_colour(back), bold=True))


def _append_letter_cell(block: Text, cell: _Cell, letters: Sequence[tuple[str, str]], width: int) -> None:
    """Append a class with the letter of its most frequent action, a capital if it is nearly always taken."""
    share = max(cell.frequencies)
    letter, style = letters[cell.frequencies.index(share)]
    block.append(f"{cell.name:<{width - 1}}{letter.upper() if share >= NEARLY_ALWAYS else letter}", style=style)


def _draw_legend(
    labels: Sequence[str], letters: Sequence[tuple[str, str]] | None, palette: Sequence[Colour] | None
) -> Text:
    legend = Text(no_wrap=False)
    for number, label in enumerate(labels):
        if letters is not None:
            letter, style = letters[number]
            legend.append(f"{letter} {label}", style=style)
            legend.append("   ")
        elif palette is not None:
            legend.append("  ", style=Style(bgcolor=format_colour(palette[number])))
            legend.append(f" {label}   ")
    if letters is not None:
        legend.append(f"(the most frequent action; capital: at least {NEARLY_ALWAYS:.0%})")
    return legend
