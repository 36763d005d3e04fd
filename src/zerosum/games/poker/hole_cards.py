"""Cards and hands of hold'em as numbers, their names, and the 169 classes of hands such as AKs.

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

RANKS = "23456789TJQKA"
SUITS = "shdc"
SIDE = len(RANKS)
"""Rows and columns of the grid of classes."""
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


def class_name(row: int, column: int) -> str:
    """Return the class at a place of the grid: pairs on the diagonal, suited hands above it, offsuit hands below.

    >>> class_name(0, 0), class_name(0, 1), class_name(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    high, low = RANKS[SIDE - 1 - min(row, column)], RANKS[SIDE - 1 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def count_class_hands(name: str) -> int:
    """Return how many hands a class has.

    >>> count_class_hands("AA"), count_class_hands("AKs"), count_class_hands("AKo")
    (6, 4, 12)
    """
    return {"s": 4, "o": 12}.get(name[2:], 6)


@cache
def list_class_places() -> dict[str, int]:
    """Return the place of each class in the grid, row by row."""
    return {class_name(*divmod(place, SIDE)): place for place in range(SIDE * SIDE)}


def are_named_by_class(infosets: Iterable[str]) -> bool:
    """Return whether all infosets of a game are named by classes of hands; a single one called 22 may be anything.

    >>> are_named_by_class(["AKs", "72o|push"]), are_named_by_class(str(number) for number in range(20, 30))
    (True, False)
    """
    return all(infoset.partition("|")[0] in list_class_places() for infoset in infosets)


@cache
def map_hands_to_classes() -> NDArray[np.int64]:
    """Return the class of each of the 1,326 hands: 13 times its row in the grid plus its column.

    >>> [class_name(*divmod(int(map_hands_to_classes()[hand]), 13)) for hand in (0, 3, 4)]
    ['22', '32s', '32o']
    """
    low, high = SIDE - 1 - HANDS.T // 4  # rows and columns count from the ace down
    suited = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
    classes: NDArray[np.int64] = np.where(suited, SIDE * high + low, SIDE * low + high)
    classes.flags.writeable = False
    return classes
