"""The options that only hold'em has, and the spot they make."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import options

if TYPE_CHECKING:
    from rue.problems.problem import Problem

PANEL = "Hold'em"


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


@dataclass(frozen=True)
class SpotParts:
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
    def given(self) -> dict[str, Any]:
        """The options of a problem."""
        parts = asdict(self)
        apart = {"folder": parts.pop("data"), "isomorphism": not parts.pop("no_isomorphism"), "half": parts.pop("half")}
        return {**apart, "parts": {name: part for name, part in parts.items() if part is not None}}


def problem_of(game: str, parts: SpotParts, made: options.Made | None = None, streets: str | None = None) -> Problem:
    """The game or spot that was typed."""
    from rue.cli.console import aside
    from rue.problems.find import problem

    with aside():
        return problem(game, **parts.given, **({} if made is None else made.given), streets=streets)
