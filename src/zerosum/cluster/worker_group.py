"""Worker processes that hold the deals of a spot: start and call them, and replace those that are lost."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.cluster.connection import import_ray, list_nodes
from zerosum.cluster.versions import Versions, name_machine_in_errors, translate_error
from zerosum.engine.public.distributed_solver import WorkerGroup, WorkerLostError
from zerosum.engine.public.staged_pass import DealValues
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_bytes

if TYPE_CHECKING:
    from zerosum.cluster.placement import WorkOrder

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


class ResourceUsage(NamedTuple):
    """Wall and processor seconds spent on answers, and the peak memory of the process.

    Memory that is shared with others is not counted: the objects that Ray stores for all processes of a machine.
    """

    seconds: float
    processor: float
    bytes: int


class Worker:
    """A process of Ray that holds some deals of a spot and passes calls on to its `DealWorker`."""

    def __init__(self, order: WorkOrder, deals: Sequence[int], folder: str | None) -> None:
        """`folder` is where the run is saved."""
        self._order, self._deals, self._folder = order, deals, folder
        self._solver: Any = None
        self._usage = ResourceUsage(0.0, 0.0, 0)

    def check_caller(self, caller: Versions) -> None:
        """Refuse to work for another version of zerosum, or where the run cannot be saved."""
        caller.check_same_versions()
        if self._folder is not None and not os.path.isdir(self._folder):
            raise ZerosumError(
                f"{platform.node()} does not see {self._folder}: save a run that machines share in a folder that all "
                "of them see"
            )

    def restart(self) -> None:
        """Build the solver as it is at the beginning of a run."""
        with name_machine_in_errors():
            self._solver = self._order.build_solver(self._deals)

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the solver."""
        if self._solver is None:
            self.restart()
        start, processor_start, shared = time.perf_counter(), time.process_time(), _read_process_memory("RssShmem")
        with name_machine_in_errors():
            answer = getattr(self._solver, method)(*arguments)
        self._usage = ResourceUsage(
            self._usage.seconds + time.perf_counter() - start,
            self._usage.processor + time.process_time() - processor_start,
            max(self._usage.bytes, _read_process_memory("VmHWM") - shared),
        )
        return answer

    def walk(self, parts: int, *call: Any) -> Any:
        """Make a call that walks the deals, and return its values in `parts` parts."""
        values = self.call(*call)
        return values if parts == 1 else tuple(values.split(parts))

    def resource_usage(self) -> ResourceUsage:
        """Return the resources that the calls have used so far."""
        return self._usage


def _read_process_memory(kind: str) -> int:
    """Return an amount of memory of this process by its name in Linux; 0 on other systems."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{kind}:"):
                return 1024 * int(line.split()[1])
    return 0


def count_answer_parts(deals: int, size: int) -> int:
    """Return the number of parts of an answer about `deals` deals of `size` bytes each.

    >>> [count_answer_parts(*call) for call in ((18, 9396), (9, 9396), (4, MAX_INLINE_BYTES + 1), (400, 9396))]
    [2, 1, 1, 1]
    """
    deals_per_part = MAX_INLINE_BYTES // size if size else deals
    parts = -(-deals // deals_per_part) if deals_per_part else 1
    return parts if 0 < parts <= MAX_ANSWER_PARTS else 1


class RayWorkerGroup(WorkerGroup):
    """Workers on the machines of a cluster."""

    def __init__(self, order: WorkOrder, deals: Sequence[Sequence[int]], folder: str | None = None) -> None:
        """`folder` is where the run is saved: a place that all machines must see."""
        self.deals = deals
        self._ray = import_ray()
        self._order, self._folder = order, folder
        self._threads = order.limits.threads or 1
        self.workers: list[Any] = [None] * len(deals)
        self._has_started = False
        try:
            self.replace_lost()
        except WorkerLostError as error:
            machine = MACHINE_ADDRESS.search(str(error))
            raise ZerosumError(
                f"a worker{f' on {machine[1]}' if machine else ''} ended before it began: it may lack memory, or "
                "room on the disk of /tmp/ray; see the files in /tmp/ray/session_latest/logs there"
            ) from None
        self._has_started = True

    @property
    def _cores_per_worker(self) -> int:
        """The cores that a worker requests: none if the machines that are left have too few for all workers."""
        fitting_workers = sum(node.cores // self._threads for node in list_nodes(self._ray))
        return self._threads if fitting_workers >= len(self.deals) else 0

    def _start_worker(self, number: int, cores: int) -> Any:
        """Start a worker, and return a reference that is ready once it runs."""
        actor = self._ray.remote(Worker).options(
            num_cpus=cores,
            memory=self._order.bytes,
            scheduling_strategy="SPREAD",
            max_restarts=0,
        )
        self.workers[number] = actor.remote(self._order, self.deals[number], self._folder)
        return self.workers[number].check_caller.remote(Versions())

    def replace_lost(self) -> None:
        cores = self._cores_per_worker
        missing = [number for number, worker in enumerate(self.workers) if not self._is_alive(worker)]
        starts_left = dict.fromkeys(missing, MAX_STARTS)
        awaited = {number: self._start_worker(number, cores) for number in missing}
        idle = 0
        try:
            while awaited:
                ready = self._ray.wait(list(awaited.values()), timeout=CHECK_SECONDS)[0]
                for number in [number for number, reference in awaited.items() if reference in ready]:
                    try:
                        self._collect([awaited[number]], 0)
                        del awaited[number]
                    except WorkerLostError:  # it is started again, while the others go on starting
                        starts_left[number] -= 1
                        if not starts_left[number]:
                            raise
                        awaited[number] = self._start_worker(number, self._cores_per_worker)
                idle = 0 if ready else idle + 1
                if idle == START_TIMEOUT // CHECK_SECONDS:
                    self._collect(list(awaited.values()), 0)
                elif idle and cores > self._cores_per_worker:  # too few machines are left: workers share their cores
                    cores = 0
                    for number in awaited:
                        self._ray.kill(self.workers[number])
                        awaited[number] = self._start_worker(number, cores)
        finally:
            for number in awaited:  # they may wait for a machine still
                self._ray.kill(self.workers[number])
                self.workers[number] = None

    def _is_alive(self, worker: Any) -> bool:
        if worker is None:
            return False
        try:
            self._ray.get(worker.resource_usage.remote())
        except self._ray.exceptions.RayActorError:
            return False
        return True

    def restart(self) -> None:
        self._collect([worker.restart.remote() for worker in self.workers])

    def call_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        stored: dict[int, Any] = {}
        references = []
        for number, (method, *arguments) in calls.items():
            sent = [self._store_once(argument, stored) for argument in arguments]
            references.append(self.workers[number].call.remote(method, *sent))
        return self._collect(references)

    def walk(self, size: int, *call: Any) -> list[DealValues]:
        stored: dict[int, Any] = {}
        sent = [self._store_once(argument, stored) for argument in call]
        references: list[Any] = []
        for worker, deals in zip(self.workers, self.deals, strict=True):
            parts = count_answer_parts(len(deals), size)
            answer = worker.walk.options(num_returns=parts).remote(parts, *sent)
            references += [answer] if parts == 1 else answer
        return self._collect(references)

    def resource_usage(self) -> list[ResourceUsage]:
        """Return the resources that each worker has used for its answers so far."""
        return self._collect([worker.resource_usage.remote() for worker in self.workers])

    def _store_once(self, argument: Any, stored: dict[int, Any]) -> Any:
        """Return an argument as it is sent: a large one is stored once for all workers, and sent as a reference."""
        size = sum(getattr(part, "nbytes", 0) for part in argument) if isinstance(argument, tuple) else 0
        if size < MIN_SHARED_BYTES:
            return argument
        if id(argument) not in stored:
            stored[id(argument)] = self._ray.put(argument)
        return stored[id(argument)]

    def _collect(self, references: list[Any], timeout: float | None = None) -> list[Any]:
        """Return the results of calls; raise `WorkerLostError` if a worker is lost."""
        errors = self._ray.exceptions
        try:
            return list(self._ray.get(references, timeout=timeout))
        except errors.GetTimeoutError:
            size = format_bytes(self._order.bytes)
            if self._has_started:
                raise ZerosumError(
                    f"no machine that is left had {size} free for a worker that was lost within {START_TIMEOUT} "
                    "seconds: add machines; a saved run can be continued (zerosum resume, zerosum.resume)"
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
