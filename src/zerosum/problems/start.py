"""Where a run starts: seeds, or a strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.algorithms.algorithm import Algorithm
from zerosum.problems.options import Fill, StartOptions
from zerosum.results.result import Result
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name

if TYPE_CHECKING:
    from zerosum.results.strategy import Strategy


@dataclass(frozen=True)
class Start:
    """The seed of a run's draws, and the seed of random initial regrets, if they are not to be zero.

    `strategy` is a strategy to start from, `fill` completes it, and `weight` says how far it is trusted; see
    `zerosum.engine.initial_regret`.
    """

    seed: int | None = None
    start_seed: int | None = None
    strategy: Strategy | Result | None = None
    weight: float = 1.0
    fill: Fill | None = None

    def __post_init__(self) -> None:
        check_options(StartOptions, {"seed": self.seed, "start_seed": self.start_seed, "fill": self.fill})

    def check_algorithm(self, algorithm: Algorithm) -> None:
        """Raise an error for a seed or a strategy that the algorithm would not use."""
        if self.strategy is not None:
            from zerosum.engine.initial_regret import check_can_start, check_start_weight

            check_start_weight(self.weight)
            check_can_start(algorithm)
            if self.start_seed is not None:
                raise ZerosumError("a run starts from random regrets or from a strategy, not from both")
        if self.seed is not None and algorithm.sampling is None:
            raise ZerosumError(
                f"{algorithm.name} does not sample, so it has no use for a seed: choose an algorithm that samples, "
                f"like mccfr, or start from random regrets ({option_name('start_seed')})"
            )

    def describe_strategy(self) -> str | None:
        """Return the source and the weight of the strategy as text; None if there is no strategy."""
        if self.strategy is None:
            return None
        from zerosum.results.strategy import Strategy

        source = self.strategy.source if isinstance(self.strategy, Strategy) else self.strategy.game
        return f"{source}, weight {self.weight:g}"
