"""Hands by what a player calls them on a board: `sets`, `top pair with flush draw`, `two pair+, AKs`, `air`.

A text names hands by the categories of `rue.holdem.categories`, in the singular or plural, by the names below, or by a
range. A comma means or, `with`, `and` or `&` mean both, `without` and `not` leave out; a made hand with `+` or
`or better` after it takes those above it in the order of `MADE`, too.

| name | hands |
|---|---|
| pair | one pair of any kind, from overpair down to low pair |
| made hand | a pair or better |
| pocket pair | two cards of a rank |
| top pair top kicker, tptk | top pair with the highest rank that the board does not have |
| middle pair, bottom pair | second pair; a card that pairs the lowest card of the board |
| nut flush draw, nfd | a flush draw with the highest card of the suit that the board does not have |
| straight draw | open-ended or gutshot |
| draw | a flush draw or a straight draw |
| air | no pair, neither ace nor king high, and no draw but a backdoor one |
| any | every hand |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from rue.errors import RueError, nearest
from rue.holdem.cards import HANDS, allowed_hands
from rue.holdem.categories import DRAWS, MADE, Categories, Mask, categories, high_rank, low_rank, suits
from rue.holdem.ranges import Range

SYNONYMS = {
    "four of a kind": "quads",
    "boat": "full house",
    "three of a kind": "set, trips",
    "middle pair": "second pair",
    "a high": "ace high",
    "k high": "king high",
    "no made hand": "ace high, king high, nothing",
    "no pair": "ace high, king high, nothing",
    "fd": "flush draw",
    "nfd": "nut flush draw",
    "bdfd": "backdoor flush draw",
    "backdoor": "backdoor flush draw",
    "oesd": "open-ended",
    "open ender": "open-ended",
    "open ended straight draw": "open-ended",
    "gutter": "gutshot",
    "inside straight draw": "gutshot",
    "gutshot straight draw": "gutshot",
    "tptk": "top pair top kicker",
}

_BOTH = re.compile(r"\s*(?:&|\b(?:with|and)\b(?: an?\b)?)\s*", re.IGNORECASE)
_WITHOUT = re.compile(r"\s*\b(?:without|but not|and not|not)\b(?: an?\b)?\s*", re.IGNORECASE)
_BETTER = re.compile(r"(.*?)\s*(?:\+|\bor better)$", re.IGNORECASE)


def hands_named(text: str, board: Sequence[int]) -> Mask:
    """Which of the 1,326 hands a text names on a board.

    >>> from rue.holdem.cards import parse_board
    >>> flop = parse_board("Ks 7h 2h")
    >>> [int(hands_named(text, flop).sum()) for text in ("sets", "flush draws with top pair", "two pair+", "AKs, 77")]
    [9, 10, 36, 6]
    >>> hands_named("overpear", flop)
    Traceback (most recent call last):
    rue.errors.RueError: there are no hands called 'overpear'; did you mean overpair or underpair or two pair?
    """
    there = categories(board)
    found = np.zeros(len(HANDS), dtype=bool)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise RueError(f"no hands are named: write {_HELP}")
    for part in parts:
        wanted, *left_out = _WITHOUT.split(part)
        mask = _all(wanted, there) if wanted else allowed_hands(there.board)
        for other in left_out:
            mask = mask & ~_all(other, there)
        found |= mask
    return found


def known_names() -> tuple[str, ...]:
    """Every name that hands have, for lists and suggestions."""
    return (*MADE, *DRAWS, *OTHERS)


_HELP = "a made hand or a draw like top pair or flush draw, or a range like AKs or QQ-99"


def _all(text: str, there: Categories) -> Mask:
    """The hands that are all of what is named."""
    masks = [_one(part, there) for part in _BOTH.split(text)]
    return np.asarray(np.logical_and.reduce(masks))


def _one(text: str, there: Categories) -> Mask:
    name = _spellings().get(_plain(text))
    if name is not None:
        return _named(name, there)
    better = _BETTER.fullmatch(text)
    lowest = _spellings().get(_plain(better[1])) if better else None
    if lowest in MADE:
        return (there.made >= 0) & (there.made <= MADE.index(lowest))
    if lowest is not None:
        raise RueError(f"{text!r} names no hands: what is better than another is known of made hands like top pair")
    try:
        return (Range.parse(text).weights > 0) & allowed_hands(there.board)
    except RueError as error:
        if re.match(r"(?:[2-9TJQKA]{2}|[2-9TJQKA][shdc]|\d)", text):
            raise
        known = nearest(_plain(text), known_names())
        advice = known if known.startswith("did you") else f"write {_HELP}"
        raise RueError(f"there are no hands called {text!r}; {advice}") from error


def _named(name: str, there: Categories) -> Mask:
    if name in OTHERS:
        return OTHERS[name](there)
    if name in SYNONYMS.values():
        return np.asarray(np.logical_or.reduce([there.where(each) for each in name.split(", ")]))
    return there.where(name)


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.lower()).strip()


@cache
def _spellings() -> dict[str, str]:
    """Every way to write a name, in the singular and the plural."""
    names = {_plain(name): name for name in known_names()} | SYNONYMS
    plurals = {spelling + ending: name for spelling, name in names.items() for ending in ("s", "es")}
    return plurals | names


def _between(best: str, worst: str) -> Callable[[Categories], Mask]:
    return lambda there: (there.made >= MADE.index(best)) & (there.made <= MADE.index(worst))


def _nothing(there: Categories) -> Mask:
    return there.where("nothing") & ~_draw(there)


def _draw(there: Categories) -> Mask:
    return there.draws["flush draw"] | _straight_draw(there)


def _straight_draw(there: Categories) -> Mask:
    return there.draws["open-ended"] | there.draws["gutshot"]


def _nut_flush_draw(there: Categories) -> Mask:
    found = np.zeros(len(HANDS), dtype=bool)
    for suit in range(4):
        highest = max(card for card in range(suit, 52, 4) if card not in there.board)
        held = (HANDS[:, 0] == highest) | (HANDS[:, 1] == highest)
        own = (suits == suit).sum(axis=1) + sum(card % 4 == suit for card in there.board)
        found |= held & (own == 4)
    return found & there.draws["flush draw"]


def _top_kicker(there: Categories) -> Mask:
    ranks = {card // 4 for card in there.board}
    best = max(rank for rank in range(13) if rank not in ranks)
    return np.asarray(there.where("top pair") & ((low_rank == best) | (high_rank == best)))


def _bottom_pair(there: Categories) -> Mask:
    return np.asarray(there.paired == min(card // 4 for card in there.board))


def _pocket_pair(there: Categories) -> Mask:
    return np.asarray((low_rank == high_rank) & (there.made >= 0))


OTHERS: dict[str, Callable[[Categories], Mask]] = {
    "pair": _between("overpair", "low pair"),
    "made hand": _between("straight flush", "low pair"),
    "pocket pair": _pocket_pair,
    "top pair top kicker": _top_kicker,
    "bottom pair": _bottom_pair,
    "nut flush draw": _nut_flush_draw,
    "straight draw": _straight_draw,
    "draw": _draw,
    "air": _nothing,
    "any": lambda there: there.made >= 0,
}
"""The names beside categories, and what they mean."""
