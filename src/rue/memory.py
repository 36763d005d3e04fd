"""How much memory there is, and how a number of bytes reads."""

from __future__ import annotations

import os
from pathlib import Path


def available_bytes() -> int:
    """Bytes a new program can take without swapping, by the kernel's estimate or the physical memory."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def readable(count: float) -> str:
    """A number of bytes for a person.

    >>> readable(3.2e9)
    '3.2 GB'
    """
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
