"""The part of a problem that evaluates strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from zerosum.engine.limits import Limits
from zerosum.problems.options import Fill, StartOptions
from zerosum.results.exploitability import ExploitReport, HeadToHead
from zerosum.results.strategy import StrategySource
from zerosum.support.options import check_options
from zerosum.support.validation import check_whole_number


@dataclass(frozen=True)
class EvaluationOptions:
    """How a strategy is evaluated: how it is completed, how many losses are listed, how many threads are used."""

    fill: Fill | None = None
    worst: int = 10
    threads: int | None = None

    def __post_init__(self) -> None:
        check_options(StartOptions, {"fill": self.fill})
        Limits(threads=self.threads)
        check_whole_number("worst", self.worst, least=0)


class StrategyEvaluation(ABC):
    """The evaluation of strategies on a problem, with its locks in force."""

    @abstractmethod
    def check_can_evaluate(self, strategy: StrategySource, options: EvaluationOptions) -> None:
        """Raise an error if a strategy cannot be evaluated on the problem; nothing is built."""

    @abstractmethod
    def exploit(self, strategy: StrategySource, options: EvaluationOptions) -> ExploitReport:
        """Return the value of a strategy, the gains of best responses to it, and its largest losses."""

    @abstractmethod
    def head_to_head(self, strategy: StrategySource, against: StrategySource, options: EvaluationOptions) -> HeadToHead:
        """Return the winnings of a strategy against another in each seat."""
