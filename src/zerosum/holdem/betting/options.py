"""The options of a betting tree: sizes, and the rules that restrict them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from zerosum.support.options import NUMBER, NUMBER_OR_TEXT, SHARE, TEXT, TEXTS, Option

if TYPE_CHECKING:
    from zerosum.holdem.betting.abstraction import BettingAbstraction
    from zerosum.holdem.betting.sizes import StepUnit


# fmt: off
class SizeOptions(TypedDict, total=False):
    """What may be bet."""

    tree: Annotated[str, Option("Sizes and rules by name; see `zerosum holdem trees`.", "simple|standard|rich", TEXT,
        manual="Other keys override parts of them; see [trees](#betting-trees).")]
    bets: Annotated[str | BettingAbstraction,
        Option('Bet sizes, like "50%,100%,allin" or "50%; river: 75%,allin"; also 2.5x, 300c, 2e, none.', "SIZES", TEXT,
        default_text="50%,100%,allin", manual="The sizes of the first bet of a round; see [bet sizes](#bet-sizes).")]
    raises: Annotated[str | None,
        Option('Raise sizes, like "100%,allin", as a share of the pot after a call; also 3x, min.', "SIZES", TEXT,
        default_text="100%,allin")]


class BettingOptions(TypedDict, total=False):
    """The rules of a betting tree; see docs/holdem.md."""

    by: Annotated[StepUnit, Option("Unit of the steps of sizes.", choices=("bets", "actions"), kind=TEXT,
        default_text="bets", flags=None, manual="See [bet sizes](#bet-sizes). In files and Python only.")]
    donks: Annotated[str | None,
        Option("Donk bets: leads out of position after a call on the previous street; same syntax as `--bets`.",
        "SIZES", TEXT, "Donk bets", default_text="like bets", manual="See [trees](#betting-trees).")]
    aggressor: Annotated[str | None,
        Option("Last player to bet before the spot begins, for donk bets on its first street.", "oop|ip", TEXT,
        default_text="nobody")]
    at: Annotated[str | Sequence[str],
        Option('Other sizes at one decision, like "check bet33: 60%,allin". May be repeated.', "LINE: SIZES", TEXTS)]
    without: Annotated[str | Sequence[str],
        Option('Remove a line from the tree, like "bet33 call allin". May be repeated.', "LINE", TEXTS)]
    cap: Annotated[int | str | None, Option('Maximum number of bets and raises in a round, like 3, or "3; river: 2".',
        "N", NUMBER_OR_TEXT, "Bets and raises per street", default_text="no cap")]
    minimum: Annotated[float, Option("Smallest bet.", "CHIPS", NUMBER, "Smallest bet", default_text="the big blind",
        manual="A raise exceeds the bet before it by at least as much.")]
    allin_threshold: Annotated[float,
        Option("A bet that would leave behind at most this share of the pot becomes all-in.", "SHARE", NUMBER,
        default_text="0", manual="The pot is that after a call; 0.1 is a tenth.")]
    force_allin: Annotated[float | str,
        Option("A bet of at least this share of the remaining stack, like 67%, becomes all-in.", "SHARE", SHARE,
        "All-in from, of the stack", default_text="100%")]
    add_allin: Annotated[float, Option("Add an all-in bet when the stack is at most SPR times the pot.", "SPR", NUMBER,
        "Add all-in up to, pots", default_text="0",
        manual="Stack and pot are those after a call. It applies wherever there are sizes.")]
    merge: Annotated[float | str, Option("Merge sizes that are closer than this, like 10%.", "SHARE", SHARE,
        "Merge sizes within", default_text="0%",
        manual="The smaller one goes if the pot after the larger bet is less than 1 + this times the pot after the "
        "smaller.")]
# fmt: on
