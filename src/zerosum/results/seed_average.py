"""What many seeds of a sampled run came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.results.curve import MeanPoint
from zerosum.results.result import Numbers

if TYPE_CHECKING:
    from zerosum.results.blocks import Block
    from zerosum.results.strategy_view import Look


@dataclass(frozen=True, kw_only=True, repr=False)
class SeedAverage(Numbers):
    """The mean of many seeds of one sampled run; see `repeat`. Each number is the mean over the seeds.

    >>> import zerosum
    >>> runs = zerosum.repeat("kuhn", "mccfr", seeds=[3, 5], iterations=100)
    >>> runs.seeds, runs.exploitability == sum(runs.reached) / 2
    ((3, 5), True)
    """

    nodes: int
    seeds: tuple[int, ...]
    low: float
    """The mean exploitability lies between low and high with 95% confidence (Student's t)."""
    high: float
    reached: tuple[float, ...]
    """The exploitability of each seed."""
    curve: tuple[MeanPoint, ...]

    @property
    def title(self) -> str:
        count = len(self.seeds)
        return f"{super().title}, {f'mean of {count} seeds' if count > 1 else f'seed {self.seeds[0]}'}"

    def summary_blocks(self, look: Look) -> list[Block]:
        from zerosum.results.result_blocks import seeds_summary

        return seeds_summary(self)
