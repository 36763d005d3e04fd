"""A strategy as it is written down, before it is known which game it belongs to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from rue.errors import RueError
from rue.records import dataclass
from rue.results.game import GameResult
from rue.words import quoted


@dataclass(frozen=True)
class Entry:
    """What is said about one infoset: its actions in words, or by OpenSpiel's numbers, and their probabilities."""

    player: int | None
    """1 or 2; None where it is not said."""
    infoset: str
    actions: Mapping[str, float]


@dataclass(frozen=True)
class Strategy:
    """What both players do, infoset by infoset, in the words of a file.

    >>> import rue
    >>> Strategy.of({"I choose": {"heads": 0.5, "tails": 0.5}, "you choose": {"heads": 1}}).entries[1]
    Entry(player=None, infoset='you choose', actions={'heads': 1.0})
    >>> Strategy.of(rue.solve("kuhn", "lp")).source
    'lp on kuhn'
    """

    source: str
    """Where it comes from, for sentences."""
    entries: tuple[Entry, ...] = field(repr=False)
    numbered: bool = False
    """Whether actions are OpenSpiel's numbers instead of words."""
    locks: tuple[str, ...] = ()
    """What was locked in the game that it was solved for, in words."""
    game: str | None = None
    """What it was solved for, where that is known."""

    @staticmethod
    def of(given: StrategyLike, source: str | Path | None = None) -> Strategy:
        """A strategy, whatever it is given as; a file is read by `rue.read_strategy`."""
        if isinstance(given, Strategy):
            return given
        if isinstance(given, GameResult):
            entries = (Entry(each.player, each.infoset, each.actions) for each in given.decisions)
            told = f"{given.algorithm} on {given.game}" if source is None else str(source)
            return Strategy(told, tuple(entries), locks=given.locks, game=given.bare_game)
        if isinstance(given, Mapping):
            return from_mapping(given, "the strategy" if source is None else source)
        raise RueError(f"a strategy is a file, a result or a mapping of infosets, not {type(given).__name__}")


StrategyLike = Strategy | GameResult | Mapping[str, Mapping[str, float]]
"""What is taken for a strategy of a game: one as it is written, a result, or infosets with {action: probability}."""


def from_mapping(content: Mapping[Any, Any], source: str | Path) -> Strategy:
    """The strategy of {infoset: {action: probability}} or of OpenSpiel's {infoset: [[number, probability], ...]}."""
    numbered = {isinstance(value, Sequence) and not isinstance(value, str) for value in content.values()}
    if len(numbered) > 1:
        raise RueError(f"{source} mixes {{action: probability}} with OpenSpiel's [[number, probability], ...]")
    if numbered == {True}:
        return Strategy(str(source), tuple(_paired(content, source)), numbered=True)
    return Strategy(str(source), tuple(_mapped(content, source)))


def _mapped(content: Mapping[Any, Any], source: str | Path) -> Iterator[Entry]:
    for infoset, actions in content.items():
        if not isinstance(actions, Mapping):
            raise RueError(f"{source} is not a strategy: {quoted(infoset)} has no {{action: probability}}")
        yield entry(source, infoset, actions.items())


def _paired(content: Mapping[Any, Any], source: str | Path) -> Iterator[Entry]:
    """OpenSpiel's pairs of action number and probability."""
    for infoset, pairs in content.items():
        for pair in pairs:
            if not (isinstance(pair, Sequence) and len(pair) == 2 and _is_whole(pair[0])):
                raise RueError(f"{source}: {quoted(infoset)} must have pairs [action number, probability]")
        yield entry(source, infoset, ((int(number), chance) for number, chance in pairs))


def _is_whole(number: Any) -> bool:
    return not isinstance(number, bool | str) and hasattr(number, "__index__") and 0 <= number < 1 << 62


def entry(source: str | Path, infoset: Any, pairs: Iterable[tuple[Any, Any]], player: int | None = None) -> Entry:
    """What a source says about an infoset: pairs of an action, no two of them the same, and its probability."""
    actions: dict[str, float] = {}
    for action, value in pairs:
        if str(action) in actions:
            raise RueError(f"{source} has the action {quoted(action)} twice at {quoted(infoset)}")
        if isinstance(value, bool | str) or not hasattr(value, "__float__"):
            raise RueError(f"{source}: a probability at {quoted(infoset)} is {quoted(value)}, not a number")
        try:
            actions[str(action)] = float(value)
        except (OverflowError, TypeError, ValueError):
            actions[str(action)] = math.inf
    return Entry(player, str(infoset), actions)
