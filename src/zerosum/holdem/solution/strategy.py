"""Strategies of hold'em spots from results and files: as they were written, and fitted to the decisions of a spot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import Line, StoredDecision
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.betting.action_names import find_action
from zerosum.holdem.cards.cards import (
    HAND_COUNT,
    card_name,
    find_hand_order,
    format_cards,
    hand_name,
    parse_cards,
    parse_hand,
)
from zerosum.holdem.cards.suits import SuitPermutation, permute_card, permute_hands
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import DecisionPosition, find_decision, find_pio_action
from zerosum.holdem.spots.spot import Spot
from zerosum.results.strategy import InfosetEntry, Strategy
from zerosum.support.errors import ZerosumError
from zerosum.support.text import quote
from zerosum.support.thread_safety import cached_property

SUM_TOLERANCE = 1e-4
"""The sum of a hand's probabilities may differ from 1 by this much; they are then divided by it."""
SUIT_TOLERANCE = 1e-3
"""Probabilities that differ by less after suits are exchanged count as equal."""


class NodeStrategy(NamedTuple):
    """The strategy of a decision: `chances` has a row for each action and a column for each hand."""

    actions: tuple[str, ...]
    hands: Integers
    chances: Floats

    def fill_block(self, block: Floats, decision: StoredDecision) -> bool:
        """Copy the strategy of hands into a block of a decision; return whether there was one for any of its hands."""
        if sorted(self.actions) != sorted(decision.choice.actions):
            where, theirs = " ".join(decision.line) or "the start", ", ".join(self.actions)
            raise ZerosumError(f"the actions at {where} are {', '.join(decision.choice.actions)}, not {theirs}")
        rows = [self.actions.index(action) for action in decision.choice.actions]
        place: Integers = np.full(HAND_COUNT, -1, dtype=np.int64)
        place[self.hands] = np.arange(len(self.hands))
        columns = np.flatnonzero(place[decision.hands] >= 0)
        chances = self.chances[rows][:, place[decision.hands[columns]]]
        specified = columns[~np.isnan(chances[0])]
        check_locked_once(block, decision, specified)
        block[:, columns] = np.where(np.isnan(chances), block[:, columns], chances)
        return bool(specified.size)


def check_locked_once(block: Floats, decision: StoredDecision, columns: Integers) -> None:
    """Raise an error if one of the hands in some columns of a block is already locked."""
    twice = columns[~np.isnan(block[0, columns])]
    if twice.size:
        where, hand = " ".join(decision.line) or "the start", hand_name(int(decision.hands[twice[0]]))
        raise ZerosumError(f"{hand} is locked twice at {where}: drop one of the locks")


@dataclass(frozen=True, eq=False)
class NodeStrategies:
    """The strategies of some decisions by name, and where they come from."""

    problem_kind: ClassVar[str] = "holdem"
    source: str
    nodes: Mapping[Any, tuple[Any, ...]]

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""
        return self.source, [
            (name, *(np.asarray(part).tobytes() for part in node)) for name, node in self.nodes.items()
        ]


@dataclass(frozen=True, eq=False)
class PioText(NodeStrategies):
    """A strategy in Pio's text: by the name of a node, as in r:0:c:b858, its children and 1,326 numbers for each."""

    nodes: Mapping[str, tuple[tuple[str, ...], Floats]]


@dataclass(frozen=True, eq=False)
class SpotStrategy(NodeStrategies):
    """The strategies of some decisions of a spot, by the lines that lead there."""

    nodes: Mapping[Line, NodeStrategy]

    @cached_property
    def _line_starts(self) -> frozenset[Line]:
        return frozenset(line[:length] for line in self.nodes for length in range(len(line) + 1))

    def may_match_below(self, line: Line) -> bool:
        """Return whether there may be a strategy for a decision that begins with a line."""
        return line in self._line_starts

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        """Return whether the strategies stay the same when suits are exchanged."""
        exchanged = permute_hands(suits)
        for line, node in self.nodes.items():
            other = self.nodes.get(tuple(permute_word(word, suits) for word in line))
            if other is None or other.actions != node.actions or len(other.hands) != len(node.hands):
                return False
            chances = np.full((len(node.actions), HAND_COUNT), np.nan)
            chances[:, exchanged[node.hands]] = node.chances
            if not (np.abs(chances[:, other.hands] - other.chances) < SUIT_TOLERANCE).all():
                return False
        return True

    def fill_block(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Copy the strategy of hands into a block of a decision; return whether there was one for any of its hands."""
        node = self.nodes.get(decision.line)
        return node is not None and node.fill_block(block, decision)


def permute_word(word: str, suits: SuitPermutation) -> str:
    """Return a word of a line after suits are exchanged: cards change, actions and `*` stay."""
    return word if word == "*" or word[0].islower() else card_name(permute_card(parse_cards(word)[0], suits))


def fit_strategy(spot: Spot, strategy: Strategy | PioText | SpotResult | SpotStrategy) -> SpotStrategy:
    """Return a strategy, from any of its sources, fitted to the betting of a spot.

    >>> import zerosum
    >>> river = zerosum.solve("spot:river", iterations=2)
    >>> fit_strategy(river.spot, river).nodes["check", "bet 858"].actions
    ('fold', 'call', 'raise 4095', 'allin')
    """
    if isinstance(strategy, SpotStrategy):
        return strategy
    if isinstance(strategy, SpotResult):
        nodes = {
            table.line: NodeStrategy(table.actions, table.hand, table.frequency) for table in strategy.iterate_tables()
        }
        return SpotStrategy(strategy.source, nodes)
    nodes = _fit_pio_text(spot, strategy) if isinstance(strategy, PioText) else _fit_entries(spot, strategy)
    return SpotStrategy(strategy.source, nodes)


def _fit_pio_text(spot: Spot, text: PioText) -> dict[Line, NodeStrategy]:
    order, nodes = find_hand_order("pio"), dict[Line, NodeStrategy]()
    for name, (children, numbers) in text.nodes.items():
        try:
            end = find_decision(spot, name)
            rows = [find_pio_action(child, end.node, spot) for child in children]
        except ZerosumError as error:
            raise ZerosumError(f"{text.source} does not fit the spot at {name}: {error}") from None
        dense = np.zeros((len(end.node.actions), HAND_COUNT))
        for row, frequencies in zip(rows, numbers, strict=True):
            dense[row, order] = frequencies
        hands = np.flatnonzero(dense.sum(axis=0) > 0)
        nodes[end.line] = _normalize_node(text.source, end, hands, dense[:, hands])
    return nodes


def _fit_entries(spot: Spot, strategy: Strategy) -> dict[Line, NodeStrategy]:
    """Return the nodes of infosets like `AsKd|Ks7h2d9c4s|check bet 858`."""
    by_place: dict[str, list[tuple[int, InfosetEntry]]] = {}
    numbers: dict[str, int] = {}
    for entry in strategy.entries:
        hand, bar, where = entry.infoset.partition("|")
        if not bar or "|" not in where:
            raise ZerosumError(
                f"{strategy.source}: {quote(entry.infoset)} is no infoset of a spot: write it like AsKd|Ks7h2d|check"
            )
        if hand not in numbers:
            try:
                numbers[hand] = parse_hand(hand)
            except ZerosumError as error:
                raise ZerosumError(f"{strategy.source}: {error}") from None
        by_place.setdefault(where, []).append((numbers[hand], entry))
    return dict(_fit_node(spot, strategy.source, where, entries) for where, entries in by_place.items())


def _fit_node(
    spot: Spot, source: str, where: str, entries: Iterable[tuple[int, InfosetEntry]]
) -> tuple[Line, NodeStrategy]:
    board, _, line = where.partition("|")
    try:
        end = find_decision(spot, line)
        if set(parse_cards(board)) != set(end.board):
            raise ZerosumError(f"its board is {board}, not {format_cards(end.board)}")
        numbers: dict[str, int] = {}
        columns: dict[int, Floats] = {}
        for hand, entry in entries:
            if hand in columns:
                raise ZerosumError(f"{quote(entry.infoset)} occurs twice")
            columns[hand] = np.zeros(len(end.node.actions))
            for action, chance in entry.actions.items():
                if action not in numbers:
                    numbers[action] = find_action(action, end.node)
                columns[hand][numbers[action]] += chance
    except ZerosumError as error:
        raise ZerosumError(f"{source} does not fit the spot at {quote(where)}: {error}") from None
    hands = np.array(sorted(columns), dtype=np.int64)
    return end.line, _normalize_node(source, end, hands, np.array([columns[hand] for hand in hands.tolist()]).T)


def _normalize_node(source: str, end: DecisionPosition, hands: Integers, chances: Floats) -> NodeStrategy:
    """Check that probabilities sum to 1 for each hand, and divide them by their sum."""
    totals = chances.sum(axis=0)
    if not (chances >= 0.0).all() or (np.abs(totals - 1.0) > SUM_TOLERANCE).any():
        where = " ".join(end.line) or "the start"
        raise ZerosumError(f"{source}: the probabilities of a hand at {where} must be at least 0 and sum to 1")
    return NodeStrategy(end.node.actions, hands, chances / totals)
