"""Where a run starts: seeds, or a strategy."""

from __future__ import annotations

from rue.algorithms.algorithm import Algorithm
from rue.checked import check_whole
from rue.errors import RueError
from rue.problems.fit import Fill, check_fill
from rue.records import dataclass
from rue.results.result import Result
from rue.results.strategy import Strategy
from rue.solvers.starts import WEIGHT, check_startable, check_weight


@dataclass(frozen=True)
class Start:
    """The seed of a run's draws, and that of random first regrets, if they are not to be zero.

    `strategy` is a strategy to start from instead, `fill` what completes it and `weight` how far it is trusted; see
    `rue.solvers.starts`.
    """

    seed: int | None = None
    start_seed: int | None = None
    strategy: Strategy | Result | None = None
    weight: float = WEIGHT
    fill: Fill | None = None

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, least=0)
        check_whole("start_seed", self.start_seed, least=0)

    def check(self, algorithm: Algorithm) -> None:
        """Refuse a seed or a strategy that nothing would use."""
        check_weight(self.weight)
        check_fill(self.fill)
        if self.strategy is not None:
            check_startable(algorithm)
            if self.start_seed is not None:
                raise RueError("a run starts from random regrets or from a strategy, not from both")
        if self.seed is not None and algorithm.sampling is None:
            raise RueError(
                f"{algorithm.name} draws nothing: a seed goes with an algorithm that samples, like mccfr; "
                "a start seed (--start-seed, start_seed=) begins from random regrets"
            )

    def told(self) -> str | None:
        """The strategy in words, if there is one."""
        if self.strategy is None:
            return None
        source = self.strategy.source if isinstance(self.strategy, Strategy) else self.strategy.game
        return f"{source}, weight {self.weight:g}"
