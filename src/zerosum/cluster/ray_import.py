"""Importing Ray where it is needed, quietly."""

from __future__ import annotations

import os
from typing import Any

from zerosum.support.errors import missing_extra


def import_ray() -> Any:
    """Import Ray; if it is not installed, raise an error that says how to install it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # the first error is reported anyway
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise missing_extra("working on other machines", "cluster") from None
    return ray
