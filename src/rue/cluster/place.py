"""Where a solve runs: the machines of a cluster, what each takes, and the crew that is hired there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rue.checked import check_whole
from rue.cluster.connect import Node, connect
from rue.cluster.knock import LOCAL
from rue.errors import RueError
from rue.problems.problem import Problem
from rue.problems.shared_estimate import Hire, Order
from rue.records import dataclass
from rue.runs.home import file_of

if TYPE_CHECKING:
    from rue.solvers.shared_solver import Crew


@dataclass(frozen=True)
class Cluster(Hire):
    """Hires workers on the machines of a Ray cluster."""

    nodes: tuple[Node, ...]
    workers: int
    folder: Path | None = None

    @property
    def node_bytes(self) -> int:
        return min(node.bytes for node in self.nodes)

    @property
    def workers_a_node(self) -> int:
        return -(-self.workers // len(self.nodes))

    def threads(self, wanted: int | None) -> int:
        return max(1, min(wanted or 10**6, min(node.cores for node in self.nodes) // self.workers_a_node))

    def crew(self, order: Order, shares: Sequence[Sequence[int]]) -> Crew:
        from rue.cluster.crew import RayCrew

        limits = replace(order.limits, threads=self.threads(order.limits.threads))
        folder = None if self.folder is None else str(self.folder.absolute())
        return RayCrew(replace(order, limits=limits), shares, folder)


def shared(problem: Problem, on: str | None, machines: int | None, out: str | Path | None = None) -> Problem:
    """A problem whose deals the machines of a cluster share; as it is, if no cluster is named."""
    if on is None:
        if machines is not None:
            raise RueError(f"machines are those of a cluster: say of which (--on {LOCAL}, on='{LOCAL}')")
        return problem
    check_whole("machines", machines, least=1)
    if out is not None and file_of(Path(out)) == Path(out):
        raise RueError(f"a run that machines share is saved in a folder, not in {out}")
    problem.check_shared()
    nodes = connect(on, machines)
    workers = machines if machines is not None else len(nodes)
    if workers > sum(node.cores for node in nodes):
        seen = ", ".join(f"{node.name} with {node.cores}" for node in nodes)
        raise RueError(
            f"{workers} workers need a core each, and the cluster has too few ({seen}): ask for fewer machines, or "
            "see by ray status whether all have joined"
        )
    return problem.shared(Cluster(tuple(nodes), workers, None if out is None else Path(out)))
