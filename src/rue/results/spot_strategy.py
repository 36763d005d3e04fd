"""Strategies of hold'em spots, decision by decision: of a result, or as a file has them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rue.errors import RueError
from rue.forms.lines import Line
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import HAND_COUNT, cards_name, parse_cards
from rue.holdem.hand_classes import hand_order
from rue.holdem.line import LineEnd, follow, pio_action
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.holdem.words import matching
from rue.results.said import NodeStrategy, PioText, SpotStrategy
from rue.results.spot import SpotResult
from rue.results.strategy import Entry, Strategy
from rue.words import quoted

TOLERANCE = 1e-4
"""How far the chances of a hand may be from 1 in sum; they are then divided by their sum."""


def spot_strategy(spot: Spot, given: Strategy | PioText | SpotResult | SpotStrategy) -> SpotStrategy:
    """A strategy, whatever it is given as, laid over the betting of a spot.

    >>> import rue
    >>> river = rue.solve("spot:river", iterations=2)
    >>> spot_strategy(river.spot, river).nodes["check", "bet 858"].actions
    ('fold', 'call', 'raise 4095', 'allin')
    """
    if isinstance(given, SpotStrategy):
        return given
    if isinstance(given, SpotResult):
        nodes = {node.line: NodeStrategy(node.actions, node.hands, node.strategy) for node in given.nodes_of()}
        return SpotStrategy(f"{given.algorithm} on {given.game}", nodes)
    found = _from_pio(spot, given) if isinstance(given, PioText) else _from_entries(spot, given)
    return SpotStrategy(given.source, found)


def _from_pio(spot: Spot, text: PioText) -> dict[Line, NodeStrategy]:
    order, found = hand_order("pio"), dict[Line, NodeStrategy]()
    for name, (children, numbers) in text.nodes.items():
        try:
            end = follow(spot, name)
            rows = [pio_action(child, end.node, end.pot - sum(end.node.paid), spot) for child in children]
        except RueError as error:
            raise RueError(f"{text.source} does not fit the spot at {name}: {error}") from None
        dense = np.zeros((len(end.node.actions), HAND_COUNT))
        for row, own in zip(rows, numbers, strict=True):
            dense[row, order] = own
        hands = np.flatnonzero(dense.sum(axis=0) > 0)
        found[end.line] = _checked(text.source, end, hands, dense[:, hands])
    return found


def _from_entries(spot: Spot, strategy: Strategy) -> dict[Line, NodeStrategy]:
    """Infosets like `AsKd|Ks7h2d9c4s|check bet 858`."""
    found: dict[str, list[tuple[int, Entry]]] = {}
    numbers: dict[str, int] = {}
    for entry in strategy.entries:
        hand, bar, where = entry.infoset.partition("|")
        if not bar or "|" not in where:
            raise RueError(
                f"{strategy.source}: {quoted(entry.infoset)} is no infoset of a spot, which read like AsKd|Ks7h2d|check"
            )
        if hand not in numbers:
            numbers[hand] = _hand(hand, strategy.source)
        found.setdefault(where, []).append((numbers[hand], entry))
    return dict(_node(spot, strategy.source, where, entries) for where, entries in found.items())


def _node(spot: Spot, source: str, where: str, entries: Iterable[tuple[int, Entry]]) -> tuple[Line, NodeStrategy]:
    board, _, line = where.partition("|")
    try:
        end = follow(spot, line)
        if set(parse_cards(board)) != set(end.board):
            raise RueError(f"its board is {board}, not {cards_name(end.board)}")
        known: dict[str, int] = {}
        columns: dict[int, Floats] = {}
        for hand, entry in entries:
            if hand in columns:
                raise RueError(f"{quoted(entry.infoset)} is there twice")
            columns[hand] = np.zeros(len(end.node.actions))
            for action, chance in entry.actions.items():
                if action not in known:
                    known[action] = matching(action, end.node, end.pot)
                columns[hand][known[action]] += chance
    except RueError as error:
        raise RueError(f"{source} does not fit the spot at {quoted(where)}: {error}") from None
    hands = np.array(sorted(columns), dtype=np.int64)
    return end.line, _checked(source, end, hands, np.array([columns[hand] for hand in hands.tolist()]).T)


def _hand(text: str, source: str) -> int:
    try:
        (hand,) = np.flatnonzero(Range.parse(text).weights)
    except (RueError, ValueError):
        raise RueError(f"{source}: {quoted(text)} is not a hand like AsKd") from None
    return int(hand)


def _checked(source: str, end: LineEnd, hands: Integers, chances: Floats) -> NodeStrategy:
    """Chances that are a strategy, made to sum to 1."""
    totals = chances.sum(axis=0)
    if not (chances >= 0.0).all() or (np.abs(totals - 1.0) > TOLERANCE).any():
        where = " ".join(end.line) or "the start"
        raise RueError(f"{source}: what it says at {where} is no strategy: the chances of a hand must sum to 1")
    return NodeStrategy(end.node.actions, hands, chances / totals)
