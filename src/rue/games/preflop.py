"""Hold'em before the flop: how often each of two hands wins over all 1,712,304 boards, exactly.

Cards and hands are numbered as in `rue.holdem.cards`: a card is `rank * 4 + suit`, a hand one of the 1,326 pairs of
cards in lexicographic order. Renaming suits and exchanging the players changes nothing but the order, so 47,008 pairs
of hands stand for all 812,175 that share no card. The file beside this module holds their wins and ties, in the order
of the smallest `first hand * 1326 + second hand` that stands for a pair; `rue.holdem.preflop_enumeration` makes it.
"""

from __future__ import annotations

import lzma
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BOARDS = 1_712_304
"""Boards of five cards from the 48 that two hands leave."""
HANDS = np.array(list(combinations(range(52), 2)))
"""The two cards of each hand."""
NUMBER = np.zeros((52, 52), dtype=np.int64)
"""The number of the hand of two cards."""
NUMBER[HANDS[:, 0], HANDS[:, 1]] = NUMBER[HANDS[:, 1], HANDS[:, 0]] = np.arange(len(HANDS))
RENAMED = np.array([NUMBER[tuple((HANDS // 4 * 4 + np.array(suits)[HANDS % 4]).T)] for suits in permutations(range(4))])
"""What each hand becomes under each of the 24 ways to rename the suits, shape (24, 1326)."""
FILE = Path(__file__).with_name("preflop.xz")

Whole = NDArray[np.int32]


class Matchups(NamedTuple):
    """On how many boards the first hand wins and on how many both win the same; 0 and 0 where they share a card."""

    wins: Whole
    ties: Whole

    @property
    def equity(self) -> NDArray[np.float64]:
        """The share of the pot that the first hand wins on average."""
        return (self.wins + self.ties / 2) / BOARDS


class Pairs(NamedTuple):
    """The pairs of hands: `key[i, j]` is the smallest `first * 1326 + second` that stands for the pair, `swapped` says
    whether the players change places in it, `apart` whether the hands share no card."""

    key: NDArray[np.int64]
    swapped: NDArray[np.bool_]
    apart: NDArray[np.bool_]


def pairs(first: NDArray[Any]) -> Pairs:
    """How each pair of one of these hands and any hand is stored.

    >>> first = np.arange(1326)
    >>> key, swapped, apart = pairs(first)
    >>> int(apart.sum()), len(np.unique(key[apart]))
    (1624350, 47008)
    """
    shape = len(first), len(HANDS)
    best, best_swapped = np.full(shape, len(HANDS) ** 2), np.full(shape, len(HANDS) ** 2)
    for hands in RENAMED:
        one, two = hands[first][:, None], hands[None, :]
        np.minimum(best, one * len(HANDS) + two, out=best)
        np.minimum(best_swapped, two * len(HANDS) + one, out=best_swapped)
    one, two = HANDS[first][:, None, :, None], HANDS[None, :, None, :]
    return Pairs(np.minimum(best, best_swapped), best_swapped < best, ~(one == two).any(axis=(2, 3)))


@cache
def smallest() -> NDArray[np.int64]:
    """The hand with the smallest number that each hand becomes by renaming suits: one for each of the 169 classes.

    >>> len(np.unique(smallest()))
    169
    """
    return np.asarray(RENAMED.min(axis=0))


def of_classes() -> tuple[NDArray[np.int64], Matchups]:
    """One hand of each of the 169 classes, and how it does against each of the 1,326 hands, shape (169, 1326)."""
    first = np.unique(smallest())
    key, swapped, apart = pairs(first)
    kept = np.frombuffer(lzma.decompress(FILE.read_bytes()), dtype="<i4").reshape(2, -1)
    place = np.searchsorted(np.unique(key[apart]), np.where(apart, key, 0))
    wins, ties = kept[0][place], kept[1][place]
    wins = np.where(swapped, BOARDS - wins - ties, wins)
    return first, Matchups(np.where(apart, wins, 0), np.where(apart, ties, 0))


@cache
def matchups() -> Matchups:
    """How every hand does against every hand, shape (1326, 1326).

    >>> wins, ties = matchups()
    >>> aces, kings = NUMBER[48, 49], NUMBER[44, 45]
    >>> int(wins[aces, kings]), int(ties[aces, kings])
    (1410336, 9308)
    """
    first, known = of_classes()
    row = np.searchsorted(first, smallest())
    renaming = RENAMED.argmin(axis=0)  # of each hand to that of its class
    columns = RENAMED[renaming]
    return Matchups(known.wins[row[:, None], columns], known.ties[row[:, None], columns])
