"""Bet sizes as people write them: `50%,100%; flop: 33%; river ip: 75%,allin`.

docs/holdem.md#bet-sizes lists the sizes. A text applies to all streets and players, exceptions follow after semicolons.
The raises of a round may change with their number: `100%,allin / allin` for the first raise and all later ones.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np

from zerosum.holdem.cards.cards import STREETS
from zerosum.support.errors import ZerosumError, suggest_names

PLAYERS = ("oop", "ip")
PLAYER_NAMES = ("out of position", "in position")
"""The players by number: the one out of position acts first on every street."""

DEFAULT_BETS, DEFAULT_RAISES = "50%,100%,allin", "100%,allin"
"""The sizes used with the Libratus endgames in the literature on discounted regret minimisation."""

_SIZE = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%|x|c|)", re.IGNORECASE)
_GEOMETRIC = re.compile(r"(\d?)e")
_KINDS: dict[str, Kind] = {"%": "pot", "x": "times", "c": "chips", "": "chips"}
_SYNTAX = "write sizes like 50%, 2.5x, 300, 2e, min or allin"

Kind = Literal["pot", "times", "chips", "geometric", "min", "allin"]
StepUnit = Literal["bets", "actions"]


class BettingState(NamedTuple):
    """A point of the betting on a street: the player to act, and the chips.

    `pot` includes all bets so far, `bet` and `bet_to_match` are what the player and the opponent have bet on this
    street, `stack` is what each can bet on it in total, `last` is the amount of the last raise. `bets` and `actions`
    are the numbers of bets and of actions in the round.
    """

    street: int
    player: int
    pot: float
    stack: float
    bet: float = 0.0
    bet_to_match: float = 0.0
    last: float = 0.0
    bets: int = 0
    actions: int = 0

    @property
    def pot_after_call(self) -> float:
        """The pot after a call."""
        return self.pot + self.bet_to_match - self.bet


@dataclass(frozen=True)
class Size:
    """One size: a share of the pot, a multiple of the bet faced, a number of chips, the smallest bet or all-in.

    A geometric size is the share of the pot that is all-in after `value` bets, or after one on each street left if 0.
    """

    kind: Kind
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Size:
        """Parse one size.

        >>> Size.parse("50%"), Size.parse("2.5x"), Size.parse("all-in")
        (Size(kind='pot', value=0.5), Size(kind='times', value=2.5), Size(kind='allin', value=0.0))
        """
        plain = text.strip().lower()
        if plain in _WORDS:
            return _WORDS[plain]
        if geometric := _GEOMETRIC.fullmatch(plain):
            if geometric[1] == "0":
                raise ZerosumError("the bet size '0e' must be all-in after at least one bet: write 2e, or e")
            return cls("geometric", float(geometric[1] or 0))
        match = _SIZE.fullmatch(plain)
        if match is None:
            raise ZerosumError(f"cannot read the bet size {text.strip()!r}: {_SYNTAX}")
        kind = _KINDS[match[2]]
        value = float(match[1]) / 100 if kind == "pot" else float(match[1])
        if not 0 < value < math.inf:
            raise ZerosumError(f"the bet size {text.strip()!r} must be above zero and finite")
        return cls(kind, value)

    def compute_amount(self, state: BettingState) -> float:
        """Return the player's chips on this street after a bet of this size, before any minimum applies.

        A pot of P and stacks of S behind are all-in after n bets of a share f of the pot if P (1 + 2f)^n = P + 2S.

        >>> Size.parse("100%").compute_amount(BettingState(2, 1, pot=750, stack=9750, bet_to_match=250))
        1250.0
        >>> Size.parse("2e").compute_amount(BettingState(1, 0, pot=100, stack=400))
        100.0
        """
        pot_after_call, bet_to_match = state.pot_after_call, state.bet_to_match
        if self.kind == "pot":
            return bet_to_match + self.value * pot_after_call
        if self.kind == "times":
            return self.value * (bet_to_match or state.pot)
        if self.kind == "geometric":
            n_bets = self.value or len(STREETS) - state.street
            growth: float = (1 + 2 * (state.stack - bet_to_match) / pot_after_call) ** (1 / n_bets)
            return bet_to_match + pot_after_call * (growth - 1) / 2
        return self.value if self.kind == "chips" else bet_to_match if self.kind == "min" else state.stack

    def __str__(self) -> str:
        if self.kind in ("allin", "min"):
            return self.kind
        if self.kind == "geometric":
            return f"{format_chips(self.value) if self.value else ''}e"
        if self.kind != "pot":
            return format_chips(self.value) + {"times": "x", "chips": "c"}[self.kind]
        percents = [float(f"{self.value * 100:.{digits}g}") for digits in (12, 15, 16, 17)]
        return format_chips(next((percent for percent in percents if percent / 100 == self.value), percents[-1])) + "%"


_WORDS = dict.fromkeys(("allin", "all-in", "a"), Size("allin")) | {"min": Size("min"), "pot": Size("pot", 1.0)}


@dataclass(frozen=True)
class SizeSteps:
    """The sizes of one player on one street, step by step; the last step also applies to all later ones.

    The step is the number of bets and raises in the round so far or, with `by="actions"`, of actions of any kind.

    >>> sizes = SizeSteps.parse("50%,100%,allin", "100%,allin")
    >>> [str(size) for size in sizes.find_sizes(bets=2, actions=3)]
    ['100%', 'allin']
    """

    steps: tuple[tuple[Size, ...], ...]
    by: StepUnit = "bets"

    @classmethod
    def parse(cls, bets: str, raises: str | None = None, by: StepUnit = "bets") -> SizeSteps:
        """Parse the sizes of the first bet and those of the raises, which are the same if `raises` is None."""
        steps = bets.split("/") + (raises.split("/") if raises is not None else [])
        return cls(tuple(_parse_list(step) for step in steps), by)

    def find_sizes(self, bets: int, actions: int) -> tuple[Size, ...]:
        """Return the sizes after a number of bets and of actions in the round."""
        return self.steps[min(bets if self.by == "bets" else actions, len(self.steps) - 1)]

    def format_texts(self) -> tuple[str, str]:
        """Return the texts of bets and raises that `parse` reads."""
        texts = [",".join(map(str, step)) or "none" for step in self.steps]
        if self.by == "actions":
            return " / ".join(texts), ""
        return texts[0], " / ".join(texts[1:] or texts)


def count_chip_decimals(pot: float, stack: float) -> int:
    """Return the decimals that chips are rounded to, which keep twelve digits of all chips in play.

    All chips, the pot and two stacks, stay the same from street to street.

    >>> count_chip_decimals(2600, 8700), count_chip_decimals(2.6e-9, 8.7e-9), count_chip_decimals(2.6e12, 8.7e12)
    (7, 19, -2)
    """
    return 11 - math.floor(math.log10((pot + 2 * stack) * (1 + 1e-9)))


def format_chips(amount: float) -> str:
    """Return a number of chips as text.

    >>> format_chips(250.0), format_chips(187.5), format_chips(1234567.0)
    ('250', '187.5', '1234567')
    """
    return np.format_float_positional(amount, trim="-")


def round_chips(amount: float) -> float:
    """Round a sum of chips to twelve digits, which removes the rounding errors of the addition.

    >>> 11 + 7.26, round_chips(11 + 7.26)
    (18.259999999999998, 18.26)
    """
    return float(f"{amount:.12g}")


def parse_chips(value: Any, name: str) -> float:
    """Return a number that may be written as text; `name` is its name in the error message."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ZerosumError(f"cannot read the {name} {value!r}: write a number of chips") from None


def check_size_units(text: str) -> None:
    """Refuse a bare number among percentages, which may be either chips or a percentage.

    >>> check_size_units("33, 75%")
    Traceback (most recent call last):
    zerosum.ZerosumError: 33 in '33, 75%' is a share of the pot or a number of chips: write 33% or 33c
    """
    if not isinstance(text, str):
        raise ZerosumError(f"bet sizes are a string like '50%,100%,allin', not {text!r}")
    sizes = [size.strip() for size in re.split(r"[,;/:]", text)]
    bare = next((size for size in sizes if re.fullmatch(r"\d+\.?\d*|\.\d+", size)), None)
    if bare is not None and any(size.endswith("%") for size in sizes):
        raise ZerosumError(f"{bare} in {text!r} is a share of the pot or a number of chips: write {bare}% or {bare}c")


def _parse_list(text: str) -> tuple[Size, ...]:
    if text.strip().lower() == "none":
        return ()
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise ZerosumError(f"a list of bet sizes is empty: {_SYNTAX}, or none")
    return tuple(dict.fromkeys(Size.parse(part) for part in parts))


def parse_by_street_and_player(text: str, start: int) -> dict[tuple[str, str], str]:
    """Return the text of the sizes by street and player; by default none on streets before `start`."""
    check_size_units(text)
    texts = dict.fromkeys(product(STREETS[:start], PLAYERS), "none")
    for part in text.split(";"):
        where, _, sizes = part.rpartition(":")
        words = where.lower().split()
        unknown = next((word for word in words if word not in STREETS + PLAYERS), None)
        if unknown is not None:
            suggestion = suggest_names(unknown, STREETS + PLAYERS)
            raise ZerosumError(f"{unknown!r} is neither a street nor a player; {suggestion}")
        streets = [word for word in words if word in STREETS][-1:] or STREETS
        players = [word for word in words if word in PLAYERS][-1:] or PLAYERS
        texts |= dict.fromkeys(product(streets, players), sizes)
    missing = [pair for pair in product(STREETS, PLAYERS) if pair not in texts]
    if missing:
        raise ZerosumError(f"the bet sizes {text!r} have none for {' '.join(missing[0])}")
    return texts


def format_by_street_and_player(table: list[list[str]]) -> str:
    """Return one text for all streets and players: the most frequent sizes, then the exceptions.

    `table` has a row for each street: a text for each player, or one for both.
    """
    texts = [text for row in table for text in row]
    common = max(texts, key=texts.count)
    parts = [common]
    for street, row in zip(STREETS, table, strict=True):
        if len(set(row)) > 1:
            parts += [f"{street} {who}: {text}" for who, text in zip(PLAYERS, row, strict=True) if text != common]
        elif row[0] != common:
            parts.append(f"{street}: {row[0]}")
    return "; ".join(parts)
