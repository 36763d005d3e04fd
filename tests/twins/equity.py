"""Hands and ranges compared card by card: the twins of `add_comparison` and `add_equities`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

Hand = tuple[int, int]


def comparison(first: Sequence[tuple[int, Hand]], second: Sequence[tuple[int, Hand]]) -> list[list[int]]:
    """1 where a hand of the first player wins, -1 where it loses, 0 where they tie or share a card.

    A hand is its strength and its two cards.
    """
    return [
        [0 if set(cards) & set(other_cards) else (mine > theirs) - (mine < theirs) for theirs, other_cards in second]
        for mine, cards in first
    ]


def equity(
    board: Sequence[int],
    hands: dict[Hand, float],
    other: dict[Hand, float],
    strength: Callable[[Sequence[int]], Any],
) -> float:
    """The share of the pot that a range of weighted hands wins on average when all cards come."""
    won = total = 0.0
    for hand, weight in hands.items():
        for other_hand, other_weight in other.items():
            used = {*board, *hand, *other_hand}
            if len(used) < len(board) + 4:
                continue
            for runout in combinations(sorted(set(range(52)) - used), 5 - len(board)):
                mine, theirs = strength((*board, *runout, *hand)), strength((*board, *runout, *other_hand))
                won += weight * other_weight * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
                total += weight * other_weight
    return won / total


def weighted_hands(weights: Any, cards: Any) -> dict[Hand, float]:
    """The hands of a range that have a weight."""
    return {(int(cards[hand, 0]), int(cards[hand, 1])): float(weights[hand]) for hand in np.flatnonzero(weights)}
