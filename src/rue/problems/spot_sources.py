"""Locks whose strategies come from elsewhere: a solved spot, or an export of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rue.errors import RueError
from rue.forms.lines import Line, StoredDecision
from rue.forms.public_tree import PublicTree
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import HAND_COUNT, card_name, hand_name, parse_cards
from rue.holdem.form import Suits, renamed, renamed_hands
from rue.holdem.spots import Spot
from rue.once import cached_property
from rue.problems.spot_judge import check_spot
from rue.results.said import NodeStrategy, SpotStrategy
from rue.results.spot import SpotResult
from rue.results.spot_strategy import spot_strategy

ALIKE = 1e-3
"""How far chances may differ where suits are exchanged and still count as alike."""


class SourceOf(Protocol):
    """What a lock says that has a source."""

    def leads(self, line: Line) -> bool:
        """Whether it says anything about decisions after the beginning of a line."""

    def kept_by(self, suits: Suits) -> bool:
        """Whether it says the same when suits are exchanged."""

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Put what hands play into the chances of a decision; whether anything was said of its hands."""


def source_of(spot: Spot, source: Any) -> SourceOf | None:
    """What a source says about a spot; None for a file that was not read yet."""
    if isinstance(source, Path):
        return None
    if isinstance(source, SpotResult):
        check_spot(spot, source)
        return FromResult(spot, source)
    return FromStrategy(spot_strategy(spot, source))


class FromStrategy:
    """What is said decision by decision; hands and decisions that are not there learn."""

    def __init__(self, strategy: SpotStrategy) -> None:
        self.strategy = strategy

    def leads(self, line: Line) -> bool:
        return line in self.strategy.beginnings

    def kept_by(self, suits: Suits) -> bool:
        nodes, exchanged = self.strategy.nodes, renamed_hands(suits)
        for line, node in nodes.items():
            other = nodes.get(tuple(renamed_word(word, suits) for word in line))
            if other is None or other.actions != node.actions:
                return False
            chances = np.full((len(node.actions), HAND_COUNT), np.nan)
            chances[:, exchanged[node.hands]] = node.chances
            apart = np.abs(chances[:, other.hands] - other.chances)
            if len(other.hands) != len(node.hands) or not (apart < ALIKE).all():
                return False
        return True

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        node = self.strategy.nodes.get(decision.line)
        return node is not None and lay(block, decision, node)


class FromResult:
    """What a solved spot does; directly where it is stored alike."""

    def __init__(self, spot: Spot, result: SpotResult) -> None:
        self.spot, self.result = spot, result

    @cached_property
    def _written(self) -> FromStrategy:
        return FromStrategy(spot_strategy(self.spot, self.result))

    def leads(self, line: Line) -> bool:
        return True

    def kept_by(self, suits: Suits) -> bool:
        return suits in self.result.solution.tree.suits

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        solution = self.result.solution
        if solution.tree.fingerprint != tree.fingerprint:
            return self._written.fill(block, decision, tree)
        if len(decision.board) // 2 - 3 > solution.last:
            return False
        place, player, row = decision.key
        with solution.solver.turns:
            chances = solution.solver.strategy(place, player, row, len(block))
        return lay(block, decision, NodeStrategy(decision.choice.actions, decision.hands, chances))


def lay(block: Floats, decision: StoredDecision, node: NodeStrategy) -> bool:
    """Put what is said at a decision into its chances; whether anything was."""
    if sorted(node.actions) != sorted(decision.choice.actions):
        where, theirs = " ".join(decision.line) or "the start", ", ".join(node.actions)
        raise RueError(f"the actions at {where} are {', '.join(decision.choice.actions)}, not {theirs}")
    rows = [node.actions.index(action) for action in decision.choice.actions]
    place: Integers = np.full(HAND_COUNT, -1, dtype=np.int64)
    place[node.hands] = np.arange(len(node.hands))
    here = np.flatnonzero(place[decision.hands] >= 0)
    chances = node.chances[rows][:, place[decision.hands[here]]]
    said = here[~np.isnan(chances[0])]
    twice = said[~np.isnan(block[0, said])]
    if twice.size:
        raise locked_twice(decision, int(twice[0]))
    block[:, here] = np.where(np.isnan(chances), block[:, here], chances)
    return bool(said.size)


def locked_twice(decision: StoredDecision, number: int) -> RueError:
    """The sentence for a hand that two locks are about."""
    where = " ".join(decision.line) or "the start"
    return RueError(f"{hand_name(int(decision.hands[number]))} is locked twice at {where}: leave out one of the locks")


def renamed_word(word: str, suits: Suits) -> str:
    """A word of a line after suits are exchanged: cards have another, actions and `*` stay."""
    return word if word == "*" or word[0].islower() else card_name(renamed(parse_cards(word)[0], suits))
