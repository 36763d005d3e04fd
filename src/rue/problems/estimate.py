"""What solving a problem takes: infosets, memory, time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rue.errors import RueError
from rue.machine import available_bytes
from rue.records import dataclass
from rue.solvers.limits import WITHOUT_END
from rue.words import readable

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.solvers.limits import Limits

MARGIN = 2
"""How far beyond the free memory a rough number must be to be believed."""


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

    histories: int | None = None
    """Of a game whose histories are enumerated."""
    taken: int = 0
    """Of the bytes those that are taken already or were given back."""
    iterates: bool = True
    """Whether the time of an iteration means anything: the exact solution has none, and sampled ones differ."""
    node_seconds: float | None = None
    """Of a node that a sampled walk touches, where every history is known."""

    @property
    def what(self) -> str:
        """What needs the memory."""
        return "this tree" if self.histories is None else self.game

    @property
    def ways_out(self) -> str:
        """What to do where it does not fit."""
        return "choose smaller parameters, or sample it by rules alone (--by-rules, by_rules=True)"

    def check(self) -> None:
        """Refuse what does not fit the memory."""
        free = available_bytes()
        if self.bytes - self.taken > free:
            more = f", {readable(self.bytes - self.taken)} more than it has taken so far," if self.taken else ""
            raise RueError(
                f"{self.what} needs about {readable(self.bytes)} for {self.infoset_actions:,} infoset-actions{more} "
                f"and {readable(free)} are free: {self.ways_out}"
            )

    def lasts(self, algorithm: Algorithm, limits: Limits) -> float | None:
        """About how many seconds a run takes, where its limits tell."""
        nodes, iterations = limits.end(algorithm), limits.horizon(algorithm)
        known = [] if limits.seconds is None else [limits.seconds]
        if self.node_seconds is not None and nodes is not None:
            known.append(nodes * self.node_seconds)
        if self.iterates and iterations < WITHOUT_END:
            known.append(iterations * self.seconds)
        return min(known, default=None)

    def at_once(self, count: int) -> Estimate:
        """What so many runs take that go on at once and share the form."""
        return replace(self, bytes=self.bytes + (count - 1) * (self.bytes - self.taken))

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "game": self.game,
            "infosets": self.infosets,
            "infoset_actions": self.infoset_actions,
            "bytes": self.bytes,
            **({"seconds_per_iteration": self.seconds} if self.iterates else {}),
            **({} if self.node_seconds is None else {"seconds_per_node": self.node_seconds}),
            **({} if self.histories is None else {"histories": self.histories}),
        }


@dataclass(frozen=True, kw_only=True)
class RoughEstimate(Estimate):
    """The size of a game too large to be counted, from a few walks down its tree.

    `bytes` is what it needs at least, `infosets`, `infoset_actions` and `seconds` are the most that it may have.

    >>> import rue
    >>> rue.estimate("liars-dice(dice=2)").bytes > 1e12
    True
    """

    enumeration: float
    """Seconds of finding all histories."""

    def lasts(self, algorithm: Algorithm, limits: Limits) -> float | None:
        return limits.seconds

    def check(self) -> None:
        """Refuse what needs more memory than there is, by far: the numbers are rough."""
        free = available_bytes()
        if self.bytes > MARGIN * free:
            raise RueError(
                f"{self.game} does not fit: it has about {self.histories:.2g} histories, whose payoffs alone need "
                f"{readable(self.bytes)}, and {readable(free)} are free; {self.ways_out}"
            )

    def content(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "exact": False,
            "histories": self.histories,
            "infosets_at_most": self.infosets,
            "bytes_at_least": self.bytes,
            "seconds_to_enumerate": self.enumeration,
        }
