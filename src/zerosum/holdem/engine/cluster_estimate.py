"""Estimate a spot whose deals are split over machines: memory per machine, bytes per iteration, time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.cluster.placement import WORKER_PROCESS_BYTES, MachinePool
from zerosum.holdem.cards.cards import STREETS
from zerosum.holdem.engine.estimate import SpotEstimate
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_bytes

SECONDS_PER_MESSAGE = 2e-3
"""The time of a request to a worker and its answer, measured by benchmarks/cluster.py."""
BYTES_PER_SECOND = 1e9 / 8
"""Speed of an ordinary network: 1 Gbit/s."""


@dataclass(frozen=True, kw_only=True)
class ClusterEstimate(SpotEstimate):
    """The size of a spot whose deals are split over machines."""

    machines: int
    machine_bytes: int
    """Memory of the worker that needs the most."""
    wire_bytes: int
    """Bytes sent and received in an iteration, summed over all workers."""
    room: int
    """Memory that a worker may use."""
    needed: int | None
    """The smallest sufficient number of workers with that memory, if any number suffices."""

    def check_memory(self) -> None:
        if self.machine_bytes > self.room:
            remedy = (
                "no number of such machines suffices: the tables alone need more"
                if self.needed is None
                else f"{self.needed} such machines suffice"
            )
            raise ZerosumError(
                f"each of {self.machines} workers would need about {format_bytes(self.machine_bytes)} and has "
                f"{format_bytes(self.room)}: {remedy}"
            )

    def build_memory_rows(self) -> dict[str, str]:
        return {
            "memory": f"about {format_bytes(self.machine_bytes)} for each of {self.machines} workers",
            "messages": f"about {format_bytes(self.wire_bytes)} an iteration",
        }

    def content(self) -> dict[str, Any]:
        machines = {"machines": self.machines, "bytes_a_machine": self.machine_bytes}
        return {**super().content(), **machines, "bytes_sent_per_iteration": self.wire_bytes}


def estimate_on_cluster(whole: SpotEstimate, pool: MachinePool) -> ClusterEstimate:
    """Estimate what each worker needs for its part of a spot."""
    cards = whole.boards[1] if len(whole.boards) > 1 else 1
    fixed = WORKER_PROCESS_BYTES + whole.tables + whole.scratch
    shared = whole.store + 2 * whole.results  # the results of a share are copied, to be sent

    def worker_bytes(workers: int) -> int:
        return fixed + shared * -(-cards // workers) // cards

    room = pool.machine_bytes // pool.workers_per_machine
    # For each player each worker gets the rows of the first street, and sends back those of each card.
    first_street = len(STREETS) - len(whole.boards)
    rows = sum(whole.counts.actions[first_street]) + 2
    deals = whole.counts.leaves[first_street].get("deal", 0)
    wire = 4 * max(whole.hands) * (rows * pool.workers + 2 * deals * cards)
    share = -(-cards // pool.workers) / cards
    seconds = whole.seconds * share + 4 * SECONDS_PER_MESSAGE + wire / BYTES_PER_SECOND
    fields = {name: getattr(whole, name) for name in whole.__dataclass_fields__}
    return ClusterEstimate(
        **{**fields, "seconds": seconds},
        machines=pool.workers,
        machine_bytes=worker_bytes(pool.workers),
        wire_bytes=wire,
        room=room,
        needed=next((count for count in range(1, cards + 1) if worker_bytes(count) <= room), None),
    )
