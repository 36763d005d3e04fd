"""Where jobs run: threads, processes, an executor or a cluster, and what they may use."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from zerosum.jobs.job import StopFlag
from zerosum.runs.progress import TaskProgress
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_bytes, available_cores
from zerosum.support.validation import check_function, check_whole_number

MEMORY_SHARE = 0.9
"""Share of the free memory that all jobs together may take."""
PROCESS_BYTES = 150 << 20
"""Bytes that a worker process takes before it starts a job."""
MAIN_GUARD = 'under `if __name__ == "__main__":`, or pass an executor of threads'


@dataclass(frozen=True)
class Workers:
    """Where jobs run, and how much of the machine they may use.

    executor: any executor of threads, processes or other machines, which is not closed; by default threads are started,
    or processes with `processes`, which share nothing.
    count: how many jobs run at once; by default one per core, or per core of the executor if it has `cores`, as a
    cluster does.
    threads: how many threads each job may use; by default the cores are divided among the jobs that run at once.
    bytes: memory for all jobs together; by default what is free on this machine. A cluster checks its machines itself.
    progress: called a few times a second with a `TaskProgress`.
    stop: a flag that ends all jobs from any thread, as Ctrl-C does.

    >>> Workers(count=3).parallelism
    3
    """

    executor: Executor | None = None
    count: int | None = None
    threads: int | None = None
    bytes: float | None = None
    processes: bool = False
    progress: Callable[[TaskProgress], None] | None = None
    stop: StopFlag | None = None

    def __post_init__(self) -> None:
        if self.executor is not None and not hasattr(self.executor, "submit"):
            raise ZerosumError(
                f"an executor needs a method submit, as in concurrent.futures; {self.executor!r} has none"
            )
        check_function("progress", self.progress)
        for name in ("count", "threads"):
            check_whole_number(f"{name} of workers", getattr(self, name), least=1)

    @property
    def parallelism(self) -> int:
        """How many jobs may run at once."""
        return self.count or getattr(self.executor, "cores", None) or available_cores()

    @property
    def prefetch(self) -> int:
        """How many more jobs wait with the executor, so that no worker waits for this process to send the next.

        One per worker where the executor starts no more jobs than its cores can run: those that end together start the
        next ones together, whatever this process is busy with.
        """
        knows_its_cores = self.count is None and hasattr(self.executor, "cores")
        return self.parallelism if self.executor is None or knows_its_cores else 0

    @property
    def leaves_process(self) -> bool:
        """Whether jobs run in other processes or on other machines."""
        from concurrent.futures import ThreadPoolExecutor

        return self.processes if self.executor is None else not isinstance(self.executor, ThreadPoolExecutor)

    @property
    def most_threads(self) -> int:
        """The most threads that a job may use: the cores of the largest machine of a cluster."""
        return getattr(self.executor, "most_threads", None) or self.parallelism

    @property
    def memory(self) -> float:
        """The bytes that all jobs together may take."""
        if self.bytes is not None:
            return self.bytes
        return math.inf if hasattr(self.executor, "cores") else MEMORY_SHARE * available_bytes()

    @property
    def worker_bytes(self) -> int:
        """The bytes that a worker takes before it starts a job."""
        return PROCESS_BYTES if self.processes and self.executor is None else 0

    def open_executor(self, jobs: int) -> AbstractContextManager[Executor]:
        """Return the executor to use, with at most as many workers as there are jobs."""
        if self.executor is not None:
            return nullcontext(self.executor)
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

        workers = max(1, min(self.parallelism, jobs))
        if not self.processes:
            return ThreadPoolExecutor(workers)
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise ZerosumError(f"a script that starts processes must call zerosum {MAIN_GUARD}")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, mp_context=context, initializer=_prepare_process)


def _prepare_process() -> None:
    """Leave Ctrl-C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def exit_with_parent() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()
