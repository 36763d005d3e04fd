"""The options that only hold'em has, and the spot they make."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import typed
from rue.records import dataclass

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
    tree: str | None = option("simple|standard|rich", "Bets by name; see [bold]rue holdem trees[/bold].")
    bets: str | None = option("SIZES", 'Like "50%,100%,allin", or "50%; river: 75%,allin"; also 2.5x, 300c, 2e, none.')
    raises: str | None = option("SIZES", 'Like "100%,allin"; of the pot after a call; also 3x, min.')
    donks: str | None = option("SIZES", "First bets out of position after a call on the street before; as bets.")
    aggressor: str | None = option("oop|ip", "Who bet last before the spot begins, for donk bets on its first street.")
    at: list[str] | None = typed.option(
        "LINE: SIZES", 'Other sizes at one decision, like "check bet33: 60%,allin".', rich_help_panel=PANEL
    )
    without: list[str] | None = typed.option(
        "LINE", 'Take a line out of the tree, like "bet33 call allin".', rich_help_panel=PANEL
    )
    tree_file: Path | None = typed.option(
        "FILE", "Leave the lines of this file only; see [bold]rue holdem tree[/bold].", rich_help_panel=PANEL
    )
    cap: str | None = option("N", 'Bets and raises in a round, like 3, or "3; river: 2".')
    minimum: float | None = option("CHIPS", "The smallest bet; a big blind by default.")
    allin_threshold: float | None = option("SHARE", "A bet that leaves at most this share of the pot behind is all-in.")
    force_allin: str | None = option("SHARE", "A bet of at least this share of the stack, like 67%, is all-in.")
    add_allin: float | None = option("SPR", "All-in is one more size where at most so many pots are left.")
    merge: str | None = option("SHARE", "Sizes that are nearer than this, like 10%, are merged.")
    big_blind: float | None = option("CHIPS", "For results in mbb/g; 100 by default.")
    rake: str | None = option("SHARE", "What the house takes of the pot, like 5%.")
    rake_cap: float | None = option("CHIPS", "It takes no more than this.")
    no_rake_on_folds: bool = flag("--no-rake-on-folds", "It takes nothing where a bet is not called.")
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
        parts["rake_on_folds"] = False if parts.pop("no_rake_on_folds") else None
        apart = {"folder": parts.pop("data"), "isomorphism": not parts.pop("no_isomorphism"), "half": parts.pop("half")}
        return {**apart, "parts": {name: part for name, part in parts.items() if part is not None and part != []}}


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
    from rue.options import problem_of

    with aside():
        return problem_of(game, {**parts.given, **made})
