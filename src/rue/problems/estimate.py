"""What solving a problem takes: infosets, memory, time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rue.errors import RueError
from rue.machine import available_bytes
from rue.words import readable


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The size of a problem, the bytes that a run needs and a rough time for an iteration.

    >>> import rue
    >>> rue.estimate("leduc").infosets
    936
    """

    game: str
    infosets: int
    infoset_actions: int
    bytes: int
    seconds: float

    @property
    def ways_out(self) -> str:
        """What to do where it does not fit."""
        return "choose smaller parameters, or sample it by rules alone (--by-rules, by_rules=True)"

    def check(self) -> None:
        """Refuse what does not fit the memory."""
        free = available_bytes()
        if self.bytes > free:
            raise RueError(
                f"this tree needs about {readable(self.bytes)} for {self.infoset_actions:,} infoset-actions "
                f"and {readable(free)} are free: {self.ways_out}"
            )

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "game": self.game,
            "infosets": self.infosets,
            "infoset_actions": self.infoset_actions,
            "bytes": self.bytes,
            "seconds_per_iteration": self.seconds,
        }
