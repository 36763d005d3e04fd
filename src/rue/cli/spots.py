"""The options that only hold'em has, and the spot they make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import options
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.holdem.spots import Spot

PANEL = "Hold'em"
HOLDEM = "holdem"
PREFIXES = ("spot:", "libratus:", "deepstack:")
SUFFIXES = (".toml", ".json")
NEEDED = ("board", "pot", "stack")


def _text(metavar: str, help: str, *names: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=PANEL)


def _flag(name: str, help: str) -> Any:
    return typer.Option(name, metavar="", help=help, rich_help_panel=PANEL)


Board = Annotated[str | None, _text("CARDS", 'Three, four or five cards, like "Ks 7h 2d 9c".')]
Pot = Annotated[float | None, _text("CHIPS", "Chips in the middle, half of them from each player.")]
Stack = Annotated[str | None, _text("CHIPS", "Chips behind each player; of two, 9750,12000, the smaller one counts.")]
Oop = Annotated[str | None, _text("RANGE", 'The range out of position, like "22+,A2s+,KTs+:0.5", 25% or random.')]
Ip = Annotated[str | None, _text("RANGE", "The range in position.")]
Bets = Annotated[str | None, _text("SIZES", 'Like "50%,100%,allin", or "50%; river: 75%,allin"; also 2.5x, 300, none.')]
Raises = Annotated[str | None, _text("SIZES", 'Like "100%,allin"; of the pot after a call.')]
Cap = Annotated[
    int | None,
    typer.Option(parser=options.natural, metavar="N", help="Bets and raises in a round.", rich_help_panel=PANEL),
]
Threshold = Annotated[
    float | None,
    _text("SHARE", "A bet that leaves at most this share of the pot behind is all-in.", "--allin-threshold"),
]
Minimum = Annotated[float | None, _text("CHIPS", "The smallest bet; a big blind by default.")]
BigBlind = Annotated[float | None, _text("CHIPS", "For results in mbb/g; 100 by default.", "--big-blind")]
Data = Annotated[Path | None, _text("FOLDER", "Where the files of libratus:1 to libratus:4 are.")]
Line = Annotated[str | None, _text("LINE", 'Show the decision after a line like "check bet50 call 4d".')]
Hand = Annotated[str | None, _text("HANDS", "Show single hands, like AKs or AsKd, with --line or at the root.")]
Streets = Annotated[
    str | None,
    _text("STREETS", 'Keep these, like "flop,turn", in a finished run; the others are solved again when looked at.'),
]
NoIsomorphism = Annotated[
    bool, _flag("--no-isomorphism", "Store every board, also those that only differ by interchangeable suits.")
]
Half = Annotated[bool, _flag("--half", "Store 16-bit numbers: half the memory, good to about 0.02% of the pot.")]
DryRun = Annotated[bool, _flag("--dry-run", "Show the size of the tree, the memory and the time, and stop.")]


def is_spot(game: str) -> bool:
    """Whether a game is a hold'em spot.

    >>> is_spot("holdem"), is_spot("libratus:3"), is_spot("my.toml"), is_spot("leduc")
    (True, True, True, False)
    """
    name = game.strip().lower()
    return name == HOLDEM or name.startswith(PREFIXES) or name.endswith(SUFFIXES)


@dataclass(frozen=True)
class Given:
    """What was typed of a spot."""

    board: Board = None
    pot: Pot = None
    stack: Stack = None
    oop: Oop = None
    ip: Ip = None
    bets: Bets = None
    raises: Raises = None
    cap: Cap = None
    allin_threshold: Threshold = None
    minimum: Minimum = None
    big_blind: BigBlind = None
    data: Data = None
    no_isomorphism: NoIsomorphism = False
    half: Half = False

    @property
    def fields(self) -> dict[str, Any]:
        """The parts of a spot that were given."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: part for name, part in parts.items() if part is not None and name not in APART}


APART = ("data", "no_isomorphism", "half")
"""Options that are no part of a spot."""


def refuse(game: str, given: Given, **others: Any) -> None:
    """Refuse options of hold'em for another game."""
    apart = {name: getattr(given, name) for name in APART}
    for name, value in {**given.fields, **apart, **others}.items():
        if value not in (None, False):
            raise RueError(
                f"--{name.replace('_', '-')} is an option of hold'em, and {game} is another game: "
                "use it with rue solve holdem"
            )


def refuse_general(**given: object) -> None:
    """Refuse options of other games for hold'em."""
    for name, value in given.items():
        if value not in (None, False):
            raise RueError(f"--{name.replace('_', '-')} does not go with hold'em")


def make_spot(game: str, options: Given) -> Spot:
    """The spot of a name, a file or of the options alone; options change what a name or a file says."""
    from rue.holdem.files import load_spot, to_mapping
    from rue.holdem.spots import spot

    given, data = options.fields, options.data
    name = game.strip()
    if data is not None and not name.lower().startswith("libratus:"):
        raise RueError("--data names the folder of libratus:1 to libratus:4, and goes with them only")
    if name.lower() == HOLDEM:
        missing = [option for option in NEEDED if option not in given]
        if missing:
            raise RueError(f"a hold'em spot needs --{missing[0]}, or name one like spot:river, libratus:3 or my.toml")
        return spot(**given)
    known = load_spot(name[5:] if name.lower().startswith("spot:") else name, data)
    if not given:
        return known
    fields = {**to_mapping(known), **given}
    if "bets" in given and fields.pop("by", "") == "actions" and "raises" not in given:
        fields["raises"] = None
    if fields.get("name"):
        fields["name"] += ", changed"
    return spot(**fields)
