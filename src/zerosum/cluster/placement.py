"""Where a solve runs: the machines of a cluster and the workers that are started there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.cluster.address_check import LOCAL
from zerosum.cluster.connection import Node, connect
from zerosum.problems.machine_pool import MachinePool, WorkOrder
from zerosum.problems.problem import Problem
from zerosum.runs.run_location import run_file
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import check_whole

if TYPE_CHECKING:
    from zerosum.engine.public.distributed_solver import WorkerGroup


@dataclass(frozen=True)
class ClusterPlacement(MachinePool):
    """Starts workers on the machines of a Ray cluster."""

    nodes: tuple[Node, ...]
    workers: int
    folder: Path | None = None

    @property
    def machine_bytes(self) -> int:
        return min(node.bytes for node in self.nodes)

    @property
    def workers_per_machine(self) -> int:
        return -(-self.workers // len(self.nodes))

    def threads(self, requested: int | None) -> int:
        return max(1, min(requested or 10**6, min(node.cores for node in self.nodes) // self.workers_per_machine))

    def start_workers(self, order: WorkOrder, shares: Sequence[Sequence[int]]) -> WorkerGroup:
        from zerosum.cluster.worker_group import RayWorkerGroup

        limits = replace(order.limits, threads=self.threads(order.limits.threads))
        folder = None if self.folder is None else str(self.folder.absolute())
        return RayWorkerGroup(replace(order, limits=limits), shares, folder)


def share_among_machines(
    problem: Problem, on: str | None, machines: int | None, out: str | Path | None = None
) -> Problem:
    """A problem whose deals the machines of a cluster share; as it is, if no cluster is named."""
    if on is None:
        if machines is not None:
            raise ZerosumError(f"machines are those of a cluster: say of which ({option_name('on', LOCAL)})")
        return problem
    check_whole("machines", machines, least=1)
    if out is not None and run_file(Path(out)) == Path(out):
        raise ZerosumError(f"a run that machines share is saved in a folder, not in {out}")
    problem.check_shared()
    nodes = connect(on, machines)
    workers = machines if machines is not None else len(nodes)
    if workers > sum(node.cores for node in nodes):
        seen = ", ".join(f"{node.name} with {node.cores}" for node in nodes)
        raise ZerosumError(
            f"{workers} workers need a core each, and the cluster has too few ({seen}): ask for fewer machines, or "
            "see by ray status whether all have joined"
        )
    return problem.shared(ClusterPlacement(tuple(nodes), workers, None if out is None else Path(out)))
