"""What this machine has: memory, cores, a processor."""

from __future__ import annotations

import os
from pathlib import Path

LARGEST_TEXT = 1 << 30
"""Bytes."""
BYTES_A_CHARACTER = 12
"""What a character of JSON takes once it is read: numbers, texts and the tables that hold them."""


def available_bytes() -> int:
    """Bytes a new program can take without swapping, by the kernel's estimate or the physical memory."""
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
