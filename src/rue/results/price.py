"""What a lock costs: the value of the game with and without it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class LockPrice:
    """What the locks of a game cost who is locked. Values are the first player's.

    >>> price = LockPrice(players=(2,), unlocked=-0.5, nobody_adapts=-0.45, counters=(0.0, -0.45), locked=-0.25)
    >>> price.loses, price.counter_wins
    ({2: 0.25}, {1: 0.5})
    """

    players: tuple[int, ...]
    """Who is locked somewhere, 1 or 2."""
    unlocked: float
    """The value without the locks."""
    nobody_adapts: float | None = None
    """The value if the locks are played and both play on as without them elsewhere; None if it is not known."""
    counters: tuple[float, float] | None = None
    """The value if one player alone adapts, by a best response to that; its own locks bind it, too."""
    locked: float = math.nan
    """The value of the locked game: everybody adapts."""

    @property
    def loses(self) -> dict[int, float]:
        """What each player who is locked loses against the value without locks, if everybody adapts."""
        return {player: self._signed(player, self.unlocked - self.locked) for player in self.players}

    @property
    def counter_wins(self) -> dict[int, float]:
        """What the opponents of those who are locked win more than without locks, if only they adapt."""
        counters = self.counters
        if counters is None:
            return {}
        others = sorted(3 - player for player in self.players)
        return {player: self._signed(player, counters[player - 1] - self.unlocked) for player in others}

    @staticmethod
    def _signed(player: int, value: float) -> float:
        return value if player == 1 else -value

    def after(self, locked: float) -> LockPrice:
        """The price once the value of the locked game is known."""
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
        players, counters = tuple(content["players"]), content["counters"]
        numbers = [*(counters or ()), content["unlocked"], content["nobody_adapts"] or 0.0, content.get("locked", 0.0)]
        if not set(players) <= {1, 2} or (counters is not None and len(counters) != 2):
            raise ValueError("the price of its locks is that of nobody")
        if not all(isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers):
            raise ValueError("the price of its locks is not a number")
        both = None if counters is None else (counters[0], counters[1])
        locked = content.get("locked", math.nan)
        return LockPrice(players, content["unlocked"], content["nobody_adapts"], both, locked)
