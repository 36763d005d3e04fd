"""Groups of hands: by class, made hand, draw, or description."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hole_cards import SIDE, class_name
from zerosum.holdem.cards.cards import HAND_COUNT, RANKS
from zerosum.holdem.cards.hand_classes import hands_of_class
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.made_hands import DRAWS, MADE_HANDS, classify_hands

DRAW_BITS = DRAWS[:-1]
"""The draws that a bit mask has, the first one lowest; "no draw" is a mask of zero."""


class HandGroups(NamedTuple):
    """Named groups of the 1,326 hands, which may overlap as draws do."""

    names: tuple[str, ...]
    members: NDArray[np.bool_]
    """Which hands are in each group, shape (groups, 1326)."""


@cache
def all_hands() -> HandGroups:
    """Return every hand as one group."""
    return HandGroups(("range",), np.ones((1, HAND_COUNT), dtype=bool))


@cache
def by_class() -> HandGroups:
    """Return the 169 classes such as AKs, row by row of the grid.

    >>> by_class().names[:3], by_class().members.sum(axis=1)[:3].tolist()
    (('AA', 'AKs', 'AQs'), [6, 4, 4])
    """
    members = np.zeros((SIDE * SIDE, HAND_COUNT), dtype=bool)
    names = []
    for place in range(SIDE * SIDE):
        name, hands = class_at(*divmod(place, SIDE))
        names.append(name)
        members[place, hands] = True
    return HandGroups(tuple(names), members)


@lru_cache(maxsize=64)
def by_made_hand(board: tuple[int, ...]) -> HandGroups:
    """Return the made hands on a board, best first."""
    made_hand = classify_hands(board).made_hand
    return HandGroups(MADE_HANDS, made_hand == np.arange(len(MADE_HANDS))[:, None])


@lru_cache(maxsize=64)
def by_draw(board: tuple[int, ...]) -> HandGroups:
    """Return the draws on a board, which may overlap."""
    hands = classify_hands(board)
    return HandGroups(DRAWS, np.array([hands.mask(name) for name in DRAWS]))


@lru_cache(maxsize=64)
def made_hand_codes(board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return what each of the 1,326 hands makes on a board, as its place in `MADE_HANDS`; -1 for blocked hands."""
    return classify_hands(board).made_hand.astype(np.int64)


@lru_cache(maxsize=64)
def draw_masks(board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return what each of the 1,326 hands draws to on a board: bit k stands for `DRAW_BITS[k]`."""
    hands = classify_hands(board)
    return np.asarray(sum(hands.mask(name).astype(np.int64) << bit for bit, name in enumerate(DRAW_BITS)))


def by_filter(texts: Sequence[str], board: Sequence[int]) -> HandGroups:
    """Return a group for each text such as `top pair` or `AKs`."""
    return HandGroups(tuple(text.strip() for text in texts), np.array([select_hands(text, board) for text in texts]))


def class_at(row: int, column: int) -> tuple[str, NDArray[np.int64]]:
    """Return the name and the hands of the class at a place of the grid.

    >>> class_at(0, 0)[0], class_at(0, 1)[0], class_at(1, 0)[0]
    ('AA', 'AKs', 'AKo')
    """
    name = class_name(row, column)
    return name, hands_of_class(RANKS.index(name[0]), RANKS.index(name[1]), name[2:])
