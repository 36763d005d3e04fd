"""Bet sizes and the betting abstraction: what each player may bet or raise on each street.

| text | a first bet | a raise |
|---|---|---|
| `50%` | half the pot | half the pot as it is after calling, on top of the call |
| `2.5x` | two and a half pots | to two and a half times the bet it raises |
| `300`, `300c` | 300 chips | to 300 chips on this street |
| `allin` | everything | everything |

Sizes are listed with commas: `50%,100%,allin`; `none` allows no bet. The raises of a round may change with
their number, separated by slashes: `100%,allin / allin` for the first raise and all later ones. A text says
the same for all streets and players, or adds what differs after semicolons:
`50%,100%; flop: 33%; river ip: 75%,allin`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from rue.errors import RueError, nearest
from rue.holdem.cards import STREETS

PLAYERS = ("oop", "ip")
"""The players by number: out of position, who acts first on every street, and in position."""
PLACES = tuple(product(STREETS, PLAYERS))

PAPER_BETS, PAPER_RAISES = "50%,100%,allin", "100%,allin"
"""The sizes used with the Libratus endgames in the literature on discounted regret minimisation."""

_SIZE = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%|x|c|)", re.IGNORECASE)
_KINDS: dict[str, Kind] = {"%": "pot", "x": "times", "c": "chips", "": "chips"}
_HELP = "write sizes like 50%, 2.5x, 300 or allin"

Kind = Literal["pot", "times", "chips", "allin"]
By = Literal["bets", "actions"]


@dataclass(frozen=True)
class Size:
    """One size: a share of the pot, a multiple of the bet faced, a number of chips, or all-in."""

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
        if plain == "pot":
            return cls("pot", 1.0)
        match = _SIZE.fullmatch(plain)
        if match is None:
            raise RueError(f"cannot read the bet size {text.strip()!r}: {_HELP}")
        kind = _KINDS[match[2]]
        value = float(match[1]) / 100 if kind == "pot" else float(match[1])
        if not 0 < value < math.inf:
            raise RueError(f"the bet size {text.strip()!r} must be above zero and finite")
        return cls(kind, value)

    def amount(self, pot: float, own: float, top: float, stack: float) -> float:
        """The chips on this street after betting so much, before any minimum.

        `pot` holds all bets made so far, `own` and `top` are what this player and the other have bet on this
        street, `stack` what each could bet on it in all.

        >>> Size.parse("100%").amount(pot=750, own=0, top=250, stack=9750)
        1250.0
        """
        if self.kind == "pot":
            return top + self.value * (pot + top - own)
        if self.kind == "times":
            return self.value * (top or pot)
        return self.value if self.kind == "chips" else stack

    def __str__(self) -> str:
        if self.kind == "allin":
            return "allin"
        if self.kind != "pot":
            return chips(self.value) + {"times": "x", "chips": ""}[self.kind]
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


class Turn(NamedTuple):
    """Whose turn it is on a street, and the chips: `pot` holds everything bet so far, `own` and `top` what the two have
    bet on this street, `last` is the last raise, `bets` and `actions` how many of them the round has seen."""

    street: int
    player: int
    pot: float
    stack: float
    own: float = 0.0
    top: float = 0.0
    last: float = 0.0
    bets: int = 0
    actions: int = 0


@dataclass(frozen=True)
class Betting:
    """What may be bet: sizes by street and player, and the rules that bound them.

    - `sizes[street][player]`: streets flop, turn, river; players out of position, in position.
    - `cap`: how many bets and raises a round allows; none for any number.
    - `allin_threshold`: a bet becomes all-in if what it leaves behind is at most this share of the pot after
      it is called; at 0 only a bet of the whole stack or more does.
    - `minimum`: the smallest bet, and the least by which a raise exceeds the bet before; a raise must also
      exceed it by at least the last raise. Smaller sizes are made as large as that.

    >>> betting = Betting.parse("50%,100%; river: 75%,allin", "100%,allin")
    >>> betting.texts()
    ('50%,100%; river: 75%,allin', '100%,allin')
    """

    sizes: tuple[tuple[Sizes, Sizes], ...]
    cap: int | None = None
    allin_threshold: float = 0.0
    minimum: float = 100.0

    def __post_init__(self) -> None:
        if len(self.sizes) != len(STREETS) or any(len(pair) != len(PLAYERS) for pair in self.sizes):
            raise RueError("a betting needs sizes for the flop, the turn and the river, for both players")
        if self.cap is not None and (not isinstance(self.cap, int) or self.cap < 0):
            raise RueError(f"the cap on raises is {self.cap}; it must be a whole number, 0 or more, or none")
        if not 0 <= self.allin_threshold < math.inf:
            raise RueError(f"the all-in threshold is {self.allin_threshold}; it must be 0 or more")
        if not 0 < self.minimum < math.inf:
            raise RueError(f"the minimum bet is {self.minimum}; it must be above zero")

    @classmethod
    def parse(
        cls,
        bets: str = PAPER_BETS,
        raises: str | None = PAPER_RAISES,
        by: By = "bets",
        cap: int | None = None,
        allin_threshold: float = 0.0,
        minimum: float = 100.0,
        start: int = 0,
    ) -> Betting:
        """Read the texts of bets and raises; with `by="actions"` the bets name every step.

        Streets before `start` need not be spoken of.
        """
        if by not in ("bets", "actions"):
            raise RueError(f"steps are counted by bets or by actions, not by {by!r}")
        first = _places(bets, start)
        later = {} if raises is None or by == "actions" else _places(raises, start)
        sizes = tuple(
            tuple(Sizes.parse(first[street, who], later.get((street, who)), by) for who in PLAYERS)
            for street in STREETS
        )
        return cls(sizes, cap, allin_threshold, minimum)  # type: ignore[arg-type]

    @property
    def by(self) -> By:
        """What the steps count: bets or actions."""
        return self.sizes[0][0].by

    def texts(self) -> tuple[str, str]:
        """The texts of bets and raises that `parse` reads back; no raises where steps count actions."""
        written = [[sizes.texts() for sizes in pair] for pair in self.sizes]
        bets = _joined([[texts[0] for texts in pair] for pair in written])
        return bets, "" if self.by == "actions" else _joined([[texts[1] for texts in pair] for pair in written])

    def targets(self, at: Turn) -> list[float]:
        """What a player may bet or raise to, in chips on this street, ascending; `at.stack` means all-in.

        >>> Betting.parse().targets(Turn(street=2, player=0, pot=500, stack=19750))
        [250.0, 500.0, 19750]
        """
        stack = at.stack
        if at.top >= stack or (self.cap is not None and at.bets >= self.cap):
            return []
        least = at.top + max(self.minimum, at.last)
        digits = decimals(at.pot - at.own - at.top, stack)
        found: set[float] = set()
        for size in self.sizes[at.street][at.player].at(at.bets, at.actions):
            to = round(max(size.amount(at.pot, at.own, at.top, stack), least), digits)
            if to <= at.top:
                raise RueError(f"the bet size {size} and the minimum bet are too small beside the chips in play")
            called = at.pot - at.own - at.top + 2 * to
            found.add(stack if to >= stack or stack - to <= self.allin_threshold * called else to)
        return sorted(found)


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


def _list(text: str) -> tuple[Size, ...]:
    if text.strip().lower() == "none":
        return ()
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise RueError(f"a list of bet sizes is empty: {_HELP}, or none")
    return tuple(dict.fromkeys(Size.parse(part) for part in parts))


def _places(text: str, start: int) -> dict[tuple[str, str], str]:
    """The text of the sizes at each street and player; none on streets before `start`, unless it says otherwise."""
    if not isinstance(text, str):
        raise RueError(f"bet sizes are a text like '50%,100%,allin', not {text!r}")
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


def _joined(table: list[list[str]]) -> str:
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
