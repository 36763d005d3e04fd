"""The operating system: free memory, cores, the name of the processor, and signals such as Ctrl-C.

Signal handlers are replaced in the main thread only; in other threads these functions do nothing.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

MAX_TEXT_BYTES = 1 << 30
"""The largest text file with results, however much memory there is."""
BYTES_PER_CHARACTER = 12
"""Typical memory per character of a parsed JSON file."""


def available_bytes() -> int:
    """Return the bytes that this process can still use: the free memory, or less below a limit (`ulimit -v`).

    The free memory is what the system estimates to be available, or all physical memory where it has no estimate.
    """
    return min(_read_free_memory(), _count_bytes_below_limit())


def _count_bytes_below_limit() -> int:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        used = 0
    return max(0, limit - used)


def _read_free_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def max_text_bytes() -> int:
    """Return the size limit of text files with results or strategies: parsed, they take many times as much memory."""
    return min(MAX_TEXT_BYTES, available_bytes() // BYTES_PER_CHARACTER)


def available_cores() -> int:
    """Return the number of threads to use: $NUMBA_NUM_THREADS, else the cores that this process may use."""
    threads = os.environ.get("NUMBA_NUM_THREADS", "")
    if threads.isdecimal() and int(threads) > 0:
        return int(threads)
    affinity = getattr(os, "sched_getaffinity", None)
    return max(1, len(affinity(0)) if affinity is not None else os.cpu_count() or 1)


def processor_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    import platform

    return platform.processor() or platform.machine()


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C inside a `with` block; the second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, previous)  # first: the second one may come while `stop` holds a lock
        stop()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Defer Ctrl-C to the end of a `with` block: where C calls Python, its exception may be swallowed.

    A signal that is handled as Ctrl-C (see `handle_as_interrupt`) interrupts even where Ctrl-C itself is ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous, received = signal.getsignal(signal.SIGINT), list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        others = [number for number in received if number != signal.SIGINT]
        if others:
            handle_as_interrupt(others[0])
        elif received:
            signal.raise_signal(signal.SIGINT)


def handle_as_interrupt(number: int, frame: FrameType | None = None) -> None:
    """Handle another signal like Ctrl-C, also where Ctrl-C is ignored, as in the background of a script."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(number, frame)


@contextmanager
def restore_handler(number: int) -> Iterator[None]:
    """Restore the handler of a signal at the end of a `with` block, if other code has replaced it."""
    previous = signal.getsignal(number)
    try:
        yield
    finally:
        if callable(previous) and threading.current_thread() is threading.main_thread():
            signal.signal(number, previous)
