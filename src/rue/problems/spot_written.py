"""Strategies of spots that were written down, such as exports, laid over the tree of a spot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.forms.lines import StoredDecision, stored_decisions
from rue.forms.public_tree import PublicTree
from rue.forms.treeplex import Floats
from rue.holdem.cards import hand_name
from rue.holdem.form import AS_THEY_ARE
from rue.holdem.spots import Spot
from rue.problems.fit import Fill
from rue.problems.spot_sources import FromStrategy
from rue.results.result import Result
from rue.results.said import PioText
from rue.results.spot import SpotResult
from rue.results.spot_strategy import spot_strategy
from rue.results.strategy import Strategy

Complete = Callable[[Floats, StoredDecision, PublicTree], None]
"""Puts something into the chances of a decision where they are nan."""


def is_written(given: Any) -> bool:
    """Whether a strategy was written down and is not a solved spot; what is neither is refused."""
    if isinstance(given, Strategy | PioText):
        return True
    if not isinstance(given, SpotResult):
        told = given.game if isinstance(given, Result) else str(given)
        raise RueError(f"{told} is another game: a strategy of a spot is a run, a result or an export of hold'em")
    return False


def check_written(spot: Spot, given: Strategy | PioText) -> None:
    """Refuse lines, actions and boards that the spot has not; nothing is built for that."""
    spot_strategy(spot, given)


def laid(tree: PublicTree, spot: Spot, given: Strategy | PioText, fill: Fill | Complete | None) -> tuple[Any, Any]:
    """The averages of a strategy on a tree: every hand of every decision must be there, or is filled.

    Where the tree stores boards or hands once that only differ by suits, the strategy must do the same on all of them.
    """
    source = FromStrategy(spot_strategy(spot, given))
    for suits in tree.suits:
        if tuple(suits) != AS_THEY_ARE and not source.kept_by(suits):
            raise RueError(
                f"{given.source} tells suits apart that are interchangeable on {spot}, or leaves some of them out: "
                "store them apart (--no-isomorphism, isomorphism=False)"
            )
    averages = np.zeros(tree.store[0], np.float32), np.zeros(tree.store[1], np.float32)
    for decision in stored_decisions(tree, lambda line: True):
        count = len(decision.choice.actions)
        block = np.full((count, len(decision.hands)), np.nan)
        source.fill(block, decision, tree)
        if callable(fill) and np.isnan(block[0]).any():
            fill(block, decision, tree)
        missing = np.flatnonzero(np.isnan(block[0]))
        if missing.size and fill != "uniform":
            raise _says_nothing(given.source, decision, int(missing[0]))
        block[:, missing] = 1.0 / count
        place, player, row = decision.key
        averages[player][tree.block(place, player, row, count)] = block.ravel()
    return averages


def _says_nothing(source: str, decision: StoredDecision, number: int) -> RueError:
    where = " ".join(decision.line) or "the start"
    hand = hand_name(int(decision.hands[number]))
    return RueError(
        f"{source} says nothing about {hand} at {where}; play uniformly there (--fill uniform, fill='uniform')"
    )
