"""The 169 classes of hold'em hands, such as AKs, and their place in a grid of 13 by 13."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

RANKS = "23456789TJQKA"
SIDE = len(RANKS)
"""Rows and columns of the grid."""


def class_name(row: int, column: int) -> str:
    """Return the class at a place of the grid: pairs on the diagonal, suited hands above it, offsuit hands below.

    >>> class_name(0, 0), class_name(0, 1), class_name(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    high, low = RANKS[SIDE - 1 - min(row, column)], RANKS[SIDE - 1 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def class_size(name: str) -> int:
    """Return how many hands a class has.

    >>> class_size("AA"), class_size("AKs"), class_size("AKo")
    (6, 4, 12)
    """
    return {"s": 4, "o": 12}.get(name[2:], 6)


@cache
def class_places() -> dict[str, int]:
    """Return the place of each class in the grid, row by row."""
    return {class_name(*divmod(place, SIDE)): place for place in range(SIDE * SIDE)}


def are_named_by_class(infosets: Iterable[str]) -> bool:
    """Whether all infosets of a game are named by a class of hands: one that is called 22 alone may be anything.

    >>> are_named_by_class(["AKs", "72o|push"]), are_named_by_class(str(number) for number in range(20, 30))
    (True, False)
    """
    return all(infoset.partition("|")[0] in class_places() for infoset in infosets)
