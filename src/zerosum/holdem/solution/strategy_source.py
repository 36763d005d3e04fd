"""Locks whose strategies are copied from a solved spot or from an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from zerosum.engine.forms.public.lines import Line, StoredDecision
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.cards.cards import HAND_COUNT, card_name, hand_name, parse_cards
from zerosum.holdem.cards.suits import SuitPermutation, permute_card, permute_hands
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy import spot_strategy
from zerosum.holdem.solution.written_strategy import NodeStrategy, SpotStrategy
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

TOLERANCE = 1e-3
"""Probabilities that differ by less after suits are exchanged count as equal."""


class LockSource(Protocol):
    """The strategies of a lock that has a source."""

    def leads(self, line: Line) -> bool:
        """Return whether there is a strategy for decisions after the first steps of a line."""

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        """Return whether the strategies stay the same when suits are exchanged."""

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Copy the strategy of hands into a block of a decision; return whether there was one for any of its hands."""


def lock_source(spot: Spot, source: Any) -> LockSource | None:
    """Return the strategies of a source on a spot; None for a file that was not read yet."""
    if isinstance(source, Path):
        return None
    if isinstance(source, SpotResult):
        spot.check_same_game(source.spot)
        return ResultLockSource(spot, source)
    return StrategyLockSource(spot_strategy(spot, source))


class StrategyLockSource:
    """Strategies listed decision by decision; hands and decisions that are not listed learn."""

    def __init__(self, strategy: SpotStrategy) -> None:
        self.strategy = strategy

    def leads(self, line: Line) -> bool:
        return line in self.strategy.beginnings

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        nodes, exchanged = self.strategy.nodes, permute_hands(suits)
        for line, node in nodes.items():
            other = nodes.get(tuple(permute_word(word, suits) for word in line))
            if other is None or other.actions != node.actions:
                return False
            chances = np.full((len(node.actions), HAND_COUNT), np.nan)
            chances[:, exchanged[node.hands]] = node.chances
            apart = np.abs(chances[:, other.hands] - other.chances)
            if len(other.hands) != len(node.hands) or not (apart < TOLERANCE).all():
                return False
        return True

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        node = self.strategy.nodes.get(decision.line)
        return node is not None and copy_frequencies(block, decision, node)


class ResultLockSource:
    """The strategies of a solved spot; copied directly if its tree is stored in the same order."""

    def __init__(self, spot: Spot, result: SpotResult) -> None:
        self.spot, self.result = spot, result

    @cached_property
    def _written(self) -> StrategyLockSource:
        return StrategyLockSource(spot_strategy(self.spot, self.result))

    def leads(self, line: Line) -> bool:
        return True

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        return suits in self.result.solution.tree.suits

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        solution = self.result.solution
        if solution.tree.fingerprint != tree.fingerprint:
            return self._written.fill(block, decision, tree)
        if len(decision.board) // 2 - 3 > solution.last:
            return False
        place, player, row = decision.key
        with solution.solver.lock:
            chances = solution.solver.strategy(place, player, row, len(block))
        return copy_frequencies(block, decision, NodeStrategy(decision.choice.actions, decision.hands, chances))


def copy_frequencies(block: Floats, decision: StoredDecision, node: NodeStrategy) -> bool:
    """Copy the strategy of a node into a block of a decision; return whether there was one for any of its hands."""
    if sorted(node.actions) != sorted(decision.choice.actions):
        where, theirs = " ".join(decision.line) or "the start", ", ".join(node.actions)
        raise ZerosumError(f"the actions at {where} are {', '.join(decision.choice.actions)}, not {theirs}")
    rows = [node.actions.index(action) for action in decision.choice.actions]
    place: Integers = np.full(HAND_COUNT, -1, dtype=np.int64)
    place[node.hands] = np.arange(len(node.hands))
    columns = np.flatnonzero(place[decision.hands] >= 0)
    chances = node.chances[rows][:, place[decision.hands[columns]]]
    specified = columns[~np.isnan(chances[0])]
    twice = specified[~np.isnan(block[0, specified])]
    if twice.size:
        raise locked_twice(decision, int(twice[0]))
    block[:, columns] = np.where(np.isnan(chances), block[:, columns], chances)
    return bool(specified.size)


def locked_twice(decision: StoredDecision, number: int) -> ZerosumError:
    """Return the error for a hand that two locks name."""
    where = " ".join(decision.line) or "the start"
    return ZerosumError(f"{hand_name(int(decision.hands[number]))} is locked twice at {where}: drop one of the locks")


def permute_word(word: str, suits: SuitPermutation) -> str:
    """Return a word of a line after suits are exchanged: cards change, actions and `*` stay."""
    return word if word == "*" or word[0].islower() else card_name(permute_card(parse_cards(word)[0], suits))
