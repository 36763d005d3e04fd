"""Bet sizes as people write them.

| text | a first bet | a raise |
|---|---|---|
| `50%` | half the pot | half the pot as it is after calling, on top of the call |
| `2.5x` | two and a half pots | to two and a half times the bet it raises |
| `300`, `300c` | 300 chips | to 300 chips on this street |
| `min` | the smallest bet | the smallest raise |
| `2e`, `e` | all-in after two bets of this share of the pot, or after one on each street left | the same |
| `allin` | everything | everything |

Sizes are listed with commas: `50%,100%,allin`; `none` allows no bet. The raises of a round may change with
their number, separated by slashes: `100%,allin / allin` for the first raise and all later ones. A text says
the same for all streets and players, or adds what differs after semicolons:
`50%,100%; flop: 33%; river ip: 75%,allin`.
"""

from __future__ import annotations

import math
import re
from itertools import product
from typing import Literal

import numpy as np

from rue.errors import RueError, nearest
from rue.holdem.cards import STREETS
from rue.records import dataclass

PLAYERS = ("oop", "ip")
"""The players by number: out of position, who acts first on every street, and in position."""
PLACES = tuple(product(STREETS, PLAYERS))

PAPER_BETS, PAPER_RAISES = "50%,100%,allin", "100%,allin"
"""The sizes used with the Libratus endgames in the literature on discounted regret minimisation."""

_SIZE = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%|x|c|)", re.IGNORECASE)
_GEOMETRIC = re.compile(r"(\d?)e")
_KINDS: dict[str, Kind] = {"%": "pot", "x": "times", "c": "chips", "": "chips"}
_HELP = "write sizes like 50%, 2.5x, 300, 2e, min or allin"

Kind = Literal["pot", "times", "chips", "geometric", "min", "allin"]
By = Literal["bets", "actions"]


@dataclass(frozen=True)
class Size:
    """One size: a share of the pot, a multiple of the bet faced, a number of chips, the share of the pot that is all-in
    after so many bets (0: one on each street left), the smallest, or all-in."""

    kind: Kind
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Size:
        """Read one size.

        >>> Size.parse("50%"), Size.parse("2.5x"), Size.parse("all-in")
        (Size(kind='pot', value=0.5), Size(kind='times', value=2.5), Size(kind='allin', value=0.0))
        """
        plain = text.strip().lower()
        if plain in ("allin", "all-in", "a"):
            return cls("allin")
        if plain == "min":
            return cls("min")
        if plain == "pot":
            return cls("pot", 1.0)
        if geometric := _GEOMETRIC.fullmatch(plain):
            if geometric[1] == "0":
                raise RueError("the bet size '0e' must be all-in after at least one bet: write 2e, or e")
            return cls("geometric", float(geometric[1] or 0))
        match = _SIZE.fullmatch(plain)
        if match is None:
            raise RueError(f"cannot read the bet size {text.strip()!r}: {_HELP}")
        kind = _KINDS[match[2]]
        value = float(match[1]) / 100 if kind == "pot" else float(match[1])
        if not 0 < value < math.inf:
            raise RueError(f"the bet size {text.strip()!r} must be above zero and finite")
        return cls(kind, value)

    def amount(self, pot: float, own: float, top: float, stack: float, streets: int = 1) -> float:
        """The chips on this street after betting so much, before any minimum.

        `pot` holds all bets made so far, `own` and `top` are what this player and the other have bet on this
        street, `stack` what each could bet on it in all, `streets` how many are left with this one.

        A pot of P and stacks of S behind are all-in after n bets of a share f of the pot if P (1 + 2f)^n = P + 2S.

        >>> Size.parse("100%").amount(pot=750, own=0, top=250, stack=9750)
        1250.0
        >>> Size.parse("2e").amount(pot=100, own=0, top=0, stack=400)
        100.0
        """
        called = pot + top - own
        if self.kind == "pot":
            return top + self.value * called
        if self.kind == "times":
            return self.value * (top or pot)
        if self.kind == "geometric":
            grown: float = (1 + 2 * (stack - top) / called) ** (1 / (self.value or streets))
            return top + called * (grown - 1) / 2
        return self.value if self.kind == "chips" else top if self.kind == "min" else stack

    def __str__(self) -> str:
        if self.kind in ("allin", "min"):
            return self.kind
        if self.kind == "geometric":
            return f"{chips(self.value) if self.value else ''}e"
        if self.kind != "pot":
            return chips(self.value) + {"times": "x", "chips": "c"}[self.kind]
        percents = [float(f"{self.value * 100:.{digits}g}") for digits in (12, 15, 16, 17)]
        return chips(next((each for each in percents if each / 100 == self.value), percents[-1])) + "%"


@dataclass(frozen=True)
class Sizes:
    """The sizes of one player on one street, step by step; the last step serves all later ones too.

    The step is the number of bets and raises made in the round so far; or, with `by="actions"`, the number of
    actions of any kind.

    >>> sizes = Sizes.parse("50%,100%,allin", "100%,allin")
    >>> [str(size) for size in sizes.at(bets=2, actions=3)]
    ['100%', 'allin']
    """

    steps: tuple[tuple[Size, ...], ...]
    by: By = "bets"

    @classmethod
    def parse(cls, bets: str, raises: str | None = None, by: By = "bets") -> Sizes:
        """The sizes of the first bet, then those of the raises; without raises, bets serve as raises too."""
        steps = bets.split("/") + (raises.split("/") if raises is not None else [])
        return cls(tuple(_list(step) for step in steps), by)

    def at(self, bets: int, actions: int) -> tuple[Size, ...]:
        """What may be bet after so many bets and so many actions in the round."""
        return self.steps[min(bets if self.by == "bets" else actions, len(self.steps) - 1)]

    def texts(self) -> tuple[str, str]:
        """The texts of the first bets and of the raises that `parse` reads back."""
        written = [",".join(map(str, step)) or "none" for step in self.steps]
        if self.by == "actions":
            return " / ".join(written), ""
        return written[0], " / ".join(written[1:] or written)


def decimals(pot: float, stack: float) -> int:
    """The decimals that chips are rounded to: twelve digits of all chips in play, whatever a chip is worth.

    All chips, the pot and two stacks, stay the same from street to street.

    >>> decimals(2600, 8700), decimals(2.6e-9, 8.7e-9), decimals(2.6e12, 8.7e12)
    (7, 19, -2)
    """
    return 11 - math.floor(math.log10((pot + 2 * stack) * (1 + 1e-9)))


def chips(amount: float) -> str:
    """A number of chips as people write it.

    >>> chips(250.0), chips(187.5), chips(1234567.0)
    ('250', '187.5', '1234567')
    """
    return np.format_float_positional(amount, trim="-")


def rounded(amount: float) -> float:
    """A sum of chips without what adding them up left behind the twelfth digit.

    >>> 11 + 7.26, rounded(11 + 7.26)
    (18.259999999999998, 18.26)
    """
    return float(f"{amount:.12g}")


def check_sizes(text: str) -> None:
    """Refuse what is no text, and a bare number beside percentages: is it one, or chips?

    >>> check_sizes("33, 75%")
    Traceback (most recent call last):
    rue.errors.RueError: is 33 in '33, 75%' a share of the pot or a number of chips? write 33% or 33c
    """
    if not isinstance(text, str):
        raise RueError(f"bet sizes are a text like '50%,100%,allin', not {text!r}")
    sizes = [size.strip() for size in re.split(r"[,;/:]", text)]
    bare = next((size for size in sizes if re.fullmatch(r"\d+\.?\d*|\.\d+", size)), None)
    if bare is not None and any(size.endswith("%") for size in sizes):
        raise RueError(f"is {bare} in {text!r} a share of the pot or a number of chips? write {bare}% or {bare}c")


def _list(text: str) -> tuple[Size, ...]:
    if text.strip().lower() == "none":
        return ()
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise RueError(f"a list of bet sizes is empty: {_HELP}, or none")
    return tuple(dict.fromkeys(Size.parse(part) for part in parts))


def at_places(text: str, start: int) -> dict[tuple[str, str], str]:
    """The text of the sizes at each street and player; none on streets before `start`, unless it says otherwise."""
    check_sizes(text)
    found = dict.fromkeys(PLACES[: start * len(PLAYERS)], "none")
    for part in text.split(";"):
        where, colon, sizes = part.rpartition(":")
        streets, players = _where(where) if colon else (STREETS, PLAYERS)
        found |= {(street, player): sizes for street in streets for player in players}
    missing = [place for place in PLACES if place not in found]
    if missing:
        raise RueError(f"the bet sizes {text!r} say nothing for {' '.join(missing[0])}")
    return found


def _where(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    streets: tuple[str, ...] = STREETS
    players: tuple[str, ...] = PLAYERS
    for word in text.lower().split():
        if word in STREETS:
            streets = (word,)
        elif word in PLAYERS:
            players = (word,)
        else:
            raise RueError(f"{word!r} is neither a street nor a player; {nearest(word, STREETS + PLAYERS)}")
    return streets, players


def joined(table: list[list[str]]) -> str:
    """One text for all streets and players: the most frequent sizes, then what differs."""
    flat = [text for pair in table for text in pair]
    common = max(flat, key=flat.count)
    parts = [common]
    for street, pair in zip(STREETS, table, strict=True):
        if pair[0] == pair[1] != common:
            parts.append(f"{street}: {pair[0]}")
        elif pair[0] != pair[1]:
            parts += [f"{street} {who}: {sizes}" for who, sizes in zip(PLAYERS, pair, strict=True) if sizes != common]
    return "; ".join(parts)
