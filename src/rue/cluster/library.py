"""Ray, loaded where it is needed and made quiet."""

from __future__ import annotations

import os
from typing import Any

from rue.errors import RueError


def ray_module() -> Any:
    """Ray, or a sentence that says how to get it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # the first error is told, and enough
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise RueError('working on other machines needs Ray: pip install "rue[cluster]"') from None
    return ray
