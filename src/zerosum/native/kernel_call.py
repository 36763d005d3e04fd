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

from zerosum.native.code_cache import LoadedKernel, target_processor
from zerosum.native.signatures import format_signature, pack_slots
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.native.decorators import Kernel

POLL_SECONDS = 0.05
"""Seconds between two checks whether the compiler has finished."""

_progress_callback: ContextVar[Callable[[int], None] | None] = ContextVar("progress_callback", default=None)


@contextmanager
def on_compile_progress(callback: Callable[[int], None]) -> Iterator[None]:
    """Call a function with the seconds spent so far while something is compiled; an error in it ends the compiler."""
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
        self.signature = format_signature(arguments)
        self.slots = np.array([0, *pack_slots(arguments)], dtype=np.int64)

    @property
    def is_compiled(self) -> bool:
        return self.kernel.load_machine_code(self.signature) is not None

    @property
    def address(self) -> int:
        """The address of the machine code, for other kernels; valid as long as the process lives."""
        return self._machine_code().address

    def _machine_code(self) -> LoadedKernel:
        """Return the machine code; compile it if it does not exist."""
        loaded = self.kernel.load_machine_code(self.signature)
        if loaded is None:
            compile_missing([self])
            loaded = self.kernel.load_machine_code(self.signature)
            assert loaded is not None
        return loaded

    def __call__(self, *last: int) -> int:
        """Run the kernel and return its integer, or 0; `last` are new values of its last arguments, all integers."""
        if last:
            self.slots[-len(last) :] = last
        status = self._machine_code()(self.slots.__array_interface__["data"][0])
        if status:
            raise RuntimeError(f"the kernel {self.kernel.import_path} failed with status {status}")
        return int(self.slots[0])


def compile_missing(calls: Iterable[KernelCall]) -> None:
    """Compile the kernels of some calls, side by side, where the machine code does not exist yet."""
    jobs = {(call.kernel.import_path, call.signature) for call in calls if not call.is_compiled}
    if not jobs:
        return
    longest_first = sorted(jobs, key=lambda job: -len(job[1]))  # kernels with more arguments take longer
    command = [
        sys.executable,
        "-m",
        "zerosum.native.compiler_process",
        *(word for job in longest_first for word in job),
    ]
    name, features = target_processor()
    environment = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    start, callback = time.monotonic(), _progress_callback.get()
    with tempfile.TemporaryFile() as output:
        streams: Any = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        # In a separate process group, so that Ctrl-C reaches only this process.
        compiler = subprocess.Popen(command, env=environment, process_group=0, **streams)
        try:
            while compiler.poll() is None:
                if callback is not None:
                    callback(int(time.monotonic() - start))
                time.sleep(POLL_SECONDS)
        finally:
            if compiler.poll() is None:
                os.killpg(compiler.pid, signal.SIGKILL)
            compiler.wait()
        if compiler.returncode:
            output.seek(0)
            lines = output.read().decode(errors="replace").strip().splitlines() or ["without a message"]
            raise ZerosumError(f"cannot compile {lines[-1]}")
