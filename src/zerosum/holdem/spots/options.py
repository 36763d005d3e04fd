"""The options of a spot: the keys of its file, the options of commands and the arguments of `zerosum.holdem.spot`.

This module stays light, because the command line reads it for a page of help.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from zerosum.support.errors import ZerosumError
from zerosum.support.options import FLAG, NUMBER, NUMBER_OR_TEXT, PATH, SHARE, TEXT, TEXTS, Kind, Option, parse_number

if TYPE_CHECKING:
    from zerosum.holdem.betting.abstraction import BettingAbstraction
    from zerosum.holdem.betting.sizes import StepUnit


def parse_stacks(text: str) -> float | list[float]:
    """Read one stack, or two with a comma.

    >>> parse_stacks("9750"), parse_stacks("9750,12000")
    (9750.0, [9750.0, 12000.0])
    """
    stacks = [parse_number(part) for part in text.split(",")]
    if len(stacks) > 2:
        raise ZerosumError(f"{text!r} has more than two stacks")
    return stacks[0] if len(stacks) == 1 else stacks


def _is_stack(value: Any) -> bool:
    pair = isinstance(value, list) and len(value) == 2
    return all(map(NUMBER.accepts, value)) if pair else NUMBER.accepts(value)


STACKS = Kind("a number, or a list of two", _is_stack, parse_stacks)


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
    allin_threshold: Annotated[float | str,
        Option("A bet that would leave behind at most this share of the pot, like 10%, becomes all-in.", "SHARE", SHARE,
        default_text="0%", manual="The pot is that after a call.")]
    force_allin: Annotated[float | str,
        Option("A bet of at least this share of the remaining stack, like 67%, becomes all-in.", "SHARE", SHARE,
        "All-in from, of the stack", default_text="100%")]
    add_allin: Annotated[float, Option("Add an all-in bet when the stack is at most SPR times the pot.", "SPR", NUMBER,
        "Add all-in up to, pots", default_text="0",
        manual="Stack and pot are those after a call. This applies to every decision that has sizes.")]
    merge: Annotated[float | str, Option("Merge sizes that are closer than this, like 10%.", "SHARE", SHARE,
        "Merge sizes within", default_text="0%",
        manual="The smaller one is removed if the pot after the larger bet is less than 1 + this times the pot after "
        "the smaller.")]


class TableOptions(TypedDict, total=False):
    """Board, chips and ranges."""

    board: Annotated[str, Option('Three, four or five cards, like "Ks 7h 2d 9c".', "CARDS", TEXT, required=True,
        manual="Ranks are `23456789TJQKA` (or `10`), suits `shdc` or their symbols; spaces are optional.")]
    pot: Annotated[float, Option("Chips in the middle, half of them from each player.", "CHIPS", NUMBER, required=True)]
    stack: Annotated[float | Sequence[float],
        Option("Stack behind each player; if you give two (9750,12000), the smaller one is used.", "CHIPS", STACKS,
        "Stack behind", required=True, manual="In a file two stacks are a list: `[9750, 12000]`.")]
    oop: Annotated[str, Option('Range out of position, like "22+,A2s+,KTs+:0.5", 25% or random.', "RANGE", TEXT,
        default_text="random")]
    ip: Annotated[str, Option("Range in position.", "RANGE", TEXT, default_text="random")]


class SpotOptions(SizeOptions, BettingOptions, total=False):
    """Everything about a spot besides board, chips and ranges."""

    tree_file: Annotated[str | Path, Option("Keep only the lines in this file; see `zerosum holdem tree`.", "FILE",
        PATH, manual="In a spot's file, the name is relative to that file.")]
    big_blind: Annotated[float | str, Option("Big blind, for results in mbb/g and the smallest bet.", "CHIPS", NUMBER,
        default_text="100")]
    rake: Annotated[float | str, Option("Rake, as a share of the pot such as 5%.", "SHARE", SHARE, default_text="0%",
        manual="See [rake](#rake).")]
    rake_cap: Annotated[float | str, Option("Maximum rake.", "CHIPS", NUMBER, "Maximum rake", default_text="no cap")]
    rake_on_folds: Annotated[bool, Option("No rake when the hand ends with a fold.", kind=FLAG, default=True,
        manual="Whether a hand that ends with a fold is raked. On the command line `--no-rake-on-folds`.")]
    locks: Annotated[str | Sequence[str], Option("Fixed strategies.", "LOCK", TEXTS, flags=None,
        manual="See [locking decisions](#locking-decisions). As an option `--lock`, which may be repeated.")]
    name: Annotated[str, Option("Name of the spot in the output.", kind=TEXT, flags=None,
        manual="In files and Python only.")]
# fmt: on


class SpotFileOptions(TableOptions, SpotOptions, total=False):
    """The keys of a spot's file."""
