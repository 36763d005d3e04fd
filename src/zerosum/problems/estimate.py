"""The cost of solving a problem: infosets, memory, time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from zerosum.engine.limits import UNLIMITED
from zerosum.results.blocks import BLANK, Block, Note, Rows
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.system import available_bytes
from zerosum.support.text import format_bytes, format_duration

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm
    from zerosum.engine.limits import Limits

YEAR = 3.2e7
"""Seconds of a year."""
ROUGHNESS = 2
"""A rough estimate counts as too large only beyond this multiple of the free memory."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The size of a problem, the bytes that a run needs and a rough time for an iteration.

    >>> import zerosum
    >>> zerosum.estimate("leduc").infosets
    936
    """

    game: str
    infosets: int
    infoset_actions: int
    bytes: int
    seconds: float

    histories: int | None = None
    """The number of histories, if the game is enumerated."""
    taken: int = 0
    """Bytes that are already in use, or that were freed again."""
    iterates: bool = True
    """Whether an iteration has a typical time: the exact solution has no iterations, and sampled ones vary."""
    node_seconds: float | None = None
    """Seconds for a node that a sampled walk touches, if the histories are enumerated."""

    @property
    def remedy(self) -> str:
        """The advice for a problem that does not fit in memory."""
        return f"choose smaller parameters, or sample it without enumerating it ({option_name('by_rules', True)})"

    def check_memory(self) -> None:
        """Raise an error if the problem does not fit in memory."""
        free = available_bytes()
        if self.bytes - self.taken > free:
            more = f", {format_bytes(self.bytes - self.taken)} more than it has taken so far," if self.taken else ""
            subject = "this tree" if self.histories is None else self.game
            raise ZerosumError(
                f"{subject} needs about {format_bytes(self.bytes)} for {self.infoset_actions:,} "
                f"infoset-actions{more} and {format_bytes(free)} are free: {self.remedy}"
            )

    def predict_run_seconds(self, algorithm: Algorithm, limits: Limits) -> float | None:
        """Return roughly how many seconds a run takes; None if its limits do not determine that."""
        nodes, iterations = limits.find_node_limit(algorithm), limits.find_horizon(algorithm)
        durations = [] if limits.seconds is None else [limits.seconds]
        if self.node_seconds is not None and nodes is not None:
            durations.append(nodes * self.node_seconds)
        if self.iterates and iterations < UNLIMITED:
            durations.append(iterations * self.seconds)
        return min(durations, default=None)

    def for_parallel_runs(self, count: int) -> Estimate:
        """Return the estimate of `count` runs that share the form and run at the same time."""
        return replace(self, bytes=self.bytes + (count - 1) * (self.bytes - self.taken))

    def blocks(self) -> list[Block]:
        """Return the estimate as blocks for a terminal or a page."""
        memory = f"about {format_bytes(self.bytes)} at the peak, besides zerosum itself"
        return [Note(self.game, "heading"), Rows(self.build_cost_rows({"memory": memory})), BLANK]

    def build_cost_rows(self, memory: dict[str, str]) -> dict[str, str]:
        """Return the size and the time by label; `memory` has the rows about memory."""
        seconds = self.seconds
        time = format_duration(seconds) if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"
        return {
            "histories": "" if self.histories is None else f"{self.histories:,}",
            "infosets": f"{self.infosets:,}, with {self.infoset_actions:,} actions",
            **memory,
            "iteration": f"about {time}" if self.iterates else "",
            "node touched": "" if self.node_seconds is None else f"about {1e9 * self.node_seconds:.0f} ns",
        }

    def content(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""
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
    """The size of a game too large to be enumerated, estimated by a few walks down its tree.

    `bytes` is a lower bound; `infosets`, `infoset_actions` and `seconds` are upper bounds.

    >>> import zerosum
    >>> zerosum.estimate("liars-dice(dice=2)").bytes > 1e12
    True
    """

    enumeration: float
    """Seconds to enumerate all histories."""

    def predict_run_seconds(self, algorithm: Algorithm, limits: Limits) -> float | None:
        return limits.seconds

    def check_memory(self) -> None:
        """Refuse a game that needs far more memory than is free; a smaller excess passes, as the numbers are rough."""
        free = available_bytes()
        if self.bytes > ROUGHNESS * free:
            raise ZerosumError(
                f"{self.game} does not fit into memory: the payoffs of about {self.histories:.2g} histories alone need "
                f"{format_bytes(self.bytes)}, but only {format_bytes(free)} are free; {self.remedy}"
            )

    def blocks(self) -> list[Block]:
        rows = {
            "histories": f"about {self.histories:.2g}, by a few walks: too many to count them now",
            "infosets": f"at most {self.infosets:.2g}",
            "memory": f"at least {format_bytes(self.bytes)}, to find the histories",
            "enumeration": f"about {format_duration(self.enumeration)}" if self.enumeration < YEAR else "years",
        }
        return [Note(self.game, "heading"), Rows(rows), BLANK]

    def content(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "exact": False,
            "histories": self.histories,
            "infosets_at_most": self.infosets,
            "bytes_at_least": self.bytes,
            "seconds_to_enumerate": self.enumeration,
        }
