"""Calling a kernel by address, from object code that is compiled when it is first needed.

numba compiles it in a separate process (`zerosum.native.compiler_process`); this process never loads numba. A call
releases the interpreter's lock, so threads can work side by side.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.native.code_cache import LoadedKernel, processor
from zerosum.native.signatures import signature_of, slots_of
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.native.decorators import Kernel

POLL_SECONDS = 0.05
"""The time between two checks whether the compiler has finished."""

_progress_callback: ContextVar[Callable[[int], None] | None] = ContextVar("progress_callback", default=None)


@contextmanager
def on_compile_progress(callback: Callable[[int], None]) -> Iterator[None]:
    """Call a function with the seconds spent while something is compiled; its error ends the compiler."""
    token = _progress_callback.set(callback)
    try:
        yield
    finally:
        _progress_callback.reset(token)


class KernelCall:
    """A kernel with its arguments, to be called many times: arrays may change their contents but not their place.

    The arguments are packed into slots once, which takes longer than a short call.
    """

    def __init__(self, kernel: Kernel[..., Any], arguments: tuple[Any, ...]) -> None:
        self.kernel = kernel
        self.arguments = arguments
        self.signature = signature_of(arguments)
        self.slots = np.array([0, *slots_of(arguments)], dtype=np.int64)

    @property
    def is_compiled(self) -> bool:
        """Whether the machine code exists."""
        return self.kernel.load(self.signature) is not None

    @property
    def address(self) -> int:
        """Where the machine code begins, for other kernels; it stays there as long as the process lives."""
        return self._load().address

    def _load(self) -> LoadedKernel:
        """Return the machine code; compile it if it does not exist."""
        loaded = self.kernel.load(self.signature)
        if loaded is None:
            compile_missing([self])
            loaded = self.kernel.load(self.signature)
            assert loaded is not None
        return loaded

    def __call__(self, *last: int) -> int:
        """Run the kernel, with new values for its last arguments if these are integers; return its integer, or 0."""
        if last:
            self.slots[-len(last) :] = last
        status = self._load()(self.slots.__array_interface__["data"][0])
        if status:
            raise RuntimeError(f"the kernel {self.kernel.place} failed with status {status}")
        return int(self.slots[0])


def compile_missing(calls: Iterable[KernelCall]) -> None:
    """Compile the kernels of some calls, side by side, where the machine code does not exist yet."""
    jobs = {(call.kernel.place, call.signature) for call in calls if not call.is_compiled}
    if not jobs:
        return
    start, callback, compiler = time.monotonic(), _progress_callback.get(), _CompilerProcess(sorted(jobs, key=_effort))
    try:
        while compiler.is_running():
            if callback is not None:
                callback(int(time.monotonic() - start))
            time.sleep(POLL_SECONDS)
        compiler.check()
    finally:
        compiler.end()


def _effort(job: tuple[str, str]) -> int:
    """Sort kernels with more arguments first, because they take longer to compile."""
    return -len(job[1])


class _CompilerProcess:
    """The process that compiles, in a separate process group, so that Ctrl-C reaches only its parent."""

    def __init__(self, jobs: list[tuple[str, str]]) -> None:
        self.output = tempfile.TemporaryFile()  # noqa: SIM115
        name, features = processor()
        environment = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
        streams: Any = {"stdin": subprocess.DEVNULL, "stdout": self.output, "stderr": self.output}
        command = [sys.executable, "-m", "zerosum.native.compiler_process", *(word for job in jobs for word in job)]
        self.process = subprocess.Popen(command, env=environment, process_group=0, **streams)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def check(self) -> None:
        """Raise an error if the compiler failed."""
        if self.process.returncode:
            self.output.seek(0)
            lines = self.output.read().decode(errors="replace").strip().splitlines() or ["without a message"]
            raise ZerosumError(f"cannot compile {lines[-1]}")

    def end(self) -> None:
        if self.is_running():
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.output.close()
