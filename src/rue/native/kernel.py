"""A kernel that Python calls: by its address, from object code that is made when it is first needed.

numba makes the code, in a process of its own (`rue.native.make`): this one never loads it. The call gives up the
interpreter's lock, so that threads can work side by side.
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
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.native.arguments import kind_of, words_of
from rue.native.objects import Loaded, found, processor

LOOK = 0.05
"""Seconds between two looks at a compiler."""

_heard: ContextVar[Callable[[int], None] | None] = ContextVar("heard", default=None)


@contextmanager
def compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Call `tell` with the seconds spent while something is compiled, now and then; its error ends the compiler."""
    before = _heard.set(tell)
    try:
        yield
    finally:
        _heard.reset(before)


class Kernel:
    """A function of a module that holds kernels, as "rue.solvers.walk:iterate"."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._functions: dict[str, Loaded] = {}

    def __call__(self, *arguments: Any) -> int:
        """Run it; returns the whole number that it returns, or 0."""
        return Call(self, arguments)()

    def __repr__(self) -> str:
        """As it is made."""
        return f"Kernel({self.place!r})"

    def function(self, kinds: str) -> Loaded | None:
        """Its machine code for some kinds of arguments, if it has been made.

        Of threads that load it at once one wins: what was given to another kernel by its address is never let go.
        """
        known = self._functions.get(kinds)
        if known is None:
            loaded = found(self.place, kinds)
            known = None if loaded is None else self._functions.setdefault(kinds, loaded)
        return known


class Call:
    """A kernel with its arguments, to be called again and again: the arrays may change, not be exchanged.

    What the arguments become is worked out once: that takes longer than a short call.
    """

    def __init__(self, kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        self.kernel = kernel
        self.arguments = arguments
        self.kinds = kind_of(arguments)
        self.words = np.array([0, *words_of(arguments)], dtype=np.int64)

    @property
    def made(self) -> bool:
        """Whether its machine code is there."""
        return self.kernel.function(self.kinds) is not None

    @property
    def address(self) -> int:
        """Where its machine code begins, for other kernels; it stays there as long as the process lives."""
        return self._function().address

    def _function(self) -> Loaded:
        """Its machine code, which is made if it is not there."""
        function = self.kernel.function(self.kinds)
        if function is None:
            prepare([self])
            function = self.kernel.function(self.kinds)
            assert function is not None
        return function

    def __call__(self, *last: int) -> int:
        """Run it; `last` are the last arguments anew, if they are whole numbers."""
        if last:
            self.words[-len(last) :] = last
        problem = self._function()(self.words.__array_interface__["data"][0])
        if problem:
            raise RuntimeError(f"the kernel {self.kernel.place} failed: {problem}")
        return int(self.words[0])


def prepare(calls: Iterable[Call]) -> None:
    """Have the machine code of some calls made, side by side, where there is none yet."""
    waiting = {(call.kernel.place, call.kinds) for call in calls if not call.made}
    if not waiting:
        return
    began, tell, compiler = time.monotonic(), _heard.get(), _Compiler(sorted(waiting, key=_effort))
    try:
        while compiler.busy():
            if tell is not None:
                tell(int(time.monotonic() - began))
            time.sleep(LOOK)
        compiler.check()
    finally:
        compiler.end()


def _effort(order: tuple[str, str]) -> int:
    """Kernels that take more arguments come first: they take longer to compile."""
    return -len(order[1])


class _Compiler:
    """The process that makes machine code, in a group of its own: Ctrl-C is for who started it.

    It loads numba once and has a child for each kernel.
    """

    def __init__(self, orders: list[tuple[str, str]]) -> None:
        self.said = tempfile.TemporaryFile()  # noqa: SIM115
        name, features = processor()
        environment = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
        streams: Any = {"stdin": subprocess.DEVNULL, "stdout": self.said, "stderr": self.said}
        command = [sys.executable, "-m", "rue.native.make", *(word for order in orders for word in order)]
        self.process = subprocess.Popen(command, env=environment, process_group=0, **streams)

    def busy(self) -> bool:
        return self.process.poll() is None

    def check(self) -> None:
        """Refuse to go on if it failed."""
        if self.process.returncode:
            self.said.seek(0)
            lines = self.said.read().decode(errors="replace").strip().splitlines() or ["without a word"]
            raise RueError(f"cannot compile {lines[-1]}")

    def end(self) -> None:
        if self.busy():
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.said.close()
