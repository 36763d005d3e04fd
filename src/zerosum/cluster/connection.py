"""Join a Ray cluster or start one on this machine, list its machines, and turn connection errors into messages."""

from __future__ import annotations

import os
import platform
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.cluster.address_check import (
    AUTO,
    CLIENT,
    LOCAL,
    check_address,
    check_ray_version,
    no_cluster_error,
    version_error,
)
from zerosum.cluster.ray_import import import_ray
from zerosum.support.errors import ZerosumError
from zerosum.support.signals import restore_handler
from zerosum.support.system import available_bytes, available_cores

MEMORY_SHARE = 0.9
"""The share of a machine's memory that workers may use."""
MAX_TRIES = 3
"""Attempts to join: on a busy head the process that Ray's client starts there may fail or start too late."""


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    name: str
    cores: int
    bytes: int


def connect(address: str, workers: int | None = None) -> list[Node]:
    """Join a cluster and return its machines: `local` starts one, `auto` finds the one that runs on this machine.

    Ray trusts its network, so a cluster that is started here listens on the loopback interface only.
    """
    known_address = _running_address() if address == AUTO else address
    if known_address is not None and known_address != LOCAL:
        check_address(known_address)
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # like a solve without Ray, not behind everything else
        if "ray" not in sys.modules:
            os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes Ray stay on 127.0.0.1
    ray = import_ray()
    if not ray.is_initialized():
        try:
            with restore_handler(signal.SIGTERM):  # Ray would end the process at once
                _join(ray, address, max(workers or 1, available_cores()))
        except ZerosumError:
            raise
        except Exception as error:
            raise _connection_error(address, error) from None
    return list_nodes(ray)


def _join(ray: Any, address: str, count: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
        return
    for remaining in reversed(range(MAX_TRIES)):
        try:
            ray.init(address=address, **quiet)
            return
        except ConnectionAbortedError:
            check_ray_version(address, _server_version(address.removeprefix(CLIENT)))
            if remaining == 0:
                raise


def _server_version(target: str) -> str:
    """Return the version of Ray behind a client server, by a request that all versions understand; "" if unknown."""
    from ray.util.client.worker import Worker

    with suppress(Exception):
        client: Any = Worker(target, connection_retries=1)
        try:
            client._server_init(None)
            return str(client.connection_info()["ray_version"])
        finally:
            client.close()
    return ""


def _running_address() -> str | None:
    """Return the address that Ray remembers of the cluster on this machine, which may have ended."""
    with suppress(OSError):
        file = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
        return os.environ.get("RAY_ADDRESS") or file.read_text(encoding="utf-8").strip()
    return None


def _connection_error(address: str, error: Exception) -> ZerosumError:
    """Return an error of Ray in joining a cluster as a ZerosumError."""
    text = " ".join(str(error).split())
    if address == LOCAL:
        return ZerosumError(f"Ray could not start on this machine: {text[:300]}")
    if "version" in text.lower() and ("mismatch" in text.lower() or "differ" in text.lower()):
        return version_error(address, text[:300])
    if isinstance(error, ConnectionAbortedError):
        log = "/tmp/ray/session_latest/logs/ray_client_server.err on its first machine"
        return ZerosumError(f"the Ray cluster at {address} refused the connection: see {log}")
    if isinstance(error, ConnectionError | TimeoutError):
        if address == AUTO or address.startswith(CLIENT):
            return no_cluster_error(address, text.partition(". ")[0][:300])
        remedy = f"use {CLIENT}{address.rpartition(':')[0]}:10001, or let it join by ray start --address {address}"
        return ZerosumError(f"this machine does not belong to the Ray cluster at {address}: {remedy}")
    return ZerosumError(f"cannot join the Ray cluster at {address}: {text[:300]}")


def list_nodes(ray: Any) -> list[Node]:
    """Return the machines that are running."""
    up = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    free = available_bytes() if [node["NodeManagerHostname"] for node in up] == [platform.node()] else 2**62
    nodes = [
        Node(
            node["NodeManagerHostname"],
            int(node["Resources"]["CPU"]),
            int(MEMORY_SHARE * min(node["Resources"].get("memory", 0), free)),
        )
        for node in up
    ]
    if not nodes:
        raise ZerosumError("the Ray cluster has no machine with a free core: start one with ray start")
    return nodes
