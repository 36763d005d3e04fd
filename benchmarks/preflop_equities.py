"""Compute the file of exact equities before the flop: `python benchmarks/preflop_equities.py`.

It takes about a minute. Of the 2,598,960 boards 134,459 differ by more than the names of suits. On each of them all
hands are compared with each other, times the number of boards that it stands for. The count for a pair of hands,
averaged over the 24 ways to rename the suits of the pair, is the count over all boards.
"""

from __future__ import annotations

import lzma
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from zerosum.games.poker.preflop_equity import BOARDS, FILE, SUIT_PERMUTED, PreflopEquities, find_canonical_pairs
from zerosum.holdem.cards.cards import CARDS, HAND_COUNT
from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.support.files import write_atomically

TOGETHER = 1000
"""Boards that are compared at a time: their counts fit sixteen bits."""
BLOCKED = 2**15 - 1


def boards_up_to_suits() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one of each set of boards that differ by the names of suits, and the number of boards in the set."""
    boards = np.array(list(combinations(range(CARDS), 5)), dtype=np.int64)
    cards = np.ones(CARDS, dtype=np.int64) << np.arange(CARDS)  # a board is a number with a bit for each card
    smallest = np.full(len(boards), np.iinfo(np.int64).max)
    for suits in permutations(range(4)):
        renamed = np.arange(CARDS) // 4 * 4 + np.array(suits)[np.arange(CARDS) % 4]
        np.minimum(smallest, cards[renamed][boards].sum(axis=1), out=smallest)
    _, first, times = np.unique(smallest, return_index=True, return_counts=True)
    return boards[first], times


def add_comparisons(ranks: NDArray[Any], times: NDArray[Any], wins: NDArray[Any], ties: NDArray[Any]) -> None:
    """Add the number of boards on which each hand beats each hand, and on which both are equal."""
    hands = ranks.shape[1]
    more, same = np.empty(hands, dtype=np.int16), np.empty(hands, dtype=np.int16)
    for hand in range(hands):
        more[:], same[:] = 0, 0
        for board in range(len(ranks)):
            rank, count, opposing = ranks[board, hand], times[board], ranks[board]
            if rank != BLOCKED:
                for opponent in range(hands):
                    more[opponent] += count if opposing[opponent] < rank else np.int16(0)
                    same[opponent] += count if opposing[opponent] == rank else np.int16(0)
        for opponent in range(hands):
            wins[hand, opponent] += more[opponent]
            ties[hand, opponent] += same[opponent]


def rank_hands(boards: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return the strengths of all hands on each board as small numbers; the largest number where a hand is blocked."""
    out = np.empty((len(boards), HAND_COUNT), dtype=np.int16)
    for row, strengths in zip(out, compute_strengths(boards), strict=True):
        row[:] = np.unique(strengths, return_inverse=True)[1]
        row[strengths < 0] = BLOCKED
    return out


def enumerate_equities() -> PreflopEquities:
    """Return wins and ties of every hand against every hand, shape (1326, 1326); 0 where they share a card."""
    boards, times = boards_up_to_suits()
    counts = np.zeros((2, HAND_COUNT, HAND_COUNT), dtype=np.int32)
    compiled = njit(add_comparisons)  # here and not for all: nothing that zerosum runs needs it
    for first in range(0, len(boards), TOGETHER):
        some = slice(first, first + TOGETHER)
        compiled(rank_hands(boards[some]), times[some].astype(np.int16), *counts)
    _, _, apart = find_canonical_pairs(np.arange(HAND_COUNT))
    wins, ties = (sum(count[hands[:, None], hands] for hands in SUIT_PERMUTED) // 24 * apart for count in counts)
    assert ((wins + ties + wins.T)[apart] == BOARDS).all()
    return PreflopEquities(wins, ties)


def pack_equities(equities: PreflopEquities) -> bytes:
    """Return the content of the file."""
    key, _, apart = find_canonical_pairs(np.arange(HAND_COUNT))
    pairs = np.divmod(np.unique(key[apart]), HAND_COUNT)
    return lzma.compress(np.stack([equities.wins[pairs], equities.ties[pairs]]).astype("<i4").tobytes(), preset=9)


if __name__ == "__main__":
    write_atomically(FILE, pack_equities(enumerate_equities()))
