"""Select hands by what a player calls them on a board: `sets`, `top pair with flush draw`, `two pair+, AKs`, `air`.

A text names hands by the categories of `zerosum.holdem.cards.made_hands`, in the singular or plural, by `SYNONYMS` or
`GROUPS`, or by a range. A comma means or, `with`, `and` or `&` mean both, `without` and `not` leave out; a made hand
followed by `+` or `or better` includes those above it in the order of `MADE_HANDS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from zerosum.holdem.cards.cards import HANDS, find_unblocked_hands
from zerosum.holdem.cards.made_hands import (
    DRAWS,
    MADE_HANDS,
    MadeHands,
    Mask,
    classify_hands,
    hand_suits,
    high_rank,
    low_rank,
)
from zerosum.holdem.cards.ranges import Range
from zerosum.support.errors import ZerosumError, suggest_names

SYNONYMS = {
    "four of a kind": "quads", "boat": "full house", "three of a kind": "set, trips", "middle pair": "second pair",
    "a high": "ace high", "k high": "king high", "no made hand": "ace high, king high, nothing",
    "no pair": "ace high, king high, nothing", "fd": "flush draw", "nfd": "nut flush draw",
    "bdfd": "backdoor flush draw", "backdoor": "backdoor flush draw", "oesd": "open-ended", "open ender": "open-ended",
    "open ended straight draw": "open-ended", "gutter": "gutshot", "inside straight draw": "gutshot",
    "gutshot straight draw": "gutshot", "tptk": "top pair top kicker",
}  # fmt: skip

_BOTH = re.compile(r"\s*(?:&|\b(?:with|and)\b(?: an?\b)?)\s*", re.IGNORECASE)
_WITHOUT = re.compile(r"\s*\b(?:without|but not|and not|not)\b(?: an?\b)?\s*", re.IGNORECASE)
_BETTER = re.compile(r"(.*?)\s*(?:\+|\bor better)$", re.IGNORECASE)
_HELP = "a made hand or a draw like top pair or flush draw, or a range like AKs or QQ-99"


def _is_between(hands: MadeHands, best: str, worst: str) -> Mask:
    return (hands.made_hand >= MADE_HANDS.index(best)) & (hands.made_hand <= MADE_HANDS.index(worst))


def _has_draw(hands: MadeHands) -> Mask:
    return hands.draws["flush draw"] | hands.draws["open-ended"] | hands.draws["gutshot"]


def _has_nut_flush_draw(hands: MadeHands) -> Mask:
    """Return the flush draws with the highest card of the suit that the board does not have."""
    selected = np.zeros(len(HANDS), dtype=bool)
    for suit in range(4):
        highest = max(card for card in range(suit, 52, 4) if card not in hands.board)
        n_suited = (hand_suits == suit).sum(axis=1) + sum(card % 4 == suit for card in hands.board)
        selected |= np.any(highest == HANDS, axis=1) & (n_suited == 4)
    return selected & hands.draws["flush draw"]


def _has_top_kicker(hands: MadeHands) -> Mask:
    """Return the top pairs with the highest rank that the board does not have."""
    best = max(set(range(13)) - {card // 4 for card in hands.board})
    return np.asarray(hands.select("top pair") & ((low_rank == best) | (high_rank == best)))


GROUPS: dict[str, Callable[[MadeHands], Mask]] = {
    "pair": lambda hands: _is_between(hands, "overpair", "low pair"),
    "made hand": lambda hands: _is_between(hands, "straight flush", "low pair"),
    "pocket pair": lambda hands: (low_rank == high_rank) & (hands.made_hand >= 0),
    "top pair top kicker": _has_top_kicker,
    "bottom pair": lambda hands: hands.paired == min(hands.board) // 4,
    "nut flush draw": _has_nut_flush_draw,
    "straight draw": lambda hands: hands.draws["open-ended"] | hands.draws["gutshot"],
    "draw": _has_draw,
    "air": lambda hands: hands.select("nothing") & ~_has_draw(hands),
    "any": lambda hands: hands.made_hand >= 0,
}
"""The groups of hands that have a name besides made hands and draws."""
FILTER_NAMES = (*MADE_HANDS, *DRAWS, *GROUPS)
"""Every name of made hands, draws and other groups, for lists and suggestions."""


def select_hands(text: str, board: Sequence[int]) -> Mask:
    """Return which of the 1,326 hands a text names on a board.

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
        mask = _parse_conjunction(included, hands) if included else find_unblocked_hands(hands.board)
        for other in excluded:
            mask = mask & ~_parse_conjunction(other, hands)
        selected |= mask
    return selected


def _parse_conjunction(text: str, hands: MadeHands) -> Mask:
    """Return the hands that match all terms of a text."""
    masks = [_parse_term(part, hands) for part in _BOTH.split(text)]
    return np.asarray(np.logical_and.reduce(masks))


def _parse_term(text: str, hands: MadeHands) -> Mask:
    name = _map_spellings_to_names().get(_normalize_spelling(text))
    if name in GROUPS:
        return GROUPS[name](hands)
    if name is not None:
        return np.asarray(np.logical_or.reduce([hands.select(part) for part in name.split(", ")]))
    better = _BETTER.fullmatch(text)
    lowest = _map_spellings_to_names().get(_normalize_spelling(better[1])) if better else None
    if lowest in MADE_HANDS:
        return _is_between(hands, MADE_HANDS[0], lowest)
    if lowest is not None:
        raise ZerosumError(f"{text!r} names no hands: only made hands like top pair have an order")
    try:
        return (Range.parse(text).weights > 0) & find_unblocked_hands(hands.board)
    except ZerosumError as error:
        if re.match(r"(?:[2-9TJQKA]{2}|[2-9TJQKA][shdc]|\d)", text):
            raise
        suggestion = suggest_names(_normalize_spelling(text), FILTER_NAMES)
        advice = suggestion if suggestion.startswith("did you") else f"write {_HELP}"
        raise ZerosumError(f"there are no hands called {text!r}; {advice}") from error


def _normalize_spelling(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.lower()).strip()


@cache
def _map_spellings_to_names() -> dict[str, str]:
    """Return the name that each spelling stands for, in the singular and the plural."""
    names = {_normalize_spelling(name): name for name in FILTER_NAMES} | SYNONYMS
    plurals = {spelling + ending: name for spelling, name in names.items() for ending in ("s", "es")}
    return plurals | names
