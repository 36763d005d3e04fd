"""EVs in chips, big blinds or % of the pot, and how many decimals they need."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError

EV_UNITS = ("chips", "bb", "pot")
EXTRA_DECIMALS = 1
"""Decimals that are added at most to distinguish actions."""


@dataclass(frozen=True)
class EvUnit:
    """A unit of EVs: its name, and how many of it make a chip."""

    name: str = "chips"
    per_chip: float = 1.0

    @staticmethod
    def of(spot: Spot, name: str = "chips") -> EvUnit:
        """Return a unit by its name: `chips`, `bb` for big blinds, `pot` for % of the pot that the spot starts with.

        >>> from zerosum.holdem.spots.files import load_spot
        >>> EvUnit.of(load_spot("river"), "bb").per_chip
        0.01
        """
        if name not in EV_UNITS:
            raise ZerosumError(f"EVs are shown in {', '.join(EV_UNITS)}, not in {name!r}")
        return EvUnit(name, {"chips": 1.0, "bb": 1 / spot.big_blind, "pot": 100 / spot.pot}[name])


CHIPS = EvUnit()


def ev_decimals(evs: NDArray[np.float64], pot: float) -> int:
    """Return with how many decimals EVs are written: four digits of the pot, one more where actions look alike.

    evs: EVs by action and row, shape (actions, rows), in the unit of the pot.

    >>> ev_decimals(np.array([[0.0], [812.3]]), 2600), ev_decimals(np.array([[0.0], [12.31], [12.312]]), 26)
    (0, 3)
    """
    enough = max(0, 3 - math.floor(math.log10(pot)))
    gaps = np.diff(np.sort(evs, axis=0), axis=0)
    finest = 0.5 * 10.0 ** -(enough + EXTRA_DECIMALS)
    for decimals in range(enough, enough + EXTRA_DECIMALS):
        if not ((gaps >= finest) & (gaps < 10.0**-decimals)).any():
            return decimals
    return enough + EXTRA_DECIMALS
