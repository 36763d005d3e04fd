"""Run jobs on a Ray cluster, behind the interface of `concurrent.futures`.

A job whose worker is lost is started again elsewhere. Ray knows the cores and the bytes of each job, so that no machine
is overfilled.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zerosum.cluster.connection import Node, connect, import_ray
from zerosum.cluster.placement import WORKER_PROCESS_BYTES
from zerosum.cluster.versions import Versions, name_machine_in_errors, translate_error
from zerosum.jobs.job import JobContext, StopFlag
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_bytes

MAX_RETRIES = 20
"""How often a job is started again after its worker was lost."""
MEMORY_STEP = 64 << 20
"""The memory of a job is rounded up to a multiple of this: Ray reuses a worker for jobs that take the same."""
POLL_SECONDS = 0.5
"""Seconds between two queries where the jobs run."""


class JobLocations:
    """Where jobs run: an actor to which every worker that starts one writes the name of its machine."""

    def __init__(self) -> None:
        self._machines: dict[int, str] = {}

    def record(self, number: int, machine: str) -> None:
        self._machines[number] = machine

    def machines(self) -> dict[int, str]:
        """Return the machine of every job that has started."""
        return self._machines


class RayFuture(Future[Any]):
    """The future result of a job on a cluster."""

    def __init__(self, executor: RayExecutor, number: int, reference: Any) -> None:
        super().__init__()
        self._executor, self._number, self._reference = executor, number, reference
        reference.future().add_done_callback(self._copy_outcome)

    @property
    def machine(self) -> str | None:
        """The machine that runs the job; None while it waits for one."""
        return self._executor.machines_by_job().get(self._number)

    def cancel(self) -> bool:
        """End the job, wherever it runs."""
        if not self.done() and super().cancel():
            self.set_running_or_notify_cancel()
            with suppress(Exception):
                self._executor.ray.cancel(self._reference, force=True)
        return self.cancelled()

    def _copy_outcome(self, future: Future[Any]) -> None:
        error = future.exception()
        with suppress(InvalidStateError):
            if error is None:
                self.set_result(future.result())
            else:
                self.set_exception(translate_error(self._executor.ray, error))


class RayExecutor(Executor):
    """Runs jobs on a cluster: `zerosum.sweep(..., executor=RayExecutor("auto"))`."""

    def __init__(self, address: str) -> None:
        self.nodes: list[Node] = connect(address)
        self.ray = import_ray()
        self._locations = self.ray.remote(JobLocations).options(num_cpus=0, max_restarts=-1).remote()
        self._machines: dict[int, str] = {}
        self._query: Any = None
        self._next_query = 0.0
        self._count = 0

    @property
    def cores(self) -> int:
        """The cores of all machines."""
        return sum(node.cores for node in self.nodes)

    @property
    def most_threads(self) -> int:
        """The cores of the machine that has most."""
        return max(node.cores for node in self.nodes)

    def machines_by_job(self) -> dict[int, str]:
        """Return the machines of jobs by their numbers, as of the last query."""
        now = time.monotonic()
        if self._query is None and now >= self._next_query:
            self._query, self._next_query = self._locations.machines.remote(), now + POLL_SECONDS
        if self._query is not None and self.ray.wait([self._query], timeout=0)[0]:
            with suppress(self.ray.exceptions.RayError):
                self._machines = self.ray.get(self._query)
            self._query = None
        return self._machines

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Run a function on the cluster: on a machine with the `bytes` of its first argument, if that has any, and with
        the threads of its second argument, if that is a `JobContext`."""
        job, context = [*arguments, None, None][:2]
        size = (getattr(job, "bytes", None) or 0) + WORKER_PROCESS_BYTES
        large_enough = [node for node in self.nodes if node.bytes >= size]
        if not large_enough:
            refused: Future[Any] = Future()
            need, limit = format_bytes(size), format_bytes(max(node.bytes for node in self.nodes))
            refused.set_exception(
                ZerosumError(f"it would need about {need}, and no machine of the cluster has more than {limit}")
            )
            return refused
        node = max(large_enough, key=lambda node: (node.cores, node.bytes))
        threads = 1
        if isinstance(context, JobContext):
            threads = min(context.threads, node.cores)
            arguments = (job, replace(context, threads=threads, stop=StopFlag()), *arguments[2:])  # Ray cancels jobs
        resources = {"num_cpus": threads, "memory": min(node.bytes, -(-size // MEMORY_STEP) * MEMORY_STEP)}
        self._count += 1
        remote = self.ray.remote(_run_on_machine).options(max_retries=MAX_RETRIES, retry_exceptions=False, **resources)
        reference = remote.remote(Versions(), self._locations, self._count, work, arguments, named)
        return RayFuture(self, self._count, reference)


def _run_on_machine(
    versions: Versions, locations: Any, number: int, work: Callable[..., Any], arguments: tuple[Any, ...], named: Any
) -> Any:
    versions.check_same_versions()
    locations.record.remote(number, platform.node())
    with name_machine_in_errors():
        return work(*arguments, **named)
