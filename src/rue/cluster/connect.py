"""The cluster that Ray runs: joined, or started on this machine; what it has, and its errors as sentences."""

from __future__ import annotations

import os
import platform
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from rue.cluster.knock import AUTO, CLIENT, LOCAL, check_ray, knock, nobody, other_version
from rue.cluster.library import ray_module
from rue.errors import RueError
from rue.interrupt import undisturbed
from rue.machine import available_bytes, cores
from rue.records import dataclass

FOR_A_NODE = 0.9
"""Of a machine's memory that workers may take."""
TRIES = 3
"""How often Ray's client is asked: on a busy head the process that it starts there may end, or come too late."""


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    name: str
    cores: int
    bytes: int


def connect(address: str, workers: int | None = None) -> list[Node]:
    """Join a cluster: `local` starts one here, `auto` finds one that runs on this machine; returns its machines.

    Ray trusts its network. Ours listens on the loopback interface alone.
    """
    named = _running() if address == AUTO else address
    if named is not None and named != LOCAL:
        knock(named)
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # like a solve without Ray, not behind everything else
        if "ray" not in sys.modules:
            os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes Ray stay on 127.0.0.1
    ray = ray_module()
    if not ray.is_initialized():
        try:
            with undisturbed(signal.SIGTERM):  # Ray would end the process, whatever is on its way
                _join(ray, address, max(workers or 1, cores()))
        except RueError:
            raise
        except Exception as error:
            raise _told(address, error) from None
    return nodes(ray)


def _join(ray: Any, address: str, count: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
        return
    for left in reversed(range(TRIES)):
        try:
            ray.init(address=address, **quiet)
            return
        except ConnectionAbortedError:
            check_ray(address, _served(address.removeprefix(CLIENT)))
            if left == 0:
                raise


def _served(place: str) -> str:
    """The version of Ray behind its client's server, asked without what only the same version reads; "" if unknown."""
    from ray.util.client.worker import Worker

    with suppress(Exception):
        client: Any = Worker(place, connection_retries=1)
        try:
            client._server_init(None)
            return str(client.connection_info()["ray_version"])
        finally:
            client.close()
    return ""


def _running() -> str | None:
    """Where Ray would look for the cluster that runs on this machine; it may be gone."""
    with suppress(OSError):
        kept = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
        return os.environ.get("RAY_ADDRESS") or kept.read_text(encoding="utf-8").strip()
    return None


def _told(address: str, error: Exception) -> RueError:
    """What went wrong on the way to a cluster, in a sentence."""
    text = " ".join(str(error).split())
    if address == LOCAL:
        return RueError(f"Ray could not start on this machine: {text[:300]}")
    if "version" in text.lower() and ("mismatch" in text.lower() or "differ" in text.lower()):
        return other_version(address, text[:300])
    if isinstance(error, ConnectionAbortedError):
        told = "its log ray_client_server.err tells why, on its first machine, in /tmp/ray/session_latest/logs"
        return RueError(f"the Ray cluster at {address} did not let us in: {told}")
    if isinstance(error, ConnectionError | TimeoutError):
        if address == AUTO or address.startswith(CLIENT):
            return nobody(address, text.partition(". ")[0][:300])
        told = f"use {CLIENT}{address.rpartition(':')[0]}:10001, or let it join by ray start --address {address}"
        return RueError(f"this machine is not one of the Ray cluster at {address}: {told}")
    return RueError(f"cannot join the Ray cluster at {address}: {text[:300]}")


def nodes(ray: Any) -> list[Node]:
    """The machines that are up."""
    up = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    free = available_bytes() if [node["NodeManagerHostname"] for node in up] == [platform.node()] else 2**62
    found = [
        Node(
            node["NodeManagerHostname"],
            int(node["Resources"]["CPU"]),
            int(FOR_A_NODE * min(node["Resources"].get("memory", 0), free)),
        )
        for node in up
    ]
    if not found:
        raise RueError("the Ray cluster has no machine with a free core: start one with ray start")
    return found
