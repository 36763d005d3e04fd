"""The strength of a hand by the rules of poker, the best five of seven: the twin of `fill_strengths`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

STRAIGHT_FLUSH, FLUSH, STRAIGHT = 8, 5, 4
CATEGORY = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
"""The category of a hand by how many cards of each rank it has, from a high card (0) to four of a kind (7)."""


def strength_of_five(cards: Sequence[int]) -> tuple[int, ...]:
    """Five cards as a tuple that compares as the hands do: the category, then the ranks that decide."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    grouped = sorted(Counter(ranks).items(), key=lambda pair: (-pair[1], -pair[0]))
    shape = tuple(count for _, count in grouped)
    order = tuple(rank for rank, _ in grouped)
    flush = len({card % 4 for card in cards}) == 1
    if order == (14, 5, 4, 3, 2):
        order = (5, 4, 3, 2, 1)
    if shape == (1, 1, 1, 1, 1) and order[0] - order[4] == 4:
        return STRAIGHT_FLUSH if flush else STRAIGHT, order[0]
    return FLUSH if flush else CATEGORY[shape], *order


def strength(cards: Sequence[int]) -> tuple[int, ...]:
    """The best five of five, six or seven cards."""
    return max(strength_of_five(five) for five in combinations(cards, 5))
