"""The options that only hold'em has, and the spot they make."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import typed

if TYPE_CHECKING:
    from rue.problems.problem import Problem

PANEL = "Hold'em"

option, flag = partial(typed.option, rich_help_panel=PANEL), partial(typed.flag, rich_help_panel=PANEL)
Streets = Annotated[
    str | None,
    typer.Option(
        metavar="STREETS",
        help='Keep these, like "flop,turn", in a finished run; the others are solved again when looked at. '
        "A run that time stopped keeps all, to go on.",
        rich_help_panel=PANEL,
    ),
]


@dataclass(frozen=True)
class SpotParts:
    """What was typed of a spot."""

    board: str | None = option("CARDS", 'Three, four or five cards, like "Ks 7h 2d 9c".')
    pot: float | None = option("CHIPS", "Chips in the middle, half of them from each player.")
    stack: str | None = option("CHIPS", "Chips behind each player; of two, 9750,12000, the smaller one counts.")
    oop: str | None = option("RANGE", 'The range out of position, like "22+,A2s+,KTs+:0.5", 25% or random.')
    ip: str | None = option("RANGE", "The range in position.")
    bets: str | None = option("SIZES", 'Like "50%,100%,allin", or "50%; river: 75%,allin"; also 2.5x, 300, none.')
    raises: str | None = option("SIZES", 'Like "100%,allin"; of the pot after a call.')
    cap: int | None = option("N", "Bets and raises in a round.", parser=typed.natural)
    allin_threshold: float | None = option("SHARE", "A bet that leaves at most this share of the pot behind is all-in.")
    minimum: float | None = option("CHIPS", "The smallest bet; a big blind by default.")
    big_blind: float | None = option("CHIPS", "For results in mbb/g; 100 by default.")
    data: Path | None = typed.option(
        "FOLDER", "Where the files of libratus:1 to libratus:4 are.", rich_help_panel=PANEL
    )
    no_isomorphism: bool = flag(
        "--no-isomorphism", "Store every board, also those that only differ by interchangeable suits."
    )
    half: bool = flag("--half", "Store 16-bit numbers: half the memory, good to about 0.02% of the pot.")

    @property
    def given(self) -> dict[str, Any]:
        """The options of a problem."""
        parts = asdict(self)
        apart = {"folder": parts.pop("data"), "isomorphism": not parts.pop("no_isomorphism"), "half": parts.pop("half")}
        return {**apart, "parts": {name: part for name, part in parts.items() if part is not None}}


@dataclass(frozen=True)
class Asked:
    """Which decision of a spot is looked at, as it was typed."""

    line: str | None = option("LINE", 'Show the decision after a line like "check bet50 call 4d".')
    hand: str | None = option(
        "HANDS", 'Show some hands: AKs, AsKd, "top pair", "sets, top pair with flush draw".', "--hands", "--hand"
    )
    unit: str | None = option("chips|bb|pot", "Tell EVs in chips (the default), big blinds or % of the first pot.")
    by: str | None = option("made|class|hand", "List made hands and draws, classes like AKs, or single hands.")


def problem_of(game: str, parts: SpotParts, **made: Any) -> Problem:
    """The game or spot that was typed."""
    from rue.cli.console import aside
    from rue.problems.find import problem

    with aside():
        return problem(game, **parts.given, **made)
