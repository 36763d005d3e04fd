"""The machines that share the deals of one problem, and what their workers get to know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.algorithms.algorithm import Algorithm
from zerosum.cluster.connection import Node, connect
from zerosum.engine.limits import Limits
from zerosum.problems.problem import Problem
from zerosum.runs.run_location import locate_run_file
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_whole_number

if TYPE_CHECKING:
    from zerosum.engine.public.deal_worker import DealWorker
    from zerosum.engine.public.distributed_solver import WorkerGroup

WORKER_PROCESS_BYTES = 232 << 20
"""Memory of a worker's process before it holds anything: Python with numpy, Ray and the loaded kernels."""


@dataclass(frozen=True)
class WorkOrder(ABC):
    """The settings of a run that every worker needs. It is sent to other machines, so it holds data only.

    `limits` are those of the run, `bytes` is the memory that each worker may take.
    """

    algorithm: Algorithm
    limits: Limits
    bytes: int

    @abstractmethod
    def build_solver(self, deals: Sequence[int]) -> DealWorker:
        """Build the solver of a worker that holds some of the deals."""


@dataclass(frozen=True)
class MachinePool:
    """The machines of a Ray cluster, and how many workers share the deals; `folder` is where the run is saved."""

    nodes: tuple[Node, ...]
    workers: int
    folder: Path | None = None

    @property
    def machine_bytes(self) -> int:
        """The memory that workers may take on each machine."""
        return min(node.bytes for node in self.nodes)

    @property
    def workers_per_machine(self) -> int:
        """The largest number of workers on a machine."""
        return -(-self.workers // len(self.nodes))

    def count_threads(self, requested: int | None) -> int:
        """Return the number of threads of a worker; None requests all that fit."""
        fitting = min(node.cores for node in self.nodes) // self.workers_per_machine
        return max(1, fitting if requested is None else min(requested, fitting))

    def start_workers(self, order: WorkOrder, shares: Sequence[Sequence[int]]) -> WorkerGroup:
        """Start a worker for each share of the deals."""
        from zerosum.cluster.worker_group import RayWorkerGroup

        limits = replace(order.limits, threads=self.count_threads(order.limits.threads))
        folder = None if self.folder is None else str(self.folder.absolute())
        return RayWorkerGroup(replace(order, limits=limits), shares, folder)


def share_among_machines(
    problem: Problem, address: str, machines: int | None, out: str | Path | None = None
) -> Problem:
    """Return a problem whose deals are shared among workers on a cluster."""
    check_whole_number("machines", machines, least=1)
    if out is not None and locate_run_file(Path(out)) == Path(out):
        raise ZerosumError(f"a run that machines share is saved in a folder, not in {out}: name a folder")
    problem.check_can_be_shared()
    nodes = connect(address, machines)
    workers = machines if machines is not None else len(nodes)
    if workers > sum(node.cores for node in nodes):
        listed = ", ".join(f"{node.name} with {node.cores}" for node in nodes)
        raise ZerosumError(
            f"{workers} workers need a core each, and the cluster has too few ({listed}): ask for fewer machines, or "
            "check with ray status whether all have joined"
        )
    return problem.share_among(MachinePool(tuple(nodes), workers, None if out is None else Path(out)))
