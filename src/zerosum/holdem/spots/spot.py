"""The spot itself, and `spot()`, which builds one from texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zerosum.holdem.betting.abstraction import BettingAbstraction, LineEdit
from zerosum.holdem.betting.presets import PRESETS
from zerosum.holdem.betting.rake import NO_RAKE, Rake
from zerosum.holdem.betting.sizes import DEFAULT_BETS, DEFAULT_RAISES, PLAYER_NAMES, format_chips, parse_chips
from zerosum.holdem.betting.tree import Street, TreeSize, build_betting_tree, count_tree
from zerosum.holdem.betting.tree_text import find_removed_lines
from zerosum.holdem.cards.cards import (
    CARDS,
    HANDS,
    check_board,
    find_street,
    find_unblocked_hands,
    format_cards,
    parse_board,
)
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.options import BettingOptions, SpotOptions
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.files import read_text_file
from zerosum.support.text import parse_share
from zerosum.support.thread_safety import cached_property
from zerosum.support.user_modules import expand_home

MAX_STACK_TO_POT = 1e6
"""The largest ratio of stack to pot and of pot to stack, because sizes are rounded to twelve digits of all chips."""
MAX_POT = 1e18
"""The largest pot, and the reciprocal of the smallest, because regrets are numbers of 32 bits."""
SMALL_WEIGHT = 2.0**-30
"""If no weight of a range is larger than this, its weights are scaled up."""
MIN_RELATIVE_WEIGHT = 2.0**-100
"""The smallest weight in relation to the largest of its range; smaller ones would change no digit of a result."""


@dataclass(frozen=True)
class Spot:
    """The start of a hold'em subgame: the player out of position is to act.

    - `board`: three, four or five cards.
    - `pot`: chips in the middle, half of them from each player.
    - `stack`: chips behind each player; the smaller one of unequal stacks.
    - `oop`, `ip`: the ranges of the players out of position and in position. Hands that the board blocks are ignored.
    - `big_blind`: only for results in big blinds; one big blind is 1,000 mbb.
    - `rake`: the rake; none by default.
    """

    problem_kind: ClassVar[str] = "holdem"
    board: tuple[int, ...]
    pot: float
    stack: float
    oop: Range
    ip: Range
    betting: BettingAbstraction = field(default_factory=BettingAbstraction.parse)
    big_blind: float = 100.0
    name: str = ""
    rake: Rake = NO_RAKE
    locks: tuple[str, ...] = ()
    """Strategies that are fixed instead of solved, as texts: see `zerosum.problems.locks`."""

    def __post_init__(self) -> None:
        check_board(self.board)
        for name in ("pot", "stack", "big_blind"):
            _check_positive(getattr(self, name), name.replace("_", " "))
        if not 1 / MAX_POT <= self.pot <= MAX_POT:
            raise ZerosumError(
                f"the pot is {self.pot:g} chips; it must lie between {1 / MAX_POT:g} and {MAX_POT:g}: use another unit"
            )
        if not 1 / MAX_STACK_TO_POT <= self.stack / self.pot <= MAX_STACK_TO_POT:
            raise ZerosumError(
                f"the stack of {format_chips(self.stack)} and the pot of {format_chips(self.pot)} differ by a factor "
                f"of more than {MAX_STACK_TO_POT:,.0f}: choose sizes that are closer"
            )
        if not self.name.isprintable():
            raise ZerosumError(f"the name of a spot must be one line of readable text, not {self.name!r}")
        for player, weights in zip(PLAYER_NAMES, self.weights, strict=True):
            if not weights.any():
                raise ZerosumError(f"no hand of the range {player} fits the board {format_cards(self.board)}")
        if _count_disjoint_pairs(*self.weights) == 0:
            raise ZerosumError("the two ranges have no two hands that can be dealt together")

    @property
    def street(self) -> int:
        """The street of the board: 0 for a flop, 1 for a turn, 2 for a river."""
        return find_street(self.board)

    def check_same_game(self, other: Spot) -> None:
        """Refuse a strategy of a spot with another board, pot, stack or betting: its actions would mean something else.

        The ranges may have other weights, and the rake may differ.
        """
        for part in ("board", "pot", "stack", "betting"):
            if getattr(self, part) != getattr(other, part):
                difference = "the bets differ" if part == "betting" else f"the {part} differs"
                raise ZerosumError(f"the strategy of {other} does not fit {self}: {difference}")

    @property
    def ranges(self) -> tuple[Range, Range]:
        """The ranges out of position and in position."""
        return self.oop, self.ip

    @cached_property
    def weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both ranges on this board: 1,326 weights each, 0 where the board blocks a hand.

        Only their ratios matter: if all are tiny, they are multiplied by a power of two, and a weight that is
        negligible beside the others is increased a little.
        """
        free = find_unblocked_hands(self.board)
        oop, ip = (_rescale_tiny_weights(np.where(free, held.weights, 0.0)) for held in self.ranges)
        return oop, ip

    @property
    def hands(self) -> tuple[int, int]:
        """The number of hands of each player that fit the board."""
        return int(np.count_nonzero(self.weights[0])), int(np.count_nonzero(self.weights[1]))

    @cached_property
    def tree(self) -> Street:
        """The betting tree from the first street on."""
        return build_betting_tree(self.betting, self.street, self.pot, self.stack, self.rake)

    def count_tree(self) -> TreeSize:
        """Return the size of the betting tree."""
        return count_tree(self.tree)

    @property
    def infoset_actions(self) -> int:
        """The number of actions, summed over all infosets of both players on all runouts."""
        return self.count_tree().infoset_actions(self.hands)

    def __str__(self) -> str:
        text = f"{format_cards(self.board)}, pot {format_chips(self.pot)}, stack {format_chips(self.stack)}"
        text += f", rake {self.rake}" if self.rake.rate else ""
        return f"{self.name} ({text})" if self.name else text


def spot(
    board: str | Sequence[int] | Sequence[str],
    pot: float | str,
    stack: float | str | Sequence[float],
    oop: str | Range | ArrayLike = "random",
    ip: str | Range | ArrayLike = "random",
    *sizes: str | BettingAbstraction | None,
    **options: Unpack[SpotOptions],
) -> Spot:
    """Build a spot from strings like those of the command line; without `minimum` the smallest bet is a big blind.

    `sizes` are the options `bets` and `raises` as positional arguments.

    >>> river = spot("4s 8h Tc 9h 2s", 500, 19750, oop="22+,A2s+,KTs+", ip="random")
    >>> river.hands, river.infoset_actions
    ((117, 1081), 55108)
    >>> print(spot("Ks 7h 2d 9c", 500, "9750,12000", "TT+", "25%", "50%", "none", rake="5%", rake_cap=30))
    Ks7h2d9c, pot 500, stack 9750, rake 5% capped at 30
    """
    options = _merge_options(sizes, options)
    cards, chips = _read_board(board), parse_chips(pot, "pot")
    blind = _check_positive(parse_chips(options.get("big_blind", 100.0), "big blind"), "big blind")
    check_board(cards)
    locks = options.get("locks") or ()
    result = Spot(
        cards,
        chips,
        _read_stack(stack),
        _read_range(oop, PLAYER_NAMES[0]),
        _read_range(ip, PLAYER_NAMES[1]),
        _build_betting(options, chips, blind, find_street(cards)),
        blind,
        options.get("name", ""),
        _build_rake(options),
        (locks,) if isinstance(locks, str) else tuple(locks),
    )
    return _apply_tree_file(result, options["tree_file"]) if "tree_file" in options else result


def _merge_options(sizes: tuple[str | BettingAbstraction | None, ...], options: SpotOptions) -> SpotOptions:
    """Return all options, whether passed by name or by position; refuse unknown names as Python does."""
    named = dict(zip(("bets", "raises"), sizes, strict=False))
    for name in options:
        if name not in SpotOptions.__annotations__:
            raise TypeError(f"spot() got an unexpected keyword argument {name!r}")
        if name in named:
            raise TypeError(f"spot() got multiple values for argument {name!r}")
    if len(sizes) > len(named):
        raise TypeError("spot() takes bets and raises after the ranges, and nothing more by position")
    return cast(SpotOptions, {**named, **options})


def _build_betting(spot_options: SpotOptions, pot: float, blind: float, street: int) -> BettingAbstraction:
    """Build the betting abstraction from the options of a spot: those of its preset, if any, changed by the others."""
    options: dict[str, Any] = {**spot_options}
    if "tree" in options:
        name = options["tree"]
        if name not in PRESETS:
            raise ZerosumError(f"there is no betting tree called {name!r}; {suggest_names(str(name), PRESETS)}")
        options = PRESETS[name].options | options
    bets, raises = options.get("bets", DEFAULT_BETS), options.get("raises", DEFAULT_RAISES)
    if isinstance(bets, BettingAbstraction):
        return bets
    options = {key: options[key] for key in BettingOptions.__annotations__ if key in options}
    if options.get("minimum") is None and blind > pot > 0:
        raise ZerosumError(
            f"a bet is at least a big blind, and the big blind of {format_chips(blind)} is more than the pot of "
            f"{format_chips(pot)}: give the big blind, or the smallest bet (minimum), in the chips of the pot"
        )
    if options.get("minimum") is None:
        options["minimum"] = blind
    return BettingAbstraction.parse(bets, raises, street, **options)


def _apply_tree_file(spot: Spot, path: str | Path) -> Spot:
    """Return a spot whose betting tree has only the lines in a file."""
    content = read_text_file(expand_home(path), "the betting tree")
    try:
        removed = find_removed_lines(spot.tree, content.splitlines())
    except ZerosumError as error:
        raise ZerosumError(f"{path}: {error}") from None
    edits = (*spot.betting.edits, *(LineEdit(tuple(line.split(", ")), None, line) for line in removed))
    return replace(spot, betting=replace(spot.betting, edits=edits))


def _build_rake(options: SpotOptions) -> Rake:
    cap, on_folds = options.get("rake_cap"), options.get("rake_on_folds", True)
    if not isinstance(on_folds, bool):
        raise ZerosumError(f"rake_on_folds must be true or false, not {on_folds!r}")
    rate = parse_share(options.get("rake", 0.0), "rake")
    return Rake(rate, math.inf if cap is None else parse_chips(cap, "rake cap"), on_folds)


def _count_disjoint_pairs(oop: NDArray[np.float64], ip: NDArray[np.float64]) -> int:
    """Return the number of pairs of hands that share no card: all - those with a common card + equal hands."""
    in_oop, in_ip = oop > 0, ip > 0
    holding = [np.bincount(HANDS[hands].ravel(), minlength=CARDS) for hands in (in_oop, in_ip)]
    return int(in_oop.sum()) * int(in_ip.sum()) - int(holding[0] @ holding[1]) + int((in_oop & in_ip).sum())


def _rescale_tiny_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights that 32 bits can represent: scaled up if all are tiny, and none negligible beside others."""
    largest = weights.max()
    if 0 < largest < SMALL_WEIGHT:
        weights, largest = np.ldexp(weights, -int(np.frexp(largest)[1])), np.frexp(largest)[0]
    return np.where(weights > 0, np.maximum(weights, MIN_RELATIVE_WEIGHT * largest), 0.0)


def _check_positive(value: float, name: str) -> float:
    if not (math.isfinite(value) and value > 0):
        raise ZerosumError(f"the {name} is {value:g}; it must be a number above zero")
    return value


def _read_board(value: Any) -> tuple[int, ...]:
    """Return the cards of a board: a string, or a sequence of strings or numbers."""
    if isinstance(value, str):
        return parse_board(value)
    cards = tuple(value) if isinstance(value, Iterable) else (value,)
    if all(isinstance(card, str) for card in cards):
        return parse_board(" ".join(cards))
    if not all(isinstance(card, int | np.integer) for card in cards):
        raise ZerosumError(f"cannot read the board {value!r}: write cards like 'Ks 7h 2d'")
    return tuple(int(card) for card in cards)


def _read_range(value: str | Range | ArrayLike, player: str) -> Range:
    """Return a range from a range, a text, or 1,326 weights in the order of `HANDS`."""
    if isinstance(value, Range):
        return value
    try:
        return Range.parse(value) if isinstance(value, str) else Range(value)
    except ZerosumError as error:
        raise ZerosumError(f"{player}: {error}") from None
    except (TypeError, ValueError):
        raise ZerosumError(
            f"{player}: a range is a string like 'TT+,AKs', a Range or 1,326 weights, not {value!r}"
        ) from None


def _read_stack(value: float | str | Sequence[float]) -> float:
    """Return the stack that both players can bet: the smaller of two."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, Sequence) else [value]
    if not 1 <= len(parts) <= 2:
        raise ZerosumError(f"cannot read the stack {value!r}: write one number, or two with a comma")
    numbers = [parse_chips(part, "stack") for part in parts]
    if min(numbers) <= 0 or any(math.isnan(number) for number in numbers):
        raise ZerosumError(f"the stack is {value}; it must be a number above zero")
    return min(numbers)
