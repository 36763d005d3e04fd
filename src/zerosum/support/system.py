"""Memory, cores and processor of this machine."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

MAX_TEXT_BYTES = 1 << 30
"""Upper limit for a text file with results, whatever the memory."""
BYTES_PER_CHARACTER = 12
"""Memory per character of a JSON file once it is parsed, typically."""


def available_bytes() -> int:
    """Return the bytes this process can still use: the free memory, or less if it is limited (`ulimit -v`)."""
    return min(_free_bytes(), _allowed_bytes())


def _allowed_bytes() -> int:
    """Return what the limit of its address space leaves to this process."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        used = 0
    return max(0, limit - used)


def _free_bytes() -> int:
    """Return the free memory by the kernel's estimate, or the physical memory."""
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
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    import platform

    return platform.processor() or platform.machine()
