"""The base classes of sampled runs: nodes touched as their clock, discounts after each period, a table of numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import RegretMatching
from zerosum.algorithms.sampling import OutcomeSampling, PublicChanceSampling
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.sampling.history_walk import SampledTable, SamplingScheme
from zerosum.engine.solver import MAX_COUNT, Arrays, BaseSolver, State, copy_arrays
from zerosum.engine.time_costs import SECONDS_PER_NODE
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError
from zerosum.support.splitmix import initial_state
from zerosum.support.validation import check_whole_number


class SampledSolver(BaseSolver):
    """A sampled run, whose iterations are a walk for each player. Discounts apply at the end of each period of nodes.

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
        super().__init__(form, algorithm, limits.find_horizon(algorithm) if algorithm.sampling else 0)
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
        """One number: the nodes touched so far, counted by the kernel."""

    @property
    def nodes(self) -> int:
        """The number of nodes that walks have entered so far, chance nodes and terminal nodes included."""
        return int(self.touched[0])

    @property
    def work_seconds(self) -> float:
        return self.node_seconds * self.nodes

    @abstractmethod
    def _run_walks(self, iterations: int, limit: int) -> int:
        """Run iterations until a limit of nodes is reached; return their number."""

    @abstractmethod
    def get_regrets_and_averages(self) -> Iterable[tuple[Any, Any]]:
        """Return the arrays of regrets and of averages, in pairs."""

    def restore(self, state: State, iteration: int) -> None:
        self._copy_state(state)
        self.iteration = iteration
        self._periods_ended = self.nodes // self.period

    def _copy_state(self, state: State) -> None:
        copy_arrays(self.state(), state)

    def _run(self, iterations: int, nodes: int | None) -> None:
        last = self.iteration + iterations
        end = MAX_COUNT if nodes is None else nodes
        while self.iteration < last and self.nodes < end and not self.is_full:
            boundary = (self._periods_ended + 1) * self.period
            self.iteration += self._run_walks(last - self.iteration, min(end, boundary))
            while self.nodes >= (self._periods_ended + 1) * self.period:
                self._periods_ended += 1
                self._discount()

    def _discount(self) -> None:
        """Multiply positive regret, negative regret and the average by the factors of the period that has ended."""
        positive, negative, average_factor = self.algorithm.period_factors(self._periods_ended, self._periods)
        if (positive, negative, average_factor) != (1.0, 1.0, 1.0):
            for regret, average in self.get_regrets_and_averages():
                regret *= np.where(regret > 0.0, positive, negative)
                average *= average_factor


class TableSolver(SampledSolver):
    """A sampled run whose walks are compiled and whose numbers are in one table."""

    table: SampledTable

    def __init__(self, form: Any, algorithm: Algorithm, seed: int, limits: Limits | None) -> None:
        super().__init__(form, algorithm, seed, limits)
        nodes = None if limits is None else limits.find_node_limit(algorithm)
        self._scheme, self._generator = make_sampling_scheme(algorithm, nodes), initial_state(self.seed)

    def _new_table(self, slots: int, start_seed: int | None = None) -> SampledTable:
        both_plans = slots if self._scheme.both_plans else 0
        return SampledTable(
            regret=np.zeros(slots) if start_seed is None else np.random.default_rng(start_seed).random(slots),
            average=np.zeros(slots),
            baseline=np.zeros(slots if self._scheme.step > 0 else 0),
            previous_regret=np.zeros(both_plans),
            changed_at=np.zeros(both_plans, np.int64),
        )

    def load_kernels(self) -> None:
        self._run_walks(0, 0)

    def get_regrets_and_averages(self) -> Iterable[tuple[Any, Any]]:
        return [(self.table.regret, self.table.average)]

    def state(self) -> Arrays:
        arrays = self.table._asdict()
        if not self._scheme.both_plans:
            del arrays["previous_regret"], arrays["changed_at"]
        return {**arrays, "generator": self._generator, "touched": self.touched}


def make_sampling_scheme(algorithm: Algorithm, nodes: float | None = None) -> SamplingScheme:
    """Return the choices of a sampled algorithm as numbers for kernels; refuse one that samples boards.

    `nodes` is the number touched when the run ends, which the exponent of temperature matching refers to.
    """
    sampling = algorithm.sampling
    assert sampling is not None
    if isinstance(sampling, PublicChanceSampling):
        name = algorithm.name
        raise ZerosumError(
            f"{name} samples boards, which a tree of histories does not have: use PokerBoardSampler or cs-cfr"
        )
    explore, step = 0.0, 0.0
    if isinstance(sampling, OutcomeSampling):
        explore, step = sampling.explore, sampling.baseline or 0.0
    assert isinstance(algorithm.match, RegretMatching)
    exponent = algorithm.match.exponent
    assert not callable(exponent)
    first, last = (exponent.first, exponent.last) if isinstance(exponent, Linear) else (exponent, exponent)
    return SamplingScheme(
        kind=sampling.code,
        floor=int(algorithm.accumulate.floor),
        explore=float(explore),
        step=float(step),
        both_plans=int(algorithm.both_plans),
        first_exponent=float(first),
        last_exponent=float(last),
        nodes=float(nodes or 1.0),
    )
