"""A group of worker processes: start, call, restart those that are lost."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from zerosum.cluster.connection import list_nodes
from zerosum.cluster.ray_import import import_ray
from zerosum.cluster.versions import Versions, translate_error
from zerosum.cluster.worker import ResourceUsage, Worker
from zerosum.engine.public.distributed_solver import WorkerGroup, WorkerLostError
from zerosum.engine.public.staged_pass import DealValues
from zerosum.problems.machine_pool import WorkOrder
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_bytes

START_TIMEOUT = 120
"""Seconds within which a worker must get a machine."""
CHECK_SECONDS = 5
"""Seconds between two counts of the remaining machines while a worker waits for one."""
MAX_STARTS = 3
"""Attempts to start a worker that ends at once: Ray may place it on a machine that was lost a moment ago."""
MACHINE_ADDRESS = re.compile(r"\bip: (\S+)")
"""The address of a machine in Ray's message about a lost worker."""
MIN_SHARED_BYTES = 1 << 16
"""An argument of this size or more is stored once per machine, where all its workers can read it."""


MAX_INLINE_BYTES = 96 << 10
"""An answer up to this size returns with Ray's message. Ray stores anything larger than 100 KiB in shared memory, from
where fetching it takes longer."""
MAX_ANSWER_PARTS = 16
"""The largest number of parts of an answer; one that would need more comes in one part."""


def count_answer_parts(deals: int, size: int) -> int:
    """Return the number of parts of an answer about `deals` deals of `size` bytes each.

    >>> [count_answer_parts(*call) for call in ((18, 9396), (9, 9396), (4, MAX_INLINE_BYTES + 1), (400, 9396))]
    [2, 1, 1, 1]
    """
    together = MAX_INLINE_BYTES // size if size else deals
    pieces = -(-deals // together) if together else 1
    return pieces if 0 < pieces <= MAX_ANSWER_PARTS else 1


class RayWorkerGroup(WorkerGroup):
    """Workers on the machines of a cluster."""

    def __init__(self, order: WorkOrder, deals: Sequence[Sequence[int]], folder: str | None = None) -> None:
        """`folder` is where the run is saved: a place that all machines must see."""
        self.deals = deals
        self._ray = import_ray()
        self._order, self._folder = order, folder
        self._threads = order.limits.threads or 1
        self.workers: list[Any] = [None] * len(deals)
        self._begun = False
        try:
            self.replace_lost()
        except WorkerLostError as error:
            where = MACHINE_ADDRESS.search(str(error))
            raise ZerosumError(
                f"a worker{f' on {where[1]}' if where else ''} ended before it began: it may lack memory, or "
                "room on the disk of /tmp/ray; see the files in /tmp/ray/session_latest/logs there"
            ) from None
        self._begun = True

    @property
    def _cores(self) -> int:
        """What a worker asks for; none if machines were lost and those that are left have no core for each worker."""
        crowded = sum(node.cores // self._threads for node in list_nodes(self._ray)) < len(self.deals)
        return 0 if crowded else self._threads

    def _hire(self, number: int, cores: int) -> Any:
        """Start a worker, and return a reference that is ready once it runs."""
        actor = self._ray.remote(Worker).options(
            num_cpus=cores,
            memory=self._order.bytes,
            scheduling_strategy="SPREAD",
            max_restarts=0,
        )
        self.workers[number] = actor.remote(self._order, self.deals[number], self._folder)
        return self.workers[number].check.remote(Versions())

    def replace_lost(self) -> None:
        cores = self._cores
        missing = [number for number, worker in enumerate(self.workers) if not self._lives(worker)]
        tries = dict.fromkeys(missing, MAX_STARTS)
        awaited = {number: self._hire(number, cores) for number in missing}
        idle = 0
        try:
            while awaited:
                ready = self._ray.wait(list(awaited.values()), timeout=CHECK_SECONDS)[0]
                for number in [number for number, reference in awaited.items() if reference in ready]:
                    self._begin(number, awaited, tries)
                idle = 0 if ready else idle + 1
                if idle == START_TIMEOUT // CHECK_SECONDS:
                    self._collect(list(awaited.values()), 0)
                elif idle and cores > self._cores:  # too few machines are left: they share the cores of others
                    cores = 0
                    for number in awaited:
                        self._ray.kill(self.workers[number])
                        awaited[number] = self._hire(number, cores)
        finally:
            for number in awaited:  # they may wait for a machine still
                self._ray.kill(self.workers[number])
                self.workers[number] = None

    def _begin(self, number: int, awaited: dict[int, Any], tries: dict[int, int]) -> None:
        """A worker has begun; one that ended instead is hired again, while the others go on beginning."""
        try:
            self._collect([awaited[number]], 0)
            del awaited[number]
        except WorkerLostError:
            tries[number] -= 1
            if not tries[number]:
                raise
            awaited[number] = self._hire(number, self._cores)

    def _lives(self, worker: Any) -> bool:
        if worker is None:
            return False
        try:
            self._ray.get(worker.spent.remote())
        except self._ray.exceptions.RayActorError:
            return False
        return True

    def restart(self) -> None:
        self._collect([worker.begin.remote() for worker in self.workers])

    def call_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        put: dict[int, Any] = {}
        references = []
        for number, (method, *arguments) in calls.items():
            sent = [self._share_once(argument, put) for argument in arguments]
            references.append(self.workers[number].call.remote(method, *sent))
        return self._collect(references)

    def walk(self, size: int, *call: Any) -> list[DealValues]:
        put: dict[int, Any] = {}
        sent = [self._share_once(argument, put) for argument in call]
        references: list[Any] = []
        for worker, deals in zip(self.workers, self.deals, strict=True):
            pieces = count_answer_parts(len(deals), size)
            answer = worker.walk.options(num_returns=pieces).remote(pieces, *sent)
            references += [answer] if pieces == 1 else answer
        return self._collect(references)

    def spent(self) -> list[ResourceUsage]:
        """What each worker took for its answers so far."""
        return self._collect([worker.spent.remote() for worker in self.workers])

    def _share_once(self, argument: Any, put: dict[int, Any]) -> Any:
        """Return an argument as it is sent: a large one is stored once for all workers."""
        size = sum(getattr(part, "nbytes", 0) for part in argument) if isinstance(argument, tuple) else 0
        if size < MIN_SHARED_BYTES:
            return argument
        if id(argument) not in put:
            put[id(argument)] = self._ray.put(argument)
        return put[id(argument)]

    def _collect(self, references: list[Any], patience: float | None = None) -> list[Any]:
        errors = self._ray.exceptions
        try:
            return list(self._ray.get(references, timeout=patience))
        except errors.GetTimeoutError:
            size = format_bytes(self._order.bytes)
            if self._begun:
                raise ZerosumError(
                    f"no machine that is left had {size} free for a worker that was lost within {START_TIMEOUT} "
                    "seconds: add machines; a run that is saved goes on (zerosum resume, zerosum.resume)"
                ) from None
            raise ZerosumError(
                f"no machine of the cluster had {self._threads} free cores and {size} for a worker within "
                f"{START_TIMEOUT} seconds: ask for fewer machines or threads, or add machines"
            ) from None
        except (errors.RayActorError, errors.OutOfMemoryError, errors.ObjectLostError, errors.NodeDiedError) as error:
            if "No module named 'zerosum" in str(error):
                raise translate_error(self._ray, error) from None
            raise WorkerLostError(str(error)) from None
        except errors.RayError as error:
            raise translate_error(self._ray, error) from None
