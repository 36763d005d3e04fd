"""Locks in the terminal: the options that make them, and how a locked game is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rue.cli.typed import flag, option
from rue.errors import RueError
from rue.records import dataclass
from rue.words import short

if TYPE_CHECKING:
    from rue.results.result import Result


@dataclass(frozen=True)
class Locked:
    """What is fixed instead of learned, as it was typed."""

    lock: list[str] | None = option(
        "LOCK",
        'Fix a strategy and solve the rest: "K|bet: call 70%, fold 30%" by infoset, '
        '"check bet33: fold 40%, call 60%" by line, "check bet33: sets: raise 100%" for some hands, '
        '"check bet33: overall: fold 40%" for the whole range, "ip: @run/" from a file. May be given several times.',
    )
    unlocked: Path | None = option("RUN", "The solution without the locks, for their price and for overall locks.")
    price: bool = flag("--price", "Tell what the locks cost: solves the game without them first.")

    @property
    def given(self) -> dict[str, Any]:
        """The options of a problem."""
        for name, value in (("--unlocked", self.unlocked), ("--price", self.price)):
            if value and not self.lock:
                raise RueError(f"{name} goes with locks: add --lock")
        return {"locks": self.lock, "unlocked": self.unlocked or self.price}


def in_words(locks: tuple[str, ...]) -> str:
    """Locks below each other."""
    return "\n".join(locks)


def lock_rows(result: Result, seats: tuple[str, str]) -> dict[str, str]:
    """What was locked and what it costs, for a table of names and values."""
    rows = {"locked": in_words(result.locks)}
    price, unit = result.price, f" {result.unit.name}".rstrip()
    if price is None:
        return rows
    for player, lost in price.loses.items():
        values = f"wins {short(price.unlocked[player - 1])} without locks, {short(price.locked[player - 1])} with them"
        rows[f"{seats[player - 1]} loses"] = f"{short(lost)}{unit}   by the locks: {values}"
    for player, won in price.counter_wins.items():
        rows[f"{seats[player - 1]} wins"] = f"{short(won)}{unit}   more, if nobody else adapts to the locks"
    return rows
