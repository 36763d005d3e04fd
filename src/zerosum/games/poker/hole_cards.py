"""Cards and hands of hold'em as numbers, and their names.

A card is `rank * 4 + suit`: ranks 2, 3, ..., K, A are 0 to 12, suits spades, hearts, diamonds, clubs 0 to 3.
So 2s is 0, 2h is 1 and Ac is 51. The 1,326 hands are the pairs of cards (i, j) with i < j in lexicographic
order: 2s2h, 2s2d, 2s2c, 2s3s, ... This is also the order of the Libratus files.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hand_classes import RANKS, SIDE

SUITS = "shdc"
CARDS = 52
HAND_COUNT = 1326

HANDS: NDArray[np.int64] = np.array(list(combinations(range(CARDS), 2)), dtype=np.int64)
"""The two cards of each hand, shape (1326, 2), the smaller card first."""

HAND_INDEX: NDArray[np.int64] = np.full((CARDS, CARDS), -1, dtype=np.int64)
"""The number of the hand of two cards, in either order; -1 for a card with itself."""
HAND_INDEX[HANDS[:, 0], HANDS[:, 1]] = HAND_INDEX[HANDS[:, 1], HANDS[:, 0]] = np.arange(HAND_COUNT)

for _array in (HANDS, HAND_INDEX):
    _array.flags.writeable = False


def card_name(card: int) -> str:
    """Return the name of a card.

    >>> card_name(0), card_name(51)
    ('2s', 'Ac')
    """
    return RANKS[card // 4] + SUITS[card % 4]


def format_cards(cards: Iterable[int], separator: str = "") -> str:
    """Return the names of several cards in their order.

    >>> format_cards([46, 21])
    'Kd7h'
    """
    return separator.join(card_name(int(card)) for card in cards)


@cache
def hand_name(hand: int) -> str:
    """Return the name of a hand, its higher rank first.

    >>> hand_name(0), hand_name(3), hand_name(1325)
    ('2s2h', '3s2s', 'AdAc')
    """
    low, high = (int(card) for card in HANDS[hand])
    return format_cards((low, high) if low // 4 == high // 4 else (high, low))


@cache
def class_of_hand() -> NDArray[np.int64]:
    """Return the class of each of the 1,326 hands: 13 times its row in the grid plus its column.

    >>> from zerosum.games.poker.hand_classes import class_name
    >>> [class_name(*divmod(int(class_of_hand()[hand]), 13)) for hand in (0, 3, 4)]
    ['22', '32s', '32o']
    """
    low, high = SIDE - 1 - HANDS.T // 4  # rows and columns count from the ace down
    suited = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
    classes: NDArray[np.int64] = np.where(suited, SIDE * high + low, SIDE * low + high)
    classes.flags.writeable = False
    return classes
