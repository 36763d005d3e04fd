"""A strategy as it is written down, before it is known which game it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rue.errors import RueError
from rue.result import Result


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

    @staticmethod
    def of(given: Given) -> Strategy:
        """A strategy, whatever it is given as; a text or a path names a file."""
        if isinstance(given, Strategy):
            return given
        if isinstance(given, Result):
            entries = (Entry(each.player, each.infoset, each.actions) for each in given.decisions)
            return Strategy(f"{given.algorithm} on {given.game}", tuple(entries))
        if isinstance(given, str | Path):
            from rue.strategies.read import read_strategy

            return read_strategy(given)
        if isinstance(given, Mapping):
            from rue.strategies.read import from_mapping

            return from_mapping(given, "the strategy")
        raise RueError(f"a strategy is a file, a result or a mapping of infosets, not {type(given).__name__}")


Given = str | Path | Strategy | Result | Mapping[str, Mapping[str, float]]
"""What is taken for a strategy: a file, a result, or a mapping of infosets to {action: probability}."""
