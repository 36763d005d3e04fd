"""What all sampled runs share: iterations counted in nodes touched, discounted when a period of them is over."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.checked import check_whole
from rue.errors import RueError
from rue.solvers.base import MOST, BaseSolver, State, fill
from rue.solvers.costs import A_NODE
from rue.solvers.limits import WITHOUT_END, Limits


class Periodic(BaseSolver):
    """A sampled run: its seed, its iterations and its periods. An iteration is a walk for each player.

    The limits of the run, without end by default, are what schedules refer to.
    """

    sampled = True
    node_seconds: ClassVar[float] = A_NODE
    """About how long a node takes."""
    seed: int
    tempered: ClassVar[bool] = False
    """Whether its walks know exponents and the opponent's plan before the last one."""

    def __init__(self, form: Any, algorithm: Algorithm, seed: int, limits: Limits | None) -> None:
        limits = limits or Limits(iterations=WITHOUT_END)
        super().__init__(form, algorithm, limits.horizon(algorithm) if algorithm.sampling else 0)
        if algorithm.sampling is None:
            raise RueError(f"{algorithm.name} walks every history: it has nothing to sample")
        if not self.tempered:
            algorithm.check_histories()
        check_whole("seed", seed, least=0)
        self.seed, self.threads = int(seed), limits.threads
        self.period = int(algorithm.sampling.period)
        self._periods = algorithm.sampling.count(limits.end(algorithm))
        self._ended = 0
        self.touched = np.zeros(1, np.int64)
        """How many nodes were touched, where the walks count them."""

    @property
    def nodes(self) -> int:
        """The nodes touched so far: every one that a walk entered, chance moves and ends included."""
        return int(self.touched[0])

    @property
    def worked(self) -> float:
        return self.node_seconds * self.nodes

    @abstractmethod
    def _sample(self, iterations: int, limit: int) -> int:
        """Go on for a number of iterations, or until the nodes touched reach a limit; returns the iterations made."""

    @abstractmethod
    def _discount(self, positive: float, negative: float, average: float) -> None:
        """Multiply positive regret, negative regret and the average."""

    def restore(self, state: State, iteration: int) -> None:
        fill(self.state(), state)
        self._resumed(iteration)

    def _resumed(self, iteration: int) -> None:
        """Go on after so many iterations, the nodes touched being those of a saved state."""
        self.iteration = iteration
        self._ended = self.nodes // self.period

    def _run(self, iterations: int, nodes: int | None) -> None:
        """Go on for a number of iterations, until so many nodes are touched in all, or while there is memory."""
        last = self.iteration + iterations
        end = MOST if nodes is None else nodes
        while self.iteration < last and self.nodes < end and not self.full:
            boundary = (self._ended + 1) * self.period
            self.iteration += self._sample(last - self.iteration, min(end, boundary))
            while self.nodes >= (self._ended + 1) * self.period:
                self._ended += 1
                factors = self.algorithm.after_period(self._ended, self._periods)
                if factors != (1.0, 1.0, 1.0):
                    self._discount(*factors)
