"""What earnings are told in: chips, big blinds or % of the pot, with as many decimals as tell actions apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rue.errors import RueError
from rue.holdem.spots import Spot
from rue.records import dataclass

UNITS = ("chips", "bb", "pot")
MORE = 1
"""Decimals that are added at most to tell actions apart."""


@dataclass(frozen=True)
class Money:
    """A unit of earnings: its name, and how many of it a chip is."""

    name: str
    factor: float

    @staticmethod
    def of(spot: Spot, unit: str = "chips") -> Money:
        """A unit by its name: `chips`, `bb` for big blinds, `pot` for % of the pot that the spot starts with.

        >>> from rue.holdem.files import load_spot
        >>> Money.of(load_spot("river"), "bb")
        Money(name='bb', factor=0.01)
        """
        if unit not in UNITS:
            raise RueError(f"earnings are told in {', '.join(UNITS)}, not in {unit!r}")
        return Money(unit, {"chips": 1.0, "bb": 1 / spot.big_blind, "pot": 100 / spot.pot}[unit])


def decimals(rows: Iterable[Sequence[float]], pot: float) -> int:
    """With how many decimals amounts are written: four digits of the pot, one more where actions look alike.

    Each row has what the actions of a hand earn; amounts and the pot are in the same unit.

    >>> decimals([[0.0, 812.3]], 2600), decimals([[0.0, 12.31, 12.312]], 26), decimals([[12.0, 12.0]], 26)
    (0, 3, 2)
    """
    enough = max(0, 3 - math.floor(math.log10(pot)))
    gaps = [abs(b - a) for row in rows for a, b in _neighbours(row)]
    finest = 0.5 * 10.0 ** -(enough + MORE)
    for places in range(enough, enough + MORE):
        if not any(finest <= gap < 10.0**-places for gap in gaps):
            return places
    return enough + MORE


def _neighbours(row: Sequence[float]) -> Iterable[tuple[float, float]]:
    ordered = sorted(row)
    return pairwise(ordered)
