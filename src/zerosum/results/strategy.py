"""A strategy as it is written in a file, before it is matched to a game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from zerosum.results.game_result import GameResult
from zerosum.results.result import Result
from zerosum.support.errors import ZerosumError
from zerosum.support.text import quote


@runtime_checkable
class StrategySource(Protocol):
    """A strategy of any kind of problem: a result, or the content of a file."""

    @property
    def problem_kind(self) -> str:
        """The kind of problem; see `zerosum.problems.kinds`."""

    @property
    def source(self) -> str:
        """The origin, for messages."""

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""


@dataclass(frozen=True)
class InfosetEntry:
    """The strategy of an infoset: its actions by name, or by OpenSpiel's numbers, and their probabilities."""

    player: int | None
    """1 or 2; None if not specified."""
    infoset: str
    actions: Mapping[str, float]


@dataclass(frozen=True)
class Strategy:
    """The strategies of both players, infoset by infoset, as in a file.

    >>> import zerosum
    >>> Strategy.from_value({"I choose": {"heads": 0.5, "tails": 0.5}, "you choose": {"heads": 1}}).entries[1]
    InfosetEntry(player=None, infoset='you choose', actions={'heads': 1.0})
    >>> Strategy.from_value(zerosum.solve("kuhn", "lp")).source
    'lp on kuhn'
    """

    problem_kind: ClassVar[str] = "game"
    """The kind of problem; a strategy from a table may also fit a spot."""
    source: str
    """The origin, for messages."""
    entries: tuple[InfosetEntry, ...] = field(repr=False)
    numbered: bool = False
    """Whether actions are OpenSpiel's numbers instead of names."""
    locks: tuple[str, ...] = ()
    """The locks of the solved game, as text."""
    game: str | None = None
    """The solved game, if known."""

    @staticmethod
    def from_value(value: StrategyLike, source: str | Path | None = None) -> Strategy:
        """Return a strategy from any of its forms except a file, which `zerosum.read_strategy` reads."""
        if isinstance(value, Strategy):
            return value
        if isinstance(value, GameResult):
            entries = (InfosetEntry(row.player, row.infoset, row.actions) for row in value.decisions)
            name = value.source if source is None else str(source)
            return Strategy(name, tuple(entries), locks=value.locks, game=value.unlocked_game)
        if isinstance(value, Mapping):
            return parse_mapping(value, "the strategy" if source is None else source)
        raise ZerosumError(f"a strategy is a file, a result or a mapping of infosets, not {type(value).__name__}")

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only: the entries."""
        return self.entries


StrategyLike = Strategy | GameResult | Mapping[str, Mapping[str, float]]
"""The forms of a strategy of a game: a `Strategy`, a result, or infosets with {action: probability}."""
StrategyInput = str | Path | Result | StrategyLike
"""The forms of a strategy of any problem: also a file, or a result of another kind of problem."""


def parse_mapping(content: Mapping[Any, Any], source: str | Path) -> Strategy:
    """Read {infoset: {action: probability}} or OpenSpiel's {infoset: [[number, probability], ...]} as a strategy."""
    numbered = {isinstance(value, Sequence) and not isinstance(value, str) for value in content.values()}
    if len(numbered) > 1:
        raise ZerosumError(f"{source} mixes {{action: probability}} with OpenSpiel's [[number, probability], ...]")
    is_numbered = numbered == {True}
    entries = []
    for infoset, actions in content.items():
        if is_numbered and not all(_is_numbered_pair(pair) for pair in actions):
            raise ZerosumError(f"{source}: {quote(infoset)} must have pairs [action number, probability]")
        if not is_numbered and not isinstance(actions, Mapping):
            raise ZerosumError(f"{source} is not a strategy: {quote(infoset)} has no {{action: probability}}")
        pairs = ((int(number), chance) for number, chance in actions) if is_numbered else actions.items()
        entries.append(build_entry(source, infoset, pairs))
    return Strategy(str(source), tuple(entries), numbered=is_numbered)


def _is_numbered_pair(pair: Any) -> bool:
    if not (isinstance(pair, Sequence) and len(pair) == 2):
        return False
    number = pair[0]
    return not isinstance(number, bool | str) and hasattr(number, "__index__") and 0 <= number < 1 << 62


def build_entry(
    source: str | Path, infoset: Any, pairs: Iterable[tuple[Any, Any]], player: int | None = None
) -> InfosetEntry:
    """Return the strategy of an infoset from pairs of an action and its probability; refuse an action given twice."""
    actions: dict[str, float] = {}
    for action, value in pairs:
        if str(action) in actions:
            raise ZerosumError(f"{source} has the action {quote(action)} twice at {quote(infoset)}")
        if isinstance(value, bool | str) or not hasattr(value, "__float__"):
            raise ZerosumError(f"{source}: a probability at {quote(infoset)} is {quote(value)}, not a number")
        try:
            actions[str(action)] = float(value)
        except (OverflowError, TypeError, ValueError):
            actions[str(action)] = math.inf
    return InfosetEntry(player, str(infoset), actions)


def parse_probability(text: Any, infoset: Any, source: str | Path) -> float:
    """Return a probability from a file, which OpenSpiel may write in hexadecimal."""
    try:
        return float.fromhex(text) if isinstance(text, str) and "0x" in text.lower() else float(text)
    except (ValueError, OverflowError, TypeError):
        raise ZerosumError(f"{source}: a probability at {quote(infoset)} is {quote(text)}, not a number") from None
