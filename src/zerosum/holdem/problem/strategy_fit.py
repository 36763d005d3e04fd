"""Strategies of spots that were written down, such as exports, laid over the tree of a spot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zerosum.engine.forms.public.lines import StoredDecision, find_decisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.cards.cards import hand_name
from zerosum.holdem.cards.suits import IDENTITY
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy import spot_strategy
from zerosum.holdem.solution.strategy_source import StrategyLockSource
from zerosum.holdem.solution.written_strategy import PioText
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.options import Fill
from zerosum.results.result import Result
from zerosum.results.strategy import Strategy
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name

FillMissing = Callable[[Floats, StoredDecision, PublicTree], None]
"""Fills the strategy of a decision where it is nan."""


def is_written(strategy: Any) -> bool:
    """Return whether a strategy was written down and is not a solved spot; refuse anything else."""
    if isinstance(strategy, Strategy | PioText):
        return True
    if not isinstance(strategy, SpotResult):
        name = strategy.game if isinstance(strategy, Result) else str(strategy)
        raise ZerosumError(f"{name} is another game: a strategy of a spot is a run, a result or an export of hold'em")
    return False


def check_strategy(spot: Spot, strategy: Strategy | PioText) -> None:
    """Refuse lines, actions and boards that are not in the spot, without building anything."""
    spot_strategy(spot, strategy)


def averages_from_strategy(
    tree: PublicTree, spot: Spot, strategy: Strategy | PioText, fill: Fill | FillMissing | None
) -> tuple[Any, Any]:
    """Return the averages of a strategy on a tree: every hand of every decision must be listed, or is filled.

    Where the tree stores boards or hands once that only differ by suits, the strategy must do the same on all of them.
    """
    source = StrategyLockSource(spot_strategy(spot, strategy))
    for suits in tree.suits:
        if tuple(suits) != IDENTITY and not source.is_unchanged_by(suits):
            raise ZerosumError(
                f"{strategy.source} distinguishes suits that are interchangeable on {spot}, or omits some of them: "
                f"store every suit ({option_name('isomorphism', False)})"
            )
    averages = np.zeros(tree.n_stored[0], np.float32), np.zeros(tree.n_stored[1], np.float32)
    for decision in find_decisions(tree, lambda line: True):
        count = len(decision.choice.actions)
        block = np.full((count, len(decision.hands)), np.nan)
        source.fill(block, decision, tree)
        if callable(fill) and np.isnan(block[0]).any():
            fill(block, decision, tree)
        missing = np.flatnonzero(np.isnan(block[0]))
        if missing.size and fill != "uniform":
            raise _missing_hand(strategy.source, decision, int(missing[0]))
        block[:, missing] = 1.0 / count
        place, player, row = decision.key
        averages[player][tree.block(place, player, row, count)] = block.ravel()
    return averages


def _missing_hand(source: str, decision: StoredDecision, number: int) -> ZerosumError:
    where = " ".join(decision.line) or "the start"
    hand = hand_name(int(decision.hands[number]))
    return ZerosumError(
        f"{source} says nothing about {hand} at {where}; play uniformly there ({option_name('fill', 'uniform')})"
    )
