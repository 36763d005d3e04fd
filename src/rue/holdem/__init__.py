"""Heads-up no-limit hold'em from a flop, turn or river on: cards, ranges, bets, the betting tree, spots.

import rue

river = rue.holdem.spot("Ks 7h 2d 9c 4s", pot=500, stack=9750, oop="22+,A2s+", ip="random")
result = rue.solve(river, until="0.5%")
result.at("check bet50").frequencies
"""

from __future__ import annotations

from rue.holdem.files import load_spot
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot, spot

__all__ = ["Range", "Spot", "load_spot", "spot"]
