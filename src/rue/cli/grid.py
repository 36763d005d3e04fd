"""A range as people know it: 13 by 13 classes of hands, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.style import Style
from rich.text import Text

from rue.holdem.cards import RANKS
from rue.holdem.ranges import class_hands

if TYPE_CHECKING:
    from rich.console import Console

    from rue.forms.public_tree import Floats
    from rue.holdem.solution import Point

Colour = tuple[int, int, int]
FOLD: Colour = (77, 116, 176)
PASSIVE: Colour = (96, 168, 104)
SMALL: Colour = (240, 170, 96)
LARGE: Colour = (190, 44, 44)
ALLIN: Colour = (122, 28, 92)
DARK: Colour = (24, 24, 28)
PALEST = 0.45
"""How strong the colour of a class is of which next to nothing is left."""
WIDTH = 5
"""Columns of a cell."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOSTLY = 0.9


class Cell(NamedTuple):
    """A class of hands at a point: `share` is how much of it is left, `actions` what it does, `ev` what it earns."""

    name: str
    share: float
    weight: float
    actions: Floats
    ev: float
    evs: Floats


def cells(point: Point, original: Floats | None = None) -> list[list[Cell | None]]:
    """The classes of a point's range, from aces down; none where no hand is left.

    `original` are the 1,326 weights that count as whole; without them, a weight of 1 does.
    """
    place = np.full(len(point.ranges[0]), -1)
    place[point.hands] = np.arange(len(point.hands))
    return [[_cell(point, row, column, place, original) for column in range(13)] for row in range(13)]


def _cell(point: Point, row: int, column: int, place: Floats, original: Floats | None) -> Cell | None:
    high, low = 12 - min(row, column), 12 - max(row, column)
    kind = "" if row == column else "s" if row < column else "o"
    numbers = class_hands(high, low, kind)
    own = place[numbers]
    own = own[own >= 0].astype(int)
    reach = point.reach[own]
    weight = float(reach.sum())
    if weight <= 0:
        return None
    whole = len(numbers) if original is None else float(original[numbers].sum())
    likelihood = point.likelihood[own]
    mean = likelihood / likelihood.sum() if likelihood.any() else reach / weight
    name, left = RANKS[high] + RANKS[low] + kind, min(1.0, weight / max(whole, 1e-12))
    return Cell(
        name, left, weight, point.strategy[:, own] @ mean, float(point.ev[own] @ mean), point.evs[:, own] @ mean
    )


def colours(actions: Sequence[str]) -> list[Colour]:
    """A colour for each action: blue folds, green checks and calls, orange to red bets, purple all-in."""
    sized = [action for action in actions if action.split()[0] in ("bet", "raise")]
    found: list[Colour] = []
    for action in actions:
        if action in sized:
            found.append(_mixed(SMALL, LARGE, sized.index(action) / max(1, len(sized) - 1)))
        else:
            found.append({"fold": FOLD, "allin": ALLIN}.get(action, PASSIVE))
    return found


def grid(point: Point, console: Console, original: Floats | None = None) -> Text:
    """The range of a point as a block of text: coloured by action, or with letters where there is no colour."""
    plain = console.color_system is None or console.no_color
    palette = colours(point.actions)
    block = Text(no_wrap=True)
    for row, line in enumerate(cells(point, original)):
        for column, cell in enumerate(line):
            if cell is None:
                block.append(f"{_empty(row, column, plain):<{WIDTH}}", style="" if plain else "bright_black")
            elif plain:
                block.append(f"{cell.name:<3} {_letter(cell)}")
            else:
                _paint(block, cell, palette)
            block.append(" ")
        block.append("\n")
    block.append(_legend(point.actions, palette, plain))
    return block


def segments(shares: Floats, width: int) -> list[int]:
    """Which action each of a number of columns shows: whole columns that come nearest to the shares.

    >>> segments(np.array([0.5, 0.3, 0.2]), 5)
    [0, 0, 0, 1, 2]
    """
    exact = np.asarray(shares) * width
    whole = np.floor(exact + 1e-9).astype(int)
    for action in np.argsort(-(exact - whole), kind="stable")[: width - whole.sum()]:
        whole[action] += 1
    return [action for action, count in enumerate(whole) for _ in range(count)][:width]


def _paint(block: Text, cell: Cell, palette: list[Colour]) -> None:
    label = f" {cell.name:<{WIDTH - 1}}"
    strength = PALEST + (1 - PALEST) * cell.share**0.5
    for character, action in zip(label, segments(cell.actions, WIDTH), strict=True):
        back = _mixed(DARK, palette[action], strength)
        front = "black" if 0.3 * back[0] + 0.59 * back[1] + 0.11 * back[2] > 115 else "white"
        block.append(character, style=Style(color=front, bgcolor=_code(back), bold=True))


def _letter(cell: Cell) -> str:
    """The letter of the most frequent action, a capital if it is nearly always taken."""
    best = int(cell.actions.argmax())
    letter = LETTERS[best % len(LETTERS)]
    return letter.upper() if cell.actions[best] >= MOSTLY else letter


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


def _empty(row: int, column: int, plain: bool) -> str:
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return "." if plain else f" {high}{low}" + ("" if row == column else "s" if row < column else "o")


def _mixed(one: Colour, two: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return red, green, blue


def _code(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
