"""Heads-up no-limit hold'em from a flop, turn or river on: cards, ranges, bets, the betting tree, spots, solutions.

import rue.holdem

river = rue.holdem.spot("Ks 7h 2d 9c 4s", pot=500, stack=9750, oop="22+,A2s+", ip="random")
result = rue.holdem.solve(river, until="0.5%")
result.at("check bet50").frequencies
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rue.holdem.estimate import Estimate as Estimate
    from rue.holdem.estimate import estimate as estimate
    from rue.holdem.files import load_spot as load_spot
    from rue.holdem.ranges import Range as Range
    from rue.holdem.saved import load as load
    from rue.holdem.seeds import repeat as repeat
    from rue.holdem.solution import Point as Point
    from rue.holdem.solution import Solution as Solution
    from rue.holdem.solve import HoldemResult as HoldemResult
    from rue.holdem.solve import compare as compare
    from rue.holdem.solve import solve as solve
    from rue.holdem.spots import Spot as Spot
    from rue.holdem.spots import spot as spot
    from rue.strategies.spots import exploit as exploit
    from rue.strategies.spots import head_to_head as head_to_head
else:
    import sys
    from types import ModuleType

    _PLACES = {
        "Estimate": "holdem.estimate",
        "HoldemResult": "holdem.solve",
        "Point": "holdem.solution",
        "Range": "holdem.ranges",
        "Solution": "holdem.solution",
        "Spot": "holdem.spots",
        "compare": "holdem.solve",
        "estimate": "holdem.estimate",
        "exploit": "strategies.spots",
        "head_to_head": "strategies.spots",
        "load": "holdem.saved",
        "load_spot": "holdem.files",
        "repeat": "holdem.seeds",
        "solve": "holdem.solve",
        "spot": "holdem.spots",
    }

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first asked for."""
        if name not in _PLACES:
            raise AttributeError(f"module 'rue.holdem' has no attribute {name!r}")
        globals()[name] = getattr(import_module(f"rue.{_PLACES[name]}"), name)
        return globals()[name]

    class _Holdem(ModuleType):
        """Keeps functions in place when Python would put the modules of the same name there."""

        def __setattr__(self, name: str, value: Any) -> None:
            if not (name in _PLACES and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Holdem

__all__ = [
    "Estimate",
    "HoldemResult",
    "Point",
    "Range",
    "Solution",
    "Spot",
    "compare",
    "estimate",
    "exploit",
    "head_to_head",
    "load",
    "load_spot",
    "repeat",
    "solve",
    "spot",
]
