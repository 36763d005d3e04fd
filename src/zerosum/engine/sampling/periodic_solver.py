"""The base class of sampled runs: nodes touched as their clock, and discounts after each period."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.solver import MAX_COUNT, BaseSolver, State, copy_arrays
from zerosum.engine.time_costs import SECONDS_PER_NODE
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_whole_number


class PeriodicSolver(BaseSolver):
    """A sampled run: its seed, its iterations and its periods. An iteration is a walk for each player.

    Schedules refer to the limits of the run, which are unlimited by default.
    """

    sampled = True
    node_seconds: ClassVar[float] = SECONDS_PER_NODE
    """The estimated seconds of a node."""
    seed: int
    supports_exponents: ClassVar[bool] = False
    """Whether walks support the exponents of temperature matching and the opponent's previous plan."""

    def __init__(self, form: Any, algorithm: Algorithm, seed: int, limits: Limits | None) -> None:
        limits = limits or Limits(iterations=UNLIMITED)
        super().__init__(form, algorithm, limits.horizon(algorithm) if algorithm.sampling else 0)
        if algorithm.sampling is None:
            raise ZerosumError(f"{algorithm.name} walks every history: use an algorithm that samples, like mccfr")
        if not self.supports_exponents:
            algorithm.check_without_enumeration()
        check_whole_number("seed", seed, least=0)
        self.seed, self.threads = int(seed), limits.threads
        self.period = int(algorithm.sampling.period)
        self._periods = algorithm.sampling.n_periods(limits.find_node_limit(algorithm))
        self._periods_ended = 0
        self.touched = np.zeros(1, np.int64)
        """One number: the nodes touched so far, where the kernel counts them."""

    @property
    def nodes(self) -> int:
        """The nodes touched so far: all that walks have entered, chance nodes and terminal nodes included."""
        return int(self.touched[0])

    @property
    def work_seconds(self) -> float:
        return self.node_seconds * self.nodes

    @abstractmethod
    def _run_walks(self, iterations: int, limit: int) -> int:
        """Do iterations until a limit of nodes is reached; return their number."""

    @abstractmethod
    def learned(self) -> Iterable[tuple[Any, Any]]:
        """Return the arrays of regrets and of averages, in pairs."""

    def _discount(self, positive: float, negative: float, average: float) -> None:
        """Multiply positive regret, negative regret and the average by their factors."""
        for regret, mass in self.learned():
            regret *= np.where(regret > 0.0, positive, negative)
            mass *= average

    def restore(self, state: State, iteration: int) -> None:
        copy_arrays(self.state(), state)
        self._set_progress(iteration)

    def _set_progress(self, iteration: int) -> None:
        """Continue after a number of iterations, from the nodes touched in a saved state."""
        self.iteration = iteration
        self._periods_ended = self.nodes // self.period

    def _run(self, iterations: int, nodes: int | None) -> None:
        """Do iterations until their number, the total number of nodes or the memory is used up."""
        last = self.iteration + iterations
        end = MAX_COUNT if nodes is None else nodes
        while self.iteration < last and self.nodes < end and not self.is_full:
            boundary = (self._periods_ended + 1) * self.period
            self.iteration += self._run_walks(last - self.iteration, min(end, boundary))
            while self.nodes >= (self._periods_ended + 1) * self.period:
                self._periods_ended += 1
                factors = self.algorithm.period_factors(self._periods_ended, self._periods)
                if factors != (1.0, 1.0, 1.0):
                    self._discount(*factors)
