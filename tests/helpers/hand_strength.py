"""The strength of single hands of five to seven cards, from the parts of the evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.holdem.cards.kernels import compute_flush_strength, compute_strength_without_flush, count_ranks

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
BLOCKED = -1
"""The strength of a hand that shares a card with the board."""


@njit
def evaluate(cards: Any) -> Any:
    """The strength of the best five of five, six or seven cards."""
    singles = pairs = three = four = 0
    suits = 0  # thirteen bits a suit
    for card in cards:
        bit = 1 << (card >> 2)
        four |= three & bit
        three |= pairs & bit
        pairs |= singles & bit
        singles |= bit
        suits |= bit << (13 * (card & 3))
    for suit in range(4):
        suited = (suits >> (13 * suit)) & 0x1FFF
        if count_ranks(suited) >= 5:
            # With at most seven cards a flush leaves no room for four of a kind or a full house.
            return compute_flush_strength(suited)
    return compute_strength_without_flush(singles, pairs, three, four)


def strengths(board: Sequence[int]) -> Any:
    """The strength of each of the 1,326 hands on a board of five cards."""
    return compute_strengths([board])[0]


def strength(cards: Sequence[int]) -> int:
    """The strength of the best five of five, six or seven cards."""
    assert 5 <= len(cards) <= 7
    assert len(set(cards)) == len(cards)
    return int(evaluate(np.asarray(cards, dtype=np.int64)))


def category(value: int) -> str:
    """The category of a strength."""
    return CATEGORIES[int(value) >> 26]
