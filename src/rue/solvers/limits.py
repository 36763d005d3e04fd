"""When a run ends and what it may use: checked once, then passed through every kind of run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rue.checked import check_whole, is_number
from rue.errors import RueError
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm

DEFAULT_ITERATIONS = 1000
DEFAULT_NODES = 10**7
"""Nodes touched by a sampled run that nothing else ends: one period of the dcfr paper."""
WITHOUT_END = 10**12
"""Iterations of a run that a time, an exploitability or a number of nodes ends."""


@dataclass(frozen=True)
class Limits:
    """A run ends at the first of these that is given: a number of iterations, an exploitability, a time, a number of
    nodes touched. If nothing is given: 1000 iterations, or 1e7 nodes of a sampled run. `threads` is None for all cores.

    >>> Limits().horizon(), Limits(seconds=1).horizon() == WITHOUT_END
    (1000, True)
    """

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    threads: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for what in ("iterations", "threads", "nodes"):
            check_whole(what, getattr(self, what), least=1, floats=True)
        for what in ("until", "seconds"):
            limit = getattr(self, what)
            if limit is not None and not (is_number(limit) and math.isfinite(limit) and limit >= 0):
                raise RueError(f"{what} must be a number of at least 0, not {limit}")

    @property
    def given(self) -> bool:
        """Whether anything ends the run."""
        return any(limit is not None for limit in (self.iterations, self.until, self.seconds, self.nodes))

    def horizon(self, algorithm: Algorithm | None = None) -> int:
        """The number of iterations of a run, which schedules refer to; what needs one and has none is refused."""
        sampled = algorithm is not None and algorithm.sampling is not None
        self.check_until(algorithm, 0.0)
        if algorithm is not None and algorithm.needs_horizon:
            if sampled and self.end(algorithm) is None:
                raise RueError(f"{algorithm.name} depends on the number of nodes touched: give nodes as well")
            if not sampled and self.given and self.iterations is None:
                raise RueError(f"{algorithm.name} depends on the number of iterations: give iterations as well")
        if self.iterations is not None:
            return int(self.iterations)
        return WITHOUT_END if self.given or sampled else DEFAULT_ITERATIONS

    def check_until(self, algorithm: Algorithm | None, rounding: float) -> None:
        """Refuse an exploitability that rounding may hide for ever, where nothing else ends the run.

        >>> Limits(until=1e-300).check_until(None, 1e-16)
        Traceback (most recent call last):
        rue.errors.RueError: an exploitability of 1e-300 may never be reached: give iterations or seconds as well ...
        """
        others = (self.iterations, self.seconds, self.nodes)
        exact = algorithm is not None and algorithm.exact
        if self.until is not None and self.until <= rounding and others == (None, None, None) and not exact:
            what = f"an exploitability of {self.until:g} may never be reached"
            raise RueError(f"{what}: give iterations or seconds as well as until")

    def end(self, algorithm: Algorithm) -> int | None:
        """The number of nodes touched at which a run ends, if any."""
        if self.nodes is not None:
            return int(self.nodes)
        return DEFAULT_NODES if algorithm.sampling is not None and not self.given else None
