"""Which code ran where: what the digits of a run may depend on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from rue.machine import processor
from rue.sources import code_version


def provenance() -> dict[str, Any]:
    """The code, the machine and the time, ready for JSON."""
    return {
        "rue": version("rue"),
        "code": code_version(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
    }
