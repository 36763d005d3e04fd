"""What a lock costs: the value of the game with and without it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from rue.records import dataclass

Values = tuple[float, float]
"""What each player wins."""


@dataclass(frozen=True)
class LockPrice:
    """What the locks of a game cost who is locked; values are what each player wins.

    >>> price = LockPrice((2,), (-0.5, 0.5), nobody_adapts=(-0.45, 0.45), counters=(0.0, 0.45), locked=(-0.25, 0.25))
    >>> price.loses, price.counter_wins
    ({2: 0.25}, {1: 0.5})
    """

    players: tuple[int, ...]
    """Who is locked somewhere, 1 or 2."""
    unlocked: Values
    """The values without the locks."""
    nobody_adapts: Values | None = None
    """If the locks are played and both play on as without them elsewhere; None if it is not known."""
    counters: Values | None = None
    """What each player wins who alone adapts to that, by a best response; its own locks bind it, too."""
    locked: Values = (math.nan, math.nan)
    """The values of the locked game: everybody adapts."""

    @property
    def loses(self) -> dict[int, float]:
        """What each player who is locked loses against the value without locks, if everybody adapts."""
        return {player: self.unlocked[player - 1] - self.locked[player - 1] for player in self.players}

    @property
    def counter_wins(self) -> dict[int, float]:
        """What the opponents of those who are locked win more than without locks, if only they adapt."""
        counters = self.counters
        if counters is None:
            return {}
        others = sorted(3 - player for player in self.players)
        return {player: counters[player - 1] - self.unlocked[player - 1] for player in others}

    def after(self, locked: Values) -> LockPrice:
        """The price once the values of the locked game are known."""
        return replace(self, locked=locked)

    def before(self) -> dict[str, Any]:
        """What is known before the locked game is solved, ready for JSON."""
        told = asdict(self)
        del told["locked"]
        return told

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        told = {"loses": self.loses, "counter_wins": self.counter_wins}
        by_seat = {name: {f"player {player}": amount for player, amount in each.items()} for name, each in told.items()}
        return {**asdict(self), **by_seat}

    @staticmethod
    def of(content: Mapping[str, Any] | None) -> LockPrice | None:
        """What `before` or `content` told; nothing of a file is taken for granted."""
        if content is None:
            return None
        players, unlocked = tuple(content["players"]), _pair(content["unlocked"])
        if not set(players) <= {1, 2} or unlocked is None:
            raise ValueError("the price of its locks is that of nobody")
        locked = _pair(content.get("locked")) or (math.nan, math.nan)
        return LockPrice(players, unlocked, _pair(content["nobody_adapts"]), _pair(content["counters"]), locked)


def _pair(given: Any) -> Values | None:
    if given is None:
        return None
    if len(given) != 2 or not all(type(n) in (int, float) and math.isfinite(n) for n in given):
        raise ValueError("the price of its locks is not in numbers")
    return given[0], given[1]
