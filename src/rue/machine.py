"""What this machine has: memory, cores, a processor."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

LARGEST_TEXT = 1 << 30
"""Bytes."""
BYTES_A_CHARACTER = 12
"""What a character of JSON takes once it is read: numbers, texts and the tables that hold them."""


def available_bytes() -> int:
    """Bytes this process can still take without swapping: what is free, or less if it is limited (`ulimit -v`)."""
    return min(_free_bytes(), _allowed_bytes())


def _allowed_bytes() -> int:
    """What the limit of its addresses leaves to this process."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    try:
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        taken = 0
    return max(0, limit - taken)


def _free_bytes() -> int:
    """What is free, by the kernel's estimate, or the physical memory."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def largest_text() -> int:
    """Bytes of text that a file of results, strategies or names of infosets may have: reading takes many times more."""
    return min(LARGEST_TEXT, available_bytes() // BYTES_A_CHARACTER)


def cores() -> int:
    """How many threads may work at once: $NUMBA_NUM_THREADS, else the cores that this process may use."""
    given = os.environ.get("NUMBA_NUM_THREADS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    affinity = getattr(os, "sched_getaffinity", None)
    return max(1, len(affinity(0)) if affinity is not None else os.cpu_count() or 1)


def processor() -> str:
    """The name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    import platform

    return platform.processor() or platform.machine()
