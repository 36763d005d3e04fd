"""Hands by what a player calls them on a board: `sets`, `top pair with flush draw`, `two pair+, AKs`, `air`.

A text names hands by the categories of `zerosum.holdem.cards.made_hands`, in the singular or plural, by the names
below, or by a range. A comma means or, `with`, `and` or `&` mean both, `without` and `not` leave out; a made hand with
`+` or `or better` after it takes those above it in the order of `MADE`, too.

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

from zerosum.holdem.cards.cards import HANDS, unblocked_hands
from zerosum.holdem.cards.made_hands import (
    DRAWS,
    MADE_HANDS,
    MadeHands,
    Mask,
    classify_hands,
    high_rank,
    low_rank,
    suits,
)
from zerosum.holdem.cards.ranges import Range
from zerosum.support.errors import ZerosumError, suggest_names

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


def select_hands(text: str, board: Sequence[int]) -> Mask:
    """Which of the 1,326 hands a text names on a board.

    >>> from zerosum.holdem.cards.cards import parse_board
    >>> flop = parse_board("Ks 7h 2h")
    >>> [int(select_hands(text, flop).sum()) for text in ("sets", "flush draws with top pair", "two pair+", "AKs, 77")]
    [9, 10, 36, 6]
    >>> select_hands("overpear", flop)
    Traceback (most recent call last):
    zerosum.ZerosumError: there are no hands called 'overpear'; did you mean overpair or underpair or two pair?
    """
    hands = classify_hands(board)
    selected = np.zeros(len(HANDS), dtype=bool)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ZerosumError(f"no hands are named: write {_HELP}")
    for part in parts:
        included, *excluded = _WITHOUT.split(part)
        mask = _parse_conjunction(included, hands) if included else unblocked_hands(hands.board)
        for other in excluded:
            mask = mask & ~_parse_conjunction(other, hands)
        selected |= mask
    return selected


def filter_names() -> tuple[str, ...]:
    """Return every name of made hands, draws and other groups, for lists and suggestions."""
    return (*MADE_HANDS, *DRAWS, *EXTRA_NAMES)


_HELP = "a made hand or a draw like top pair or flush draw, or a range like AKs or QQ-99"


def _parse_conjunction(text: str, hands: MadeHands) -> Mask:
    """Return the hands that match all terms of a text."""
    masks = [_parse_term(part, hands) for part in _BOTH.split(text)]
    return np.asarray(np.logical_and.reduce(masks))


def _parse_term(text: str, hands: MadeHands) -> Mask:
    name = _spellings().get(_normalize(text))
    if name is not None:
        return _named(name, hands)
    better = _BETTER.fullmatch(text)
    lowest = _spellings().get(_normalize(better[1])) if better else None
    if lowest in MADE_HANDS:
        return (hands.made_hand >= 0) & (hands.made_hand <= MADE_HANDS.index(lowest))
    if lowest is not None:
        raise ZerosumError(f"{text!r} names no hands: only made hands like top pair have an order")
    try:
        return (Range.parse(text).weights > 0) & unblocked_hands(hands.board)
    except ZerosumError as error:
        if re.match(r"(?:[2-9TJQKA]{2}|[2-9TJQKA][shdc]|\d)", text):
            raise
        suggestion = suggest_names(_normalize(text), filter_names())
        advice = suggestion if suggestion.startswith("did you") else f"write {_HELP}"
        raise ZerosumError(f"there are no hands called {text!r}; {advice}") from error


def _named(name: str, hands: MadeHands) -> Mask:
    if name in EXTRA_NAMES:
        return EXTRA_NAMES[name](hands)
    if name in SYNONYMS.values():
        return np.asarray(np.logical_or.reduce([hands.mask(part) for part in name.split(", ")]))
    return hands.mask(name)


def _normalize(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.lower()).strip()


@cache
def _spellings() -> dict[str, str]:
    """Every way to write a name, in the singular and the plural."""
    names = {_normalize(name): name for name in filter_names()} | SYNONYMS
    plurals = {spelling + ending: name for spelling, name in names.items() for ending in ("s", "es")}
    return plurals | names


def _between(best: str, worst: str) -> Callable[[MadeHands], Mask]:
    return lambda hands: (hands.made_hand >= MADE_HANDS.index(best)) & (hands.made_hand <= MADE_HANDS.index(worst))


def _nothing(hands: MadeHands) -> Mask:
    return hands.mask("nothing") & ~_draw(hands)


def _draw(hands: MadeHands) -> Mask:
    return hands.draws["flush draw"] | _straight_draw(hands)


def _straight_draw(hands: MadeHands) -> Mask:
    return hands.draws["open-ended"] | hands.draws["gutshot"]


def _nut_flush_draw(hands: MadeHands) -> Mask:
    selected = np.zeros(len(HANDS), dtype=bool)
    for suit in range(4):
        highest = max(card for card in range(suit, 52, 4) if card not in hands.board)
        held = (HANDS[:, 0] == highest) | (HANDS[:, 1] == highest)
        n_suited = (suits == suit).sum(axis=1) + sum(card % 4 == suit for card in hands.board)
        selected |= held & (n_suited == 4)
    return selected & hands.draws["flush draw"]


def _top_kicker(hands: MadeHands) -> Mask:
    ranks = {card // 4 for card in hands.board}
    best = max(rank for rank in range(13) if rank not in ranks)
    return np.asarray(hands.mask("top pair") & ((low_rank == best) | (high_rank == best)))


def _bottom_pair(hands: MadeHands) -> Mask:
    return np.asarray(hands.paired == min(card // 4 for card in hands.board))


def _pocket_pair(hands: MadeHands) -> Mask:
    return np.asarray((low_rank == high_rank) & (hands.made_hand >= 0))


EXTRA_NAMES: dict[str, Callable[[MadeHands], Mask]] = {
    "pair": _between("overpair", "low pair"),
    "made hand": _between("straight flush", "low pair"),
    "pocket pair": _pocket_pair,
    "top pair top kicker": _top_kicker,
    "bottom pair": _bottom_pair,
    "nut flush draw": _nut_flush_draw,
    "straight draw": _straight_draw,
    "draw": _draw,
    "air": _nothing,
    "any": lambda hands: hands.made_hand >= 0,
}
"""The names beside categories, and what they mean."""
