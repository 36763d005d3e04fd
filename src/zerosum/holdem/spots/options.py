"""The options of a spot: the keys of its file, the options of commands and the arguments of `zerosum.holdem.spot`.

This module stays light, because the command line reads it for a page of help.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

from zerosum.holdem.betting.options import BettingOptions, SizeOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import FLAG, NUMBER, PATH, SHARE, TEXT, TEXTS, Kind, Option, parse_number


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
class TableOptions(TypedDict, total=False):
    """Board, chips and ranges."""

    board: Annotated[str, Option('Three, four or five cards, like "Ks 7h 2d 9c".', "CARDS", TEXT, required=True,
        manual="Ranks are `23456789TJQKA` (or `10`), suits `shdc` or the symbols; spaces may be left out.")]
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
