"""A spot: everything a hold'em subgame is made of, checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rue.errors import RueError
from rue.holdem.bets import PAPER_BETS, PAPER_RAISES, Betting, By, chips
from rue.holdem.cards import CARDS, HANDS, allowed_hands, card_name, cards_name, parse_board, street_of
from rue.holdem.ranges import Range
from rue.holdem.tree import Counts, Street, build, count

DEEPEST = 1e6
"""Pots in a stack, and stacks in a pot, at most: sizes are rounded to twelve digits of all chips."""
TINY = 2.0**-30
"""The largest weight of a range below which its weights are made larger."""


@dataclass(frozen=True)
class Spot:
    """The start of a hold'em subgame: the player out of position is to act.

    - `board`: three, four or five cards.
    - `pot`: chips in the middle, half of them from each player.
    - `stack`: chips behind each player; with unequal stacks the smaller one.
    - `oop`, `ip`: the ranges of the players out of position and in position. Hands that the board blocks
      count for nothing.
    - `big_blind`: only for results in big blinds; one is 1,000 mbb.
    """

    board: tuple[int, ...]
    pot: float
    stack: float
    oop: Range
    ip: Range
    betting: Betting = field(default_factory=Betting.parse)
    big_blind: float = 100.0
    name: str = ""

    def __post_init__(self) -> None:
        _check_board(self.board)
        for what in ("pot", "stack", "big_blind"):
            _positive(getattr(self, what), what.replace("_", " "))
        if not 1 / DEEPEST <= self.stack / self.pot <= DEEPEST:
            raise RueError(
                f"the stack of {chips(self.stack)} is more than {DEEPEST:,.0f} times the pot of {chips(self.pot)}, or "
                "less than that share of it"
            )
        if not self.name.isprintable():
            raise RueError(f"the name of a spot must be one line of readable text, not {self.name!r}")
        for who, weights in zip(("out of position", "in position"), self.weights, strict=True):
            if not weights.any():
                raise RueError(f"no hand of the range {who} fits the board {cards_name(self.board)}")
        if _disjoint_pairs(*self.weights) == 0:
            raise RueError("the two ranges have no two hands that can be dealt together")

    @property
    def street(self) -> int:
        """0 for a flop, 1 for a turn, 2 for a river."""
        return street_of(self.board)

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Out of position, in position."""
        return self.oop, self.ip

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both ranges on this board: 1,326 weights each, 0 where the board blocks a hand.

        Only how they compare counts: if all are tiny, they are multiplied by a power of two.
        """
        free = allowed_hands(self.board)
        one, two = (_sizable(np.where(free, own.weights, 0.0)) for own in self.ranges)
        return one, two

    @property
    def hands(self) -> tuple[int, int]:
        """How many hands of each player fit the board."""
        return int(np.count_nonzero(self.weights[0])), int(np.count_nonzero(self.weights[1]))

    @cached_property
    def tree(self) -> Street:
        """The betting from here on."""
        return build(self.betting, self.street, self.pot, self.stack)

    def counts(self) -> Counts:
        """The size of the betting tree."""
        return count(self.tree)

    @property
    def infoset_actions(self) -> int:
        """Actions summed over all infosets of both players, on all runouts."""
        return self.counts().infoset_actions(self.hands)

    def __str__(self) -> str:
        where = f"{cards_name(self.board)}, pot {chips(self.pot)}, stack {chips(self.stack)}"
        return f"{self.name} ({where})" if self.name else where


def spot(
    board: str | Sequence[int] | Sequence[str],
    pot: float | str,
    stack: float | str | Sequence[float],
    oop: str | Range | ArrayLike = "random",
    ip: str | Range | ArrayLike = "random",
    bets: str | Betting = PAPER_BETS,
    raises: str | None = PAPER_RAISES,
    *,
    by: By = "bets",
    cap: int | None = None,
    allin_threshold: float = 0.0,
    minimum: float | None = None,
    big_blind: float | str = 100.0,
    name: str = "",
) -> Spot:
    """A spot from texts, as typed on a command line; without `minimum` the smallest bet is a big blind.

    >>> river = spot("4s 8h Tc 9h 2s", 500, 19750, oop="22+,A2s+,KTs+", ip="random")
    >>> river.hands, river.infoset_actions
    ((117, 1081), 55108)
    >>> print(spot("Ks 7h 2d 9c", 500, "9750,12000", "TT+", "25%"))
    Ks7h2d9c, pot 500, stack 9750
    """
    cards, chips_in = _board(board), _number(pot, "pot")
    blind = _positive(_number(big_blind, "big blind"), "big blind")
    if not isinstance(bets, Betting):
        if minimum is None and blind > chips_in > 0:
            raise RueError(
                f"a bet is at least a big blind, and the big blind of {chips(blind)} is more than the pot of "
                f"{chips(chips_in)}: give the big blind, or the smallest bet (minimum), in the chips of the pot"
            )
        least = blind if minimum is None else _number(minimum, "minimum bet")
        threshold = _number(allin_threshold, "all-in threshold")
        _check_board(cards)
        bets = Betting.parse(bets, raises, by, cap, threshold, least, street_of(cards))
    return Spot(
        cards,
        chips_in,
        _stack(stack),
        _range(oop, "out of position"),
        _range(ip, "in position"),
        bets,
        blind,
        name,
    )


def _check_board(board: tuple[int, ...]) -> None:
    if len(board) not in (3, 4, 5):
        raise RueError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    if any(not 0 <= card < CARDS for card in board):
        raise RueError("the cards of a board are numbered 0 to 51")
    twice = [card for card in board if board.count(card) > 1]
    if twice:
        raise RueError(f"the card {card_name(twice[0])} appears twice on the board")


def _disjoint_pairs(oop: NDArray[np.float64], ip: NDArray[np.float64]) -> int:
    """How many pairs of hands share no card: all, less those with a common card, plus equal hands."""
    one, two = oop > 0, ip > 0
    holding = [np.bincount(HANDS[some].ravel(), minlength=CARDS) for some in (one, two)]
    return int(one.sum()) * int(two.sum()) - int(holding[0] @ holding[1]) + int((one & two).sum())


def _sizable(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights that numbers of 32 bits can tell apart: the largest near 1, where it is tiny."""
    largest = weights.max()
    return np.ldexp(weights, -int(np.frexp(largest)[1])) if 0 < largest < TINY else weights


def _positive(value: float, what: str) -> float:
    if not (math.isfinite(value) and value > 0):
        raise RueError(f"the {what} is {value:g}; it must be a number above zero")
    return value


def _board(given: Any) -> tuple[int, ...]:
    """Cards as a text, as texts or as numbers."""
    if isinstance(given, str):
        return parse_board(given)
    cards = tuple(given) if isinstance(given, Iterable) else (given,)
    if all(isinstance(card, str) for card in cards):
        return parse_board(" ".join(cards))
    if not all(isinstance(card, int | np.integer) for card in cards):
        raise RueError(f"cannot read the board {given!r}: write cards like 'Ks 7h 2d'")
    return tuple(int(card) for card in cards)


def _range(given: str | Range | ArrayLike, who: str) -> Range:
    """A range as it is, as a text, or as 1,326 weights in our order of hands."""
    if isinstance(given, Range):
        return given
    try:
        return Range.parse(given) if isinstance(given, str) else Range(given)
    except RueError as error:
        raise RueError(f"{who}: {error}") from None
    except (TypeError, ValueError):
        raise RueError(f"{who}: a range is a text like 'TT+,AKs', a Range or 1,326 weights, not {given!r}") from None


def _stack(given: float | str | Sequence[float]) -> float:
    """The stack both players can bet: the smaller of two."""
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, Sequence) else [given]
    if not 1 <= len(parts) <= 2:
        raise RueError(f"cannot read the stack {given!r}: write one number, or two with a comma")
    numbers = [_number(part, "stack") for part in parts]
    if min(numbers) <= 0 or any(math.isnan(number) for number in numbers):
        raise RueError(f"the stack is {given}; it must be a number above zero")
    return min(numbers)


def _number(given: float | str, what: str) -> float:
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise RueError(f"cannot read the {what} {given!r}: write a number of chips") from None
