"""A decision of a solved spot, for people: what the range does, the grid, what hands earn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rue.cli.console import output, table
from rue.cli.grid import Cell, cells, colours, grid
from rue.cli.show import bar, percent
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.holdem.solution import Point
    from rue.holdem.spots import Spot

UNIT = "how often each action is taken; EV in chips net of half the pot"
LIMIT = 30
"""Rows of a table of hands."""


def show_point(point: Point, spot: Spot, hand: str | None = None, limit: int | None = None, hands: bool = True) -> None:
    """Frequencies, the grid and a table of hands; with `hand` only hands like AKs, one by one."""
    from rich.text import Text

    from rue.holdem.bets import chips
    from rue.holdem.solution import PLAYERS

    rows = list(_combos(point, hand)) if hand is not None else []
    console = output()
    line = ", ".join(point.line)
    console.print()
    console.print(
        Text(
            f"{point.board}{f', {line}' if line else ''}: {PLAYERS[point.player]} to act, pot {chips(point.pot)}, "
            f"equity {'unknown' if math.isnan(point.equity) else f'{point.equity:.1%}'}",
            style="bold",
        ),
        soft_wrap=True,
    )
    frequencies = table("action", "frequency", "", "hands", right=("frequency", "hands"))
    hands_taken = (point.strategy @ point.reach).tolist()
    taken = zip(point.frequencies.items(), hands_taken, colours(point.actions), strict=True)
    for (action, share), held, colour in taken:
        bars = Text(bar(share, console.options.ascii_only, 24), style="rgb({},{},{})".format(*colour))
        frequencies.add_row(Text(action), f"{share:.1%}", bars, f"{held:.1f}")
    console.print(frequencies)
    console.print(grid(point, console, spot.weights[point.player]))
    if hand is not None:
        console.print()
        console.print(_table(point, rows, f"{hand}: {UNIT}", console.width))
    elif hands:
        found = sorted((c for line in cells(point) for c in line if c is not None), key=lambda cell: -cell.weight)
        shown = found[: limit or LIMIT]
        console.print()
        console.print(_table(point, shown, f"classes of hands: {UNIT}", console.width))
        if len(found) > len(shown):
            console.print(
                f"{len(found) - len(shown)} of {len(found)} classes left out: --limit {len(found)} shows them, "
                "--hand AKs shows single hands",
                soft_wrap=True,
            )


def content(point: Point, hand: str | None = None) -> dict[str, Any]:
    """A decision, ready for JSON."""
    from rue.holdem.cards import hand_name
    from rue.holdem.solution import PLAYERS

    equities = {hand_name(int(number)): equity for number, equity in zip(point.hands, point.equities, strict=True)}
    return {
        "line": list(point.line),
        "board": point.board,
        "player": PLAYERS[point.player],
        "pot": point.pot,
        "equity": _known(point.equity),
        "frequencies": point.frequencies,
        "hands": [
            {
                "hand": cell.name,
                "reach": cell.weight,
                "equity": _known(equities[cell.name]),
                "ev": cell.ev,
                "strategy": dict(zip(point.actions, cell.actions.tolist(), strict=True)),
                "evs": dict(zip(point.actions, cell.evs.tolist(), strict=True)),
            }
            for cell in _combos(point, hand)
        ],
    }


def _known(share: float) -> float | None:
    """A number for JSON, which has no nan."""
    return None if math.isnan(share) else float(share)


def _combos(point: Point, hand: str | None) -> Iterator[Cell]:
    """The hands of a point one by one, all or those of a text like AKs or AsKd."""
    from rue.holdem.cards import hand_name
    from rue.holdem.ranges import Range

    wanted = np.ones(len(point.ranges[0])) if hand is None else Range.parse(hand).weights
    numbers = [k for k, number in enumerate(point.hands) if wanted[number] > 0 and point.reach[k] > 0]
    if not numbers:
        raise RueError(f"no hand of {hand} gets here")
    for k in sorted(numbers, key=lambda k: -int(point.hands[k])):
        name = hand_name(int(point.hands[k]))
        yield Cell(name, 1.0, float(point.reach[k]), point.strategy[:, k], float(point.ev[k]), point.evs[:, k])


def _table(point: Point, rows: list[Cell], title: str, width: int) -> object:
    """A row a class or hand: how often it takes each action and, where there is room, what the action earns."""
    from rich.text import Text

    made = table("hand", "weight", "EV", title=title, right=("weight", "EV"))
    made.columns[0].no_wrap = True
    roomy = 25 + 15 * len(point.actions) <= width
    for action in point.actions:
        made.add_column(Text(f"{action} (EV)" if roomy else action), justify="right", no_wrap=True)
    for cell in rows:
        pieces = [
            f"{percent(share)} {f'({_chips(earned)})':>8}" if roomy else percent(share)
            for share, earned in zip(cell.actions, cell.evs, strict=True)
        ]
        made.add_row(Text(cell.name), f"{cell.weight:.2f}", _chips(cell.ev), *pieces)
    return made


def _chips(amount: float) -> str:
    """Chips won or lost, short.

    >>> _chips(1234.5), _chips(-3.14159)
    ('+1234', '-3.1')
    """
    return f"{amount:+.0f}" if abs(amount) >= 1000 else f"{amount:+.1f}"
