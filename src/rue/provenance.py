"""Which code ran where: what the digits of a run may depend on."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from typing import Any

from rue import __version__
from rue.machine import processor
from rue.sources import code_version


def provenance() -> dict[str, Any]:
    """The code, the machine and the time, ready for JSON."""
    return {**_here(), "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")}


@cache
def _here() -> dict[str, Any]:
    """What does not change while a process runs."""
    import platform
    from importlib.metadata import version

    return {
        "rue": __version__,
        "code": code_version(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }
