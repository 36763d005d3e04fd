"""A worker process of Ray: it holds some of the deals and answers the calls of `DealWorker`."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from zerosum.cluster.versions import Versions, name_machine_in_errors
from zerosum.problems.machine_pool import WorkOrder
from zerosum.support.errors import ZerosumError


class ResourceUsage(NamedTuple):
    """Wall and processor seconds spent on answers, and the peak memory of the process.

    Memory that is shared with others is not counted: the objects that Ray stores for all processes of a machine.
    """

    seconds: float
    processor: float
    bytes: int


class Worker:
    """Holds some deals of a spot."""

    def __init__(self, order: WorkOrder, deals: Sequence[int], folder: str | None) -> None:
        """`folder` is where the run is saved."""
        self._order, self._deals, self._folder = order, deals, folder
        self._solver: Any = None
        self._seconds = self._processor = 0.0
        self._bytes = 0

    def check(self, theirs: Versions) -> None:
        """Refuse to work for another version of zerosum, or where the run cannot be saved."""
        theirs.check()
        if self._folder is not None and not os.path.isdir(self._folder):
            raise ZerosumError(
                f"{platform.node()} does not see {self._folder}: a run that machines share is saved in a folder "
                "that all of them see"
            )

    def begin(self) -> None:
        """Hold zeros."""
        with name_machine_in_errors():
            self._solver = self._order.build_solver(self._deals)

    def call(self, method: str, *arguments: Any) -> Any:
        """Answer."""
        if self._solver is None:
            self.begin()
        began, used, common = time.perf_counter(), time.process_time(), _memory("RssShmem")
        with name_machine_in_errors():
            answer = getattr(self._solver, method)(*arguments)
        self._seconds += time.perf_counter() - began
        self._processor += time.process_time() - used
        self._bytes = max(self._bytes, _memory("VmHWM") - common)
        return answer

    def walk(self, pieces: int, *call: Any) -> Any:
        """Answer a call that walks deals, in `pieces` parts."""
        values = self.call(*call)
        return values if pieces == 1 else tuple(values.split(pieces))

    def spent(self) -> ResourceUsage:
        """Return the resources that the answers have used so far."""
        return ResourceUsage(self._seconds, self._processor, self._bytes)


def _memory(kind: str) -> int:
    """Return an amount of memory of this process by its name in Linux; 0 on other systems."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{kind}:"):
                return 1024 * int(line.split()[1])
    return 0
