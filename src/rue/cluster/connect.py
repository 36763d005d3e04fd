"""The cluster that Ray runs: joined, or started on this machine; what it has, and its errors as sentences."""

from __future__ import annotations

import os
import re
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rue.errors import RueError
from rue.machine import available_bytes, cores

LOCAL = "local"
"""The address of a cluster of our own on this machine."""
AUTO = "auto"
"""The address of the cluster that runs on this machine."""
ADDRESS = re.compile(r"(ray://)?(?P<host>[^\s:/]+|\[[^\s/]+\]):(?P<port>\d{1,5})")
PATIENCE = 5
"""Seconds that somebody has to answer at an address."""
FOR_A_NODE = 0.9
"""Of a machine's memory that workers may take."""


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    name: str
    cores: int
    bytes: int


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


def connect(address: str, workers: int | None = None) -> list[Node]:
    """Join a cluster: `local` starts one here, `auto` finds one that runs on this machine; returns its machines.

    Ray trusts its network. Ours listens on the loopback interface alone.
    """
    named = _running() if address == AUTO else address
    if named is not None and named != LOCAL:
        _knock(named)
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # like a solve without Ray, not behind everything else
    if address == LOCAL and "ray" not in sys.modules:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes Ray stay on 127.0.0.1
    ray = ray_module()
    if not ray.is_initialized():
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if address == LOCAL:
                count = max(workers or 1, cores())
                ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
        except Exception as error:
            raise RueError(_told(address, error)) from None
    return nodes(ray)


def _running() -> str | None:
    """Where Ray would look for the cluster that runs on this machine; it may be gone."""
    with suppress(OSError):
        kept = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
        return os.environ.get("RAY_ADDRESS") or kept.read_text(encoding="utf-8").strip()
    return None


def _knock(address: str) -> None:
    """Refuse an address at which nobody answers: Ray would try for minutes."""
    read = ADDRESS.fullmatch(address)
    if read is None:
        raise RueError(
            f"{address!r} is no address of a Ray cluster: write {LOCAL}, {AUTO}, HOST:PORT or ray://HOST:PORT"
        )
    try:
        socket.create_connection((read["host"].strip("[]"), int(read["port"])), PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise RueError(
            f"there is no Ray cluster at {address} ({why}): start one with ray start, or use --on {LOCAL}"
        ) from None


def _nobody(address: str) -> str:
    return f"there is no Ray cluster at {address}: start one with ray start, or use --on {LOCAL}"


def _told(address: str, error: Exception) -> str:
    """What went wrong on the way to a cluster, in a sentence."""
    text = " ".join(str(error).split())
    if address == LOCAL:
        return f"Ray could not start on this machine: {text[:300]}"
    if "version" in text.lower() and "mismatch" in text.lower():
        return f"the cluster at {address} runs another version of Ray or Python than this machine: {text[:300]}"
    if isinstance(error, ConnectionError | TimeoutError | RuntimeError) or "connect" in text.lower():
        return _nobody(address)
    return f"cannot join the Ray cluster at {address}: {text[:300]}"


def nodes(ray: Any) -> list[Node]:
    """The machines that are up."""
    found = []
    for node in ray.nodes():
        has = node["Resources"]
        if node["Alive"] and has.get("CPU", 0) >= 1:
            memory = int(FOR_A_NODE * min(has.get("memory", 0), available_bytes() if len(ray.nodes()) == 1 else 2**62))
            found.append(Node(node["NodeManagerHostname"], int(has["CPU"]), memory))
    if not found:
        raise RueError("the Ray cluster has no machine with a free core: start one with ray start")
    return found
