"""A kernel that Python calls: by its address, from object code that is made when it is first needed.

numba makes the code, in a process of its own (`rue.native.emit`): this one never loads it. The call gives up the
interpreter's lock, so that threads can work side by side.
"""

from __future__ import annotations

import os
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
from rue.machine import cores
from rue.native.arguments import kind_of, words_of
from rue.native.objects import found, processor

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
        self._functions: dict[str, Callable[[int], int]] = {}

    def __call__(self, *arguments: Any) -> int:
        """Run it; returns the whole number that it returns, or 0."""
        return Call(self, arguments)()

    def __repr__(self) -> str:
        """As it is made."""
        return f"Kernel({self.place!r})"

    def function(self, kinds: str) -> Callable[[int], int] | None:
        """Its machine code for some kinds of arguments, if it has been made."""
        known = self._functions.get(kinds)
        if known is None:
            known = found(self.place, kinds)
            if known is not None:
                self._functions[kinds] = known
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

    def __call__(self, *last: int) -> int:
        """Run it; `last` are the last arguments anew, if they are whole numbers."""
        if last:
            self.words[-len(last) :] = last
        function = self.kernel.function(self.kinds)
        if function is None:
            prepare([self])
            function = self.kernel.function(self.kinds)
            assert function is not None
        problem = function(self.words.__array_interface__["data"][0])
        if problem:
            raise RuntimeError(f"the kernel {self.kernel.place} failed: {problem}")
        return int(self.words[0])


def prepare(calls: Iterable[Call]) -> None:
    """Have the machine code of some calls made, side by side, where there is none yet."""
    waiting = [call for call in calls if call.kernel.function(call.kinds) is None]
    compilers: list[_Compiler] = []
    began, tell = time.monotonic(), _heard.get()
    try:
        while waiting or any(compiler.busy() for compiler in compilers):
            if waiting and sum(compiler.busy() for compiler in compilers) < cores():
                compilers.append(_Compiler(waiting.pop(0)))
                continue
            if tell is not None:
                tell(int(time.monotonic() - began))
            time.sleep(LOOK)
        for compiler in compilers:
            compiler.check()
    finally:
        for compiler in compilers:
            compiler.end()


class _Compiler:
    """The process that makes the machine code of a call, in a group of its own: Ctrl-C is for who started it."""

    def __init__(self, call: Call) -> None:
        self.place = call.kernel.place
        self.said = tempfile.TemporaryFile()  # noqa: SIM115
        order = [sys.executable, "-m", "rue.native.emit", self.place, call.kinds]
        name, features = processor()
        environment = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
        streams: Any = {"stdin": subprocess.DEVNULL, "stdout": self.said, "stderr": self.said}
        self.process = subprocess.Popen(order, env=environment, process_group=0, **streams)

    def busy(self) -> bool:
        return self.process.poll() is None

    def check(self) -> None:
        """Refuse to go on if it failed."""
        if self.process.returncode:
            self.said.seek(0)
            lines = self.said.read().decode(errors="replace").strip().splitlines() or ["without a word"]
            raise RueError(f"cannot compile {self.place}: {lines[-1]}")

    def end(self) -> None:
        if self.busy():
            self.process.kill()
        self.process.wait()
        self.said.close()
