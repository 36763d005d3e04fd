"""The cost of locks: the value of the game with and without them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

Values = tuple[float, float]
"""The winnings of each player."""


@dataclass(frozen=True)
class LockPrice:
    """The cost of the locks of a game for the locked players; values are the winnings of each player.

    >>> price = LockPrice((2,), (-0.5, 0.5), nobody_adapts=(-0.45, 0.45), counters=(0.0, 0.45), locked=(-0.25, 0.25))
    >>> price.loses, price.counter_wins
    ({2: 0.25}, {1: 0.5})
    """

    players: tuple[int, ...]
    """The players who are locked somewhere, 1 or 2."""
    unlocked: Values
    """The values without the locks."""
    nobody_adapts: Values | None = None
    """The values if both players play as without locks wherever they are not locked; None if unknown."""
    counters: Values | None = None
    """The winnings of each player who alone adapts, by a best response within the locks."""
    locked: Values = (math.nan, math.nan)
    """The values of the locked game: everybody adapts."""

    @property
    def loses(self) -> dict[int, float]:
        """The loss of each locked player against the value without locks, if everybody adapts."""
        return {player: self.unlocked[player - 1] - self.locked[player - 1] for player in self.players}

    @property
    def counter_wins(self) -> dict[int, float]:
        """The extra winnings of the opponents of locked players, if only they adapt."""
        counters = self.counters
        if counters is None:
            return {}
        others = sorted(3 - player for player in self.players)
        return {player: counters[player - 1] - self.unlocked[player - 1] for player in others}

    def with_locked_values(self, locked: Values) -> LockPrice:
        """Return the price with the values of the locked game."""
        return replace(self, locked=locked)

    def unsolved_to_json(self) -> dict[str, Any]:
        """Return the fields that are known before the locked game is solved, ready for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "locked"}

    def to_json(self) -> dict[str, Any]:
        """Return all fields and the differences by player, ready for JSON."""
        by_player = {
            name: {f"player {player}": amount for player, amount in amounts.items()}
            for name, amounts in (("loses", self.loses), ("counter_wins", self.counter_wins))
        }
        return {**asdict(self), **by_player}

    @staticmethod
    def from_json(content: Mapping[str, Any] | None) -> LockPrice | None:
        """Return the price that `to_json` or `unsolved_to_json` described; raise a `ValueError` for anything else."""
        if content is None:
            return None
        players, unlocked = tuple(content["players"]), _decode_values(content["unlocked"])
        if not set(players) <= {1, 2} or unlocked is None:
            raise ValueError("the price of its locks is that of nobody")
        nobody_adapts, counters = _decode_values(content["nobody_adapts"]), _decode_values(content["counters"])
        locked = _decode_values(content.get("locked")) or (math.nan, math.nan)
        return LockPrice(players, unlocked, nobody_adapts, counters, locked)


def _decode_values(values: Any) -> Values | None:
    if values is None:
        return None
    if len(values) != 2 or not all(type(n) in (int, float) and math.isfinite(n) for n in values):
        raise ValueError("the price of its locks is not in numbers")
    return values[0], values[1]
