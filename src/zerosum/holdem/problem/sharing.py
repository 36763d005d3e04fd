"""Share the deals of a spot among machines: the order that workers get, and the solver that calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.cluster.placement import MachinePool, WorkOrder
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.limits import Limits
from zerosum.engine.public.deal_worker import DealWorker, partition_deals
from zerosum.engine.public.distributed_solver import DistributedSolver
from zerosum.holdem.engine.cluster_estimate import ClusterEstimate
from zerosum.holdem.problem.lock_set import read_saved_suits
from zerosum.problems.registry import find_problem_class

if TYPE_CHECKING:
    from zerosum.holdem.problem.problem import SpotProblem


@dataclass(frozen=True)
class SpotWorkOrder(WorkOrder):
    """The order for workers that share a spot: the spot as in saved runs, and the strategies of its locks."""

    spot: dict[str, Any]
    fixed: FixedDecisions

    def build_solver(self, deals: Sequence[int]) -> DealWorker:
        problem_class = find_problem_class(DealWorker.kind)
        assert problem_class is not None
        problem, limits = problem_class.codec().from_json(self.spot), self.limits
        if "suits" in self.spot:
            problem.locks.suits = read_saved_suits(self.spot)
        choices = {"threads": limits.threads, "dtype": problem.storage.dtype, "fixed": self.fixed}
        return DealWorker(problem.build_form(), self.algorithm, limits.find_horizon(self.algorithm), deals, **choices)


def start_shared_solver(
    problem: SpotProblem, pool: MachinePool, algorithm: Algorithm, limits: Limits
) -> DistributedSolver:
    """Start the workers of a run and return the solver that calls them."""
    tree, fixed = problem.build_form(), problem.fixed
    size = problem.estimate(algorithm, limits.threads)
    assert isinstance(size, ClusterEstimate)
    order = SpotWorkOrder(algorithm, limits, size.machine_bytes, problem.codec().to_json(problem), fixed)
    group = pool.start_workers(order, partition_deals(tree, pool.workers))
    horizon, dtype = limits.find_horizon(algorithm), problem.storage.dtype
    return DistributedSolver(tree, algorithm, horizon, group, threads=1, dtype=dtype, fixed=fixed)
