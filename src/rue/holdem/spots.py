"""A spot: everything a hold'em subgame is made of, checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rue.disk import text_of
from rue.errors import RueError
from rue.holdem.bets import PAPER_BETS, PAPER_RAISES, chips
from rue.holdem.betting import Betting, BettingOptions, Edit
from rue.holdem.cards import CARDS, HANDS, allowed_hands, card_name, cards_name, parse_board, street_of
from rue.holdem.presets import preset
from rue.holdem.rake import NO_RAKE, Rake
from rue.holdem.ranges import Range
from rue.holdem.shares import parse_share
from rue.holdem.tree import Counts, Street, build, count
from rue.holdem.tree_text import removed
from rue.once import cached_property
from rue.python_files import home_path
from rue.records import dataclass

DEEPEST = 1e6
"""Pots in a stack, and stacks in a pot, at most: sizes are rounded to twelve digits of all chips."""
LARGEST = 1e18
"""The pot, at most, and one over it at least: regrets are numbers of 32 bits."""
TINY = 2.0**-30
"""The largest weight of a range below which its weights are made larger."""
LEAST = 2.0**-100
"""What a weight is at least, beside the largest of its range: no digit of a result tells it from less."""


@dataclass(frozen=True)
class Spot:
    """The start of a hold'em subgame: the player out of position is to act.

    - `board`: three, four or five cards.
    - `pot`: chips in the middle, half of them from each player.
    - `stack`: chips behind each player; with unequal stacks the smaller one.
    - `oop`, `ip`: the ranges of the players out of position and in position. Hands that the board blocks
      count for nothing.
    - `big_blind`: only for results in big blinds; one is 1,000 mbb.
    - `rake`: what the house takes of the pot; nothing unless given.
    """

    board: tuple[int, ...]
    pot: float
    stack: float
    oop: Range
    ip: Range
    betting: Betting = field(default_factory=Betting.parse)
    big_blind: float = 100.0
    name: str = ""
    rake: Rake = NO_RAKE
    locks: tuple[str, ...] = ()
    """Strategies that are fixed instead of solved, in words: see `rue.problems.locks`."""

    def __post_init__(self) -> None:
        _check_board(self.board)
        for what in ("pot", "stack", "big_blind"):
            _positive(getattr(self, what), what.replace("_", " "))
        if not 1 / LARGEST <= self.pot <= LARGEST:
            raise RueError(
                f"the pot is {self.pot:g} chips; it must lie between {1 / LARGEST:g} and {LARGEST:g}: take another unit"
            )
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

        Only how they compare counts: if all are tiny, they are multiplied by a power of two, and one that is nothing
        beside the others is made a little larger.
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
        return build(self.betting, self.street, self.pot, self.stack, self.rake)

    def counts(self) -> Counts:
        """The size of the betting tree."""
        return count(self.tree)

    @property
    def infoset_actions(self) -> int:
        """Actions summed over all infosets of both players, on all runouts."""
        return self.counts().infoset_actions(self.hands)

    def __str__(self) -> str:
        where = f"{cards_name(self.board)}, pot {chips(self.pot)}, stack {chips(self.stack)}"
        where += f", rake {self.rake}" if self.rake.rate else ""
        return f"{self.name} ({where})" if self.name else where


class SpotOptions(BettingOptions, total=False):
    """What may be said of a spot besides board, chips and ranges: the keys of its file."""

    tree: str
    bets: str | Betting
    raises: str | None
    tree_file: str | Path
    big_blind: float | str
    rake: float | str
    rake_cap: float | str
    rake_on_folds: bool
    locks: str | Sequence[str]
    name: str


def spot(
    board: str | Sequence[int] | Sequence[str],
    pot: float | str,
    stack: float | str | Sequence[float],
    oop: str | Range | ArrayLike = "random",
    ip: str | Range | ArrayLike = "random",
    *sizes: str | Betting | None,
    **options: Unpack[SpotOptions],
) -> Spot:
    """A spot from texts, as typed on a command line; without `minimum` the smallest bet is a big blind.

    `sizes` are bets and raises, which may also be given by these names.

    >>> river = spot("4s 8h Tc 9h 2s", 500, 19750, oop="22+,A2s+,KTs+", ip="random")
    >>> river.hands, river.infoset_actions
    ((117, 1081), 55108)
    >>> print(spot("Ks 7h 2d 9c", 500, "9750,12000", "TT+", "25%", "50%", "none", rake="5%", rake_cap=30))
    Ks7h2d9c, pot 500, stack 9750, rake 5% capped at 30
    """
    given = _options(sizes, options)
    cards, chips_in = _board(board), _number(pot, "pot")
    blind = _positive(_number(given.get("big_blind", 100.0), "big blind"), "big blind")
    _check_board(cards)
    found = Spot(
        cards,
        chips_in,
        _stack(stack),
        _range(oop, "out of position"),
        _range(ip, "in position"),
        _betting(given, chips_in, blind, street_of(cards)),
        blind,
        given.get("name", ""),
        _rake(given),
        _texts(given.get("locks")),
    )
    return _edited(found, given["tree_file"]) if "tree_file" in given else found


def _options(sizes: tuple[str | Betting | None, ...], options: SpotOptions) -> SpotOptions:
    """What was said, whether by name or by place; unknown names are refused as Python would."""
    named = dict(zip(("bets", "raises"), sizes, strict=False))
    for name in options:
        if name not in SpotOptions.__annotations__:
            raise TypeError(f"spot() got an unexpected keyword argument {name!r}")
        if name in named:
            raise TypeError(f"spot() got multiple values for argument {name!r}")
    if len(sizes) > len(named):
        raise TypeError("spot() takes bets and raises after the ranges, and nothing more by place")
    return cast(SpotOptions, {**named, **options})


def _betting(given: SpotOptions, pot: float, blind: float, street: int) -> Betting:
    """The betting that was said: sizes and rules of a name, and what was said besides."""
    options: dict[str, Any] = {**(preset(given["tree"]) if "tree" in given else {}), **given}
    bets, raises = options.get("bets", PAPER_BETS), options.get("raises", PAPER_RAISES)
    if isinstance(bets, Betting):
        return bets
    options = {key: options[key] for key in BettingOptions.__annotations__ if key in options}
    minimum = options.get("minimum")
    if minimum is None and blind > pot > 0:
        raise RueError(
            f"a bet is at least a big blind, and the big blind of {chips(blind)} is more than the pot of "
            f"{chips(pot)}: give the big blind, or the smallest bet (minimum), in the chips of the pot"
        )
    options["minimum"] = blind if minimum is None else _number(minimum, "minimum bet")
    for key, what in (("allin_threshold", "all-in threshold"), ("add_allin", "stack-to-pot ratio that adds all-in")):
        options[key] = _number(options.get(key, 0.0), what)
    return Betting.parse(bets, raises, street, **options)


def _edited(found: Spot, path: str | Path) -> Spot:
    """A spot whose betting tree is what a file leaves of it."""
    content = text_of(home_path(path), "the betting tree")
    try:
        gone = removed(found.tree, content.splitlines())
    except RueError as error:
        raise RueError(f"{path}: {error}") from None
    edits = (*found.betting.edits, *(Edit(tuple(line.split(", ")), None, line) for line in gone))
    return replace(found, betting=replace(found.betting, edits=edits))


def _texts(given: str | Sequence[str] | None) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given or ())


def _rake(given: SpotOptions) -> Rake:
    cap, on_folds = given.get("rake_cap"), given.get("rake_on_folds", True)
    if not isinstance(on_folds, bool):
        raise RueError(f"rake_on_folds must be true or false, not {on_folds!r}")
    rate = parse_share(given.get("rake", 0.0), "rake")
    return Rake(rate, math.inf if cap is None else _number(cap, "rake cap"), on_folds)


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
    """Weights that numbers of 32 bits can hold: the largest near 1, where it is tiny, and none that is next to nothing
    beside it."""
    largest = weights.max()
    if 0 < largest < TINY:
        weights, largest = np.ldexp(weights, -int(np.frexp(largest)[1])), np.frexp(largest)[0]
    return np.where(weights > 0, np.maximum(weights, LEAST * largest), 0.0)


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
