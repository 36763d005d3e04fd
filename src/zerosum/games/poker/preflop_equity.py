"""Equities of all pairs of hold'em hands before the flop, exact over all 1,712,304 boards.

Renaming suits and exchanging the players changes nothing but the order, so 47,008 pairs of hands stand for all 812,175
that share no card. The file beside this module holds their wins and ties, in the order of the smallest
`first hand * 1326 + second hand` that stands for a pair; `benchmarks/preflop_equities.py` computes it.
"""

from __future__ import annotations

import lzma
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hole_cards import HAND_INDEX, HANDS

BOARDS = 1_712_304
"""Boards of five cards from the 48 that two hands leave."""
SUIT_PERMUTED = np.array(
    [HAND_INDEX[tuple((HANDS // 4 * 4 + np.array(suits)[HANDS % 4]).T)] for suits in permutations(range(4))]
)
"""The hand that each hand becomes under each of the 24 renamings of the suits, shape (24, 1326)."""
FILE = Path(__file__).with_name("preflop.xz")

Counts = NDArray[np.int32]


class PreflopEquities(NamedTuple):
    """The number of boards where the first hand wins, and where both tie; 0 and 0 for hands that share a card."""

    wins: Counts
    ties: Counts

    @property
    def equity(self) -> NDArray[np.float64]:
        """The share of the pot that the first hand wins on average."""
        return (self.wins + self.ties / 2) / BOARDS


def find_canonical_pairs(first: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return how each pair of one of these hands and any hand is stored: three arrays of shape (len(first), 1326).

    key      the smallest `first * 1326 + second` that stands for the pair
    swapped  whether the players change places in it
    apart    whether the hands share no card

    >>> first = np.arange(1326)
    >>> key, swapped, apart = find_canonical_pairs(first)
    >>> int(apart.sum()), len(np.unique(key[apart]))
    (1624350, 47008)
    """
    shape = len(first), len(HANDS)
    best, best_swapped = np.full(shape, len(HANDS) ** 2), np.full(shape, len(HANDS) ** 2)
    for hands in SUIT_PERMUTED:
        left, right = hands[first][:, None], hands[None, :]
        np.minimum(best, left * len(HANDS) + right, out=best)
        np.minimum(best_swapped, right * len(HANDS) + left, out=best_swapped)
    left, right = HANDS[first][:, None, :, None], HANDS[None, :, None, :]
    return np.minimum(best, best_swapped), best_swapped < best, ~(left == right).any(axis=(2, 3))


@cache
def find_class_representatives() -> NDArray[np.int64]:
    """Return, for each hand, the smallest hand that it becomes by renaming suits: one for each of the 169 classes.

    >>> len(np.unique(find_class_representatives()))
    169
    """
    return np.asarray(SUIT_PERMUTED.min(axis=0))


def load_class_equities() -> tuple[NDArray[np.int64], PreflopEquities]:
    """Return a hand of each of the 169 classes, and its wins and ties against each hand, shape (169, 1326)."""
    first = np.unique(find_class_representatives())
    key, swapped, apart = find_canonical_pairs(first)
    stored = np.frombuffer(lzma.decompress(FILE.read_bytes()), dtype="<i4").reshape(2, -1)
    index = np.searchsorted(np.unique(key[apart]), np.where(apart, key, 0))
    wins, ties = stored[0][index], stored[1][index]
    wins = np.where(swapped, BOARDS - wins - ties, wins)
    return first, PreflopEquities(np.where(apart, wins, 0), np.where(apart, ties, 0))


@cache
def load_preflop_equities() -> PreflopEquities:
    """Return the wins and ties of every hand against every hand, shape (1326, 1326).

    >>> wins, ties = load_preflop_equities()
    >>> aces, kings = HAND_INDEX[48, 49], HAND_INDEX[44, 45]
    >>> int(wins[aces, kings]), int(ties[aces, kings])
    (1410336, 9308)
    """
    first, equities = load_class_equities()
    row = np.searchsorted(first, find_class_representatives())
    renaming = SUIT_PERMUTED.argmin(axis=0)  # of each hand to that of its class
    columns = SUIT_PERMUTED[renaming]
    return PreflopEquities(equities.wins[row[:, None], columns], equities.ties[row[:, None], columns])
