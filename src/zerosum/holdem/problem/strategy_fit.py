"""Lay strategies from results and files over the tree of a spot: to lock decisions, or as averages to evaluate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.engine.forms.public.lines import Line, StoredDecision, find_decisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.cards.cards import hand_name
from zerosum.holdem.cards.suits import IDENTITY, SuitPermutation
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy import NodeStrategy, PioText, SpotStrategy, fit_strategy
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.options import Fill
from zerosum.results.result import Result
from zerosum.results.strategy import Strategy
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.thread_safety import cached_property

FillMissing = Callable[[Floats, StoredDecision, PublicTree], None]
"""Fills the strategy of a decision where it is nan."""


class SolvedStrategies:
    """The strategies of a solved spot; copied directly if its tree is stored in the same order."""

    def __init__(self, spot: Spot, result: SpotResult) -> None:
        self.spot, self.result = spot, result

    @cached_property
    def _fitted_strategy(self) -> SpotStrategy:
        return fit_strategy(self.spot, self.result)

    def may_match_below(self, line: Line) -> bool:
        return True

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        return suits in self.result.solution.tree.suits

    def fill_block(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        solution = self.result.solution
        if solution.tree.fingerprint != tree.fingerprint:
            return self._fitted_strategy.fill_block(block, decision, tree)
        if len(decision.board) // 2 - 3 > solution.last_street:
            return False
        place, player, row = decision.key
        with solution.solver.lock:
            chances = solution.solver.strategy(place, player, row, len(block))
        return NodeStrategy(decision.choice.actions, decision.hands, chances).fill_block(block, decision)


LockSource = SpotStrategy | SolvedStrategies
"""The strategies of a lock that has a source."""


def open_lock_source(spot: Spot, source: Any) -> LockSource | None:
    """Return the strategies of a source on a spot; None for a file that was not read yet."""
    if isinstance(source, Path):
        return None
    if isinstance(source, SpotResult):
        spot.check_same_game(source.spot)
        return SolvedStrategies(spot, source)
    return fit_strategy(spot, source)


def is_written_strategy(strategy: Any) -> bool:
    """Return whether a strategy comes from a file and is not a solved spot; raise an error for any other game."""
    if isinstance(strategy, Strategy | PioText):
        return True
    if not isinstance(strategy, SpotResult):
        name = strategy.game if isinstance(strategy, Result) else str(strategy)
        raise ZerosumError(f"{name} is another game: a strategy of a spot is a run, a result or an export of hold'em")
    return False


def build_averages(
    tree: PublicTree, spot: Spot, strategy: Strategy | PioText, fill: Fill | FillMissing | None
) -> tuple[Floats, Floats]:
    """Return the averages of a strategy on a tree: every hand of every decision must be listed, or is filled.

    Where the tree stores boards or hands once that only differ by suits, the strategy must do the same on all of them.
    """
    fitted = fit_strategy(spot, strategy)
    for suits in tree.suits:
        if tuple(suits) != IDENTITY and not fitted.is_unchanged_by(suits):
            raise ZerosumError(
                f"{strategy.source} distinguishes suits that are interchangeable on {spot}, or omits some of them: "
                f"store every suit ({option_name('isomorphism', False)})"
            )
    averages: tuple[Any, Any] = np.zeros(tree.store_sizes[0], np.float32), np.zeros(tree.store_sizes[1], np.float32)
    for decision in find_decisions(tree, lambda line: True):
        count = len(decision.choice.actions)
        block = np.full((count, len(decision.hands)), np.nan)
        fitted.fill_block(block, decision, tree)
        if callable(fill) and np.isnan(block[0]).any():
            fill(block, decision, tree)
        missing = np.flatnonzero(np.isnan(block[0]))
        if missing.size and fill != "uniform":
            where, hand = " ".join(decision.line) or "the start", hand_name(int(decision.hands[missing[0]]))
            raise ZerosumError(
                f"{strategy.source} says nothing about {hand} at {where}; play uniformly there "
                f"({option_name('fill', 'uniform')})"
            )
        block[:, missing] = 1.0 / count
        place, player, row = decision.key
        averages[player][tree.slice_decision(place, player, row, count)] = block.ravel()
    return averages
