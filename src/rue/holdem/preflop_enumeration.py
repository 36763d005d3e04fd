"""Makes the file of exact equities before the flop: `python -m rue.holdem.preflop_enumeration`, about a minute.

Of the 2,598,960 boards 134,459 differ by more than the names of suits. On each of them all hands are compared with
each other, times the number of boards it stands for; what this counts for a pair of hands, averaged over the 24 ways to
rename the suits of the pair, is what all boards count.
"""

from __future__ import annotations

import lzma
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rue.disk import write_atomically
from rue.games.preflop import BOARDS, FILE, RENAMED, Matchups, pairs
from rue.holdem.cards import CARDS, HAND_COUNT
from rue.holdem.evaluator import strengths_of_boards

TOGETHER = 1000
"""Boards that are compared at a time: what they count fits sixteen bits."""
BLOCKED = 2**15 - 1


def boards_up_to_suits() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One of each set of boards that differ by the names of suits, and how many are in the set."""
    boards = np.array(list(combinations(range(CARDS), 5)), dtype=np.int64)
    cards = np.ones(CARDS, dtype=np.int64) << np.arange(CARDS)  # a board is a number with a bit for each card
    smallest = np.full(len(boards), np.iinfo(np.int64).max)
    for suits in permutations(range(4)):
        renamed = np.arange(CARDS) // 4 * 4 + np.array(suits)[np.arange(CARDS) % 4]
        np.minimum(smallest, cards[renamed][boards].sum(axis=1), out=smallest)
    _, first, times = np.unique(smallest, return_index=True, return_counts=True)
    return boards[first], times


def compare(ranks: NDArray[Any], times: NDArray[Any], wins: NDArray[Any], ties: NDArray[Any]) -> None:
    """Add on how many boards each hand beats each hand, and on how many it is its equal."""
    hands = ranks.shape[1]
    more, same = np.empty(hands, dtype=np.int16), np.empty(hands, dtype=np.int16)
    for one in range(hands):
        more[:], same[:] = 0, 0
        for board in range(len(ranks)):
            own, often, others = ranks[board, one], times[board], ranks[board]
            if own != BLOCKED:
                for two in range(hands):
                    more[two] += often if others[two] < own else np.int16(0)
                    same[two] += often if others[two] == own else np.int16(0)
        for two in range(hands):
            wins[one, two] += more[two]
            ties[one, two] += same[two]


def ranked(boards: NDArray[np.int64]) -> NDArray[np.int16]:
    """The strengths of all hands on each board as small numbers in the same order; the largest where one is blocked."""
    out = np.empty((len(boards), HAND_COUNT), dtype=np.int16)
    for row, strengths in zip(out, strengths_of_boards(boards), strict=True):
        row[:] = np.unique(strengths, return_inverse=True)[1]
        row[strengths < 0] = BLOCKED
    return out


def enumerated() -> Matchups:
    """How every hand does against every hand, shape (1326, 1326), from all boards; nothing where they share a card."""
    boards, times = boards_up_to_suits()
    counts = np.zeros((2, HAND_COUNT, HAND_COUNT), dtype=np.int32)
    compiled = njit(compare)  # here and not for all: nothing that rue runs needs it
    for first in range(0, len(boards), TOGETHER):
        some = slice(first, first + TOGETHER)
        compiled(ranked(boards[some]), times[some].astype(np.int16), *counts)
    apart = pairs(np.arange(HAND_COUNT)).apart
    wins, ties = (sum(count[hands[:, None], hands] for hands in RENAMED) // 24 * apart for count in counts)
    assert ((wins + ties + wins.T)[apart] == BOARDS).all()
    return Matchups(wins, ties)


def stored(found: Matchups) -> bytes:
    """What the file holds of it."""
    key, _, apart = pairs(np.arange(HAND_COUNT))
    one, two = np.divmod(np.unique(key[apart]), HAND_COUNT)
    return lzma.compress(np.stack([found.wins[one, two], found.ties[one, two]]).astype("<i4").tobytes(), preset=9)


if __name__ == "__main__":
    write_atomically(FILE, stored(enumerated()))
