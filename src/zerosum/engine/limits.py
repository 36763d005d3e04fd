"""The limits of a run and its number of threads, checked once and passed to every kind of run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypedDict

from zerosum.support.errors import ZerosumError
from zerosum.support.options import AMOUNT, COUNT, COUNT_OR_MORE, Option, check_options

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm

DEFAULT_ITERATIONS = 1000
DEFAULT_NODES = 10**7
"""Nodes touched by a sampled run without limits: one period of the dcfr paper."""
UNLIMITED = 10**12
"""The horizon of a run that is limited by time, exploitability or nodes."""


# fmt: off
Iterations = Annotated[int | None, Option("Stop after N iterations.", "N", COUNT, least=1,
    default_text="1000 if there is no other limit")]
Seconds = Annotated[float | None, Option("Stop after S seconds.", "S", least=0)]
Until = Annotated[float | str | None,
    Option("Stop at this exploitability; in hold'em in chips, or a share of the pot such as 0.5%.", "EPS", AMOUNT,
    least=0, manual="If a number of chips looks like a forgotten percentage, a note says so.")]
Threads = Annotated[int | None, Option("Number of threads; the result does not depend on it.", "N", COUNT, least=1,
    default_text="all cores")]


class LimitOptions(TypedDict, total=False):
    """When a run ends: at the first of these limits that it reaches."""

    iterations: Iterations
    until: Until
    seconds: Seconds
    nodes: Annotated[int | None, Option("Stop after touching N nodes.", "N", COUNT, least=1,
        default_text="1e7 if the algorithm samples and there is no other limit")]
    threads: Threads


class ResumeLimitOptions(TypedDict, total=False):
    """When a run that is continued ends."""

    iterations: Annotated[int | str | None, Option("Continue to N iterations in total, or for N more with +N.", "N|+N",
        COUNT_OR_MORE)]
    until: Until
    seconds: Annotated[float | None, Option("Continue for S seconds.", "S", least=0)]
    nodes: Annotated[int | str | None, Option("Continue to N touched nodes in total, or for N more with +N.", "N|+N",
        COUNT_OR_MORE)]
    threads: Threads
# fmt: on


@dataclass(frozen=True)
class Limits:
    """The limits of a run, which ends at the first one that it reaches, and its number of threads (None for all cores).

    Without a limit a run ends after 1000 iterations, or after 1e7 nodes if it samples.

    >>> Limits().find_horizon(), Limits(seconds=1).find_horizon() == UNLIMITED
    (1000, True)
    """

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    threads: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_options(LimitOptions, vars(self))

    @property
    def has_limit(self) -> bool:
        return any(limit is not None for limit in (self.iterations, self.until, self.seconds, self.nodes))

    def find_horizon(self, algorithm: Algorithm | None = None) -> int:
        """Return the number of iterations that schedules refer to; refuse an algorithm that needs a missing limit."""
        sampled = algorithm is not None and algorithm.sampling is not None
        self.check_until(algorithm, 0.0)
        if algorithm is not None and algorithm.needs_horizon:
            if sampled and self.find_node_limit(algorithm) is None:
                raise ZerosumError(f"{algorithm.name} depends on the number of nodes touched: give nodes as well")
            if not sampled and self.has_limit and self.iterations is None:
                raise ZerosumError(f"{algorithm.name} depends on the number of iterations: give iterations as well")
        if self.iterations is not None:
            return int(self.iterations)
        return UNLIMITED if self.has_limit or sampled else DEFAULT_ITERATIONS

    def check_until(self, algorithm: Algorithm | None, rounding: float) -> None:
        """Refuse an exploitability that rounding may hide for ever, unless there is another limit.

        >>> Limits(until=1e-300).check_until(None, 1e-16)
        Traceback (most recent call last):
        zerosum.ZerosumError: an exploitability of 1e-300 may never be reached: give iterations or seconds as well ...
        """
        others = (self.iterations, self.seconds, self.nodes)
        exact = algorithm is not None and algorithm.exact
        if self.until is not None and self.until <= rounding and others == (None, None, None) and not exact:
            problem = f"an exploitability of {self.until:g} may never be reached"
            raise ZerosumError(f"{problem}: give iterations or seconds as well as until")

    def find_node_limit(self, algorithm: Algorithm) -> int | None:
        """Return the number of nodes touched at which a run ends, if any."""
        if self.nodes is not None:
            return int(self.nodes)
        return DEFAULT_NODES if algorithm.sampling is not None and not self.has_limit else None
