"""The machines and workers that a problem can be shared among, as its code sees them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits

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


class MachinePool(ABC):
    """Machines on which workers can be started."""

    workers: int
    """How many workers share the deals."""

    @property
    @abstractmethod
    def machine_bytes(self) -> int:
        """The memory that workers may take on each machine."""

    @property
    @abstractmethod
    def workers_per_machine(self) -> int:
        """How many workers a machine has, at most."""

    @abstractmethod
    def threads(self, requested: int | None) -> int:
        """Return how many threads a worker has; None requests all that fit."""

    @abstractmethod
    def start_workers(self, order: WorkOrder, shares: Sequence[Sequence[int]]) -> WorkerGroup:
        """Start a worker for each share of the deals."""
