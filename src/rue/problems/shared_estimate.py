"""What a spot takes that machines share: memory a machine, bytes an iteration, time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.lines import Given
from rue.problems.spot_estimate import SpotEstimate
from rue.records import dataclass
from rue.solvers.limits import Limits
from rue.words import readable

if TYPE_CHECKING:
    from rue.solvers.shared_solver import Crew

SECONDS_A_MESSAGE = 2e-3
"""To ask a worker and hear from it, by benchmarks/cluster.py."""
BYTES_A_SECOND = 1e9 / 8
"""Of a network that is not fast: 1 Gbit/s."""
PROCESS = 232 << 20
"""Bytes of a worker's process before it holds anything: Python with numpy, Ray and the loaded kernels."""


@dataclass(frozen=True)
class Order:
    """What all workers need to know: a spot as data, the algorithm, the limits of the run, the bytes each may take,
    the strategies of locks."""

    spot: dict[str, Any]
    algorithm: Algorithm
    limits: Limits
    bytes: int
    given: Given


class Hire(ABC):
    """Machines that workers can be hired on."""

    workers: int

    @property
    @abstractmethod
    def node_bytes(self) -> int:
        """The memory that workers may take on each machine."""

    @property
    @abstractmethod
    def workers_a_node(self) -> int:
        """How many workers a machine has, at most."""

    @abstractmethod
    def threads(self, wanted: int | None) -> int:
        """The threads of a worker."""

    @abstractmethod
    def crew(self, order: Order, shares: Sequence[Sequence[int]]) -> Crew:
        """Workers for a spot, each for a share of its deals."""


@dataclass(frozen=True, kw_only=True)
class SharedEstimate(SpotEstimate):
    """The size of a spot whose deals machines share."""

    machines: int
    machine_bytes: int
    """What the worker with most takes."""
    wire_bytes: int
    """What is sent and comes back in an iteration, all workers together."""
    room: int
    """What a worker may take."""
    needed: int | None
    """The fewest workers with such room that would do, if any number does."""

    def check(self) -> None:
        if self.machine_bytes > self.room:
            way = (
                "no number of machines like these would do: the tables alone need more"
                if self.needed is None
                else f"{self.needed} machines like these would do"
            )
            raise RueError(
                f"each of {self.machines} workers would need about {readable(self.machine_bytes)} and has "
                f"{readable(self.room)}: {way}"
            )

    def content(self) -> dict[str, Any]:
        told = {"machines": self.machines, "bytes_a_machine": self.machine_bytes}
        return {**super().content(), **told, "bytes_sent_per_iteration": self.wire_bytes}


def share_estimate(whole: SpotEstimate, hire: Hire) -> SharedEstimate:
    """What each of some workers would take of a spot."""
    cards = whole.boards[1] if len(whole.boards) > 1 else 1
    fixed = PROCESS + whole.tables + whole.scratch
    shared = whole.store + 2 * whole.results  # the results of a share are copied, to be sent

    def largest(workers: int) -> int:
        return fixed + shared * -(-cards // workers) // cards

    room = hire.node_bytes // hire.workers_a_node
    enough = next((count for count in range(1, cards + 1) if largest(count) <= room), None)
    share = -(-cards // hire.workers) / cards
    wire = _wire(whole, cards, hire.workers)
    seconds = whole.seconds * share + 4 * SECONDS_A_MESSAGE + wire / BYTES_A_SECOND
    fields = {name: getattr(whole, name) for name in whole.__dataclass_fields__}
    return SharedEstimate(
        **{**fields, "seconds": seconds},
        machines=hire.workers,
        machine_bytes=largest(hire.workers),
        wire_bytes=wire,
        room=room,
        needed=enough,
    )


def _wire(whole: SpotEstimate, cards: int, workers: int) -> int:
    """For each player the rows of the first street to each worker, and those that a card follows back for each card."""
    rows = sum(whole.counts.actions[3 - len(whole.boards)]) + 2
    return 4 * max(whole.hands) * (rows * workers + 2 * _dealt(whole) * cards)


def _dealt(whole: SpotEstimate) -> int:
    """The lines of the first street that a card follows."""
    return whole.counts.leaves[3 - len(whole.boards)].get("deal", 0)
