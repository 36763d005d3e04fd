"""Heads-up no-limit hold'em from a flop, turn or river to the end of the hand.

Build a spot, solve it, and read the strategy after any line:

    river = zerosum.holdem.spot("Ks 7h 2d 9c 4s", pot=500, stack=9750, oop="22+,A2s+", ip="random")
    result = zerosum.solve(river, until="0.5%")
    result.at("check bet50").frequencies

cards     cards, ranges and hand strength
betting   bet sizes, rake and the betting tree
spots     a spot: board, pot, stacks, ranges and betting
engine    the public form of a spot, and its memory and time
solution  a solved spot, readable at any point of the hand
problem   a spot as a problem: locks, evaluation, saving
study     reports, comparisons and training on solved spots
kind      hold'em as a kind of problem, loaded when a name, an object or a file belongs to it
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.holdem.cards.ranges import Range
    from zerosum.holdem.spots.files import load_spot
    from zerosum.holdem.spots.spot import Spot, spot

__all__ = ["Range", "Spot", "load_spot", "spot"]

_PLACES = {"Range": "cards.ranges", "Spot": "spots.spot", "load_spot": "spots.files", "spot": "spots.spot"}
"""The module of each public name, loaded on first use, so that importing one part loads no other."""


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
