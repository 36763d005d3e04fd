"""The code, the machine and the time of a run, on which its last digits may depend."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from typing import Any

from zerosum import __version__
from zerosum.support.source_hash import code_version
from zerosum.support.system import processor_name


def collect_provenance() -> dict[str, Any]:
    """Return the versions, the machine and the time, ready for JSON."""
    return {**_describe_environment(), "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")}


@cache
def _describe_environment() -> dict[str, Any]:
    """Return the entries that do not change while a process runs."""
    import platform
    from importlib.metadata import version

    return {
        "zerosum": __version__,
        "code": code_version(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }
