"""The options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rue.errors import RueError


def whole(text: str) -> int:
    """A whole number, also written 1e6 or 1_000_000.

    >>> whole("2000"), whole("1e6")
    (2000, 1000000)
    """
    try:
        number = float(text.replace(",", ""))
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise RueError(f"{text!r} is not a whole number")


def natural(text: str) -> int:
    """A whole number that is not negative."""
    number = whole(text)
    if number < 0:
        raise RueError(f"{text!r} is negative")
    return number


def limit(text: str) -> float:
    """An exploitability; a percentage needs a pot, which only hold'em has."""
    if text.strip().endswith("%"):
        raise RueError(f"--until {text} is a share of a pot, and only hold'em has one: write a number")
    try:
        return float(text)
    except ValueError:
        raise RueError(f"--until must be a number, not {text!r}") from None


GAME = "A game like kuhn, leduc(suits=3), openspiel:leduc_poker or path/to/game.py:MyGame; see [bold]rue games[/bold]."
GAME_OR_SPOT = f"{GAME} For hold'em: holdem, spot:river, libratus:3, deepstack:river-5k:7 or a .toml or .json file."
Game = Annotated[str, typer.Argument(metavar="GAME", help=GAME, show_default=False)]
GameOrSpot = Annotated[str, typer.Argument(metavar="GAME", help=GAME_OR_SPOT, show_default=False)]
Iterations = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Stop after this many iterations (1000 if no limit is given)."),
]
Until = Annotated[float | None, typer.Option(parser=limit, metavar="EPS", help="Stop at this exploitability.")]
UntilText = Annotated[
    str | None,
    typer.Option("--until", metavar="EPS", help="Stop at this exploitability; hold'em: in chips, or 0.5% of the pot."),
]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Stop after this time.")]
Threads = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Threads, all cores by default; the result is the same."),
]
Refine = Annotated[bool, typer.Option("--refine", metavar="", help="Split infosets that forget what the player did.")]
Seed = Annotated[
    int | None, typer.Option(parser=natural, metavar="N", help="Start from random regrets instead of zero.")
]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the exploitability to an .svg, .png or .pdf file.")
]
Debug = Annotated[bool, typer.Option("--debug", metavar="", help="Show the traceback of an error.")]
