"""Estimating a spot whose deals are split over machines: memory per machine, bytes per iteration, time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zerosum.cluster.placement import WORKER_PROCESS_BYTES, MachinePool
from zerosum.holdem.engine.estimate import SpotEstimate
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_bytes

SECONDS_PER_MESSAGE = 2e-3
"""A request to a worker and its answer, measured by benchmarks/cluster.py."""
BYTES_PER_SECOND = 1e9 / 8
"""Speed of an ordinary network: 1 Gbit/s."""


@dataclass(frozen=True, kw_only=True)
class ClusterEstimate(SpotEstimate):
    """The size of a spot whose deals are split over machines."""

    machines: int
    machine_bytes: int
    """Memory of the worker that needs most."""
    wire_bytes: int
    """Bytes sent and received in an iteration, summed over all workers."""
    room: int
    """Memory that a worker may use."""
    needed: int | None
    """The smallest sufficient number of workers with that memory, if any number suffices."""

    def check(self) -> None:
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

    def memory_rows(self) -> dict[str, str]:
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

    def largest(workers: int) -> int:
        return fixed + shared * -(-cards // workers) // cards

    room = pool.machine_bytes // pool.workers_per_machine
    enough = next((count for count in range(1, cards + 1) if largest(count) <= room), None)
    share = -(-cards // pool.workers) / cards
    wire = _wire(whole, cards, pool.workers)
    seconds = whole.seconds * share + 4 * SECONDS_PER_MESSAGE + wire / BYTES_PER_SECOND
    fields = {name: getattr(whole, name) for name in whole.__dataclass_fields__}
    return ClusterEstimate(
        **{**fields, "seconds": seconds},
        machines=pool.workers,
        machine_bytes=largest(pool.workers),
        wire_bytes=wire,
        room=room,
        needed=enough,
    )


def _wire(whole: SpotEstimate, cards: int, workers: int) -> int:
    """Return the bytes sent: for each player the rows of the first street to each worker, those of each card back."""
    rows = sum(whole.counts.actions[3 - len(whole.boards)]) + 2
    return 4 * max(whole.hands) * (rows * workers + 2 * _dealt(whole) * cards)


def _dealt(whole: SpotEstimate) -> int:
    """The lines of the first street that a card follows."""
    return whole.counts.leaves[3 - len(whole.boards)].get("deal", 0)
