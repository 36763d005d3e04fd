"""Groups of hands: by class, made hand, draw, or description."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hole_cards import list_class_places, map_hands_to_classes
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
def group_by_class() -> HandGroups:
    """Return the 169 classes such as AKs, row by row of the grid.

    >>> group_by_class().names[:3], group_by_class().members.sum(axis=1)[:3].tolist()
    (('AA', 'AKs', 'AQs'), [6, 4, 4])
    """
    names = tuple(list_class_places())
    return HandGroups(names, map_hands_to_classes() == np.arange(len(names))[:, None])


@lru_cache(maxsize=64)
def group_by_made_hand(board: tuple[int, ...]) -> HandGroups:
    """Return the made hands on a board, best first."""
    return HandGroups(MADE_HANDS, classify_made_hands(board) == np.arange(len(MADE_HANDS))[:, None])


@lru_cache(maxsize=64)
def group_by_draw(board: tuple[int, ...]) -> HandGroups:
    """Return the draws on a board, which may overlap."""
    hands = classify_hands(board)
    return HandGroups(DRAWS, np.array([hands.select(name) for name in DRAWS]))


def group_by_filter(texts: Sequence[str], board: Sequence[int]) -> HandGroups:
    """Return a group for each text such as `top pair` or `AKs`."""
    return HandGroups(tuple(text.strip() for text in texts), np.array([select_hands(text, board) for text in texts]))


@lru_cache(maxsize=64)
def classify_made_hands(board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return what each of the 1,326 hands makes on a board, as its place in `MADE_HANDS`; -1 for blocked hands."""
    return classify_hands(board).made_hand.astype(np.int64)


@lru_cache(maxsize=64)
def compute_draw_masks(board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return what each of the 1,326 hands draws to on a board: bit k stands for `DRAW_BITS[k]`."""
    hands = classify_hands(board)
    return np.asarray(sum(hands.select(name).astype(np.int64) << bit for bit, name in enumerate(DRAW_BITS)))
