"""A real Ray cluster of three machines on the loopback interface of this one; it asks for a token."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

MACHINE_BYTES = 722_000_000
"""The memory that a machine has, as far as Ray is concerned; workers get nine tenths of it."""


@pytest.fixture(scope="package")
def token() -> Iterator[str]:
    """The token of the cluster, which Ray sends from this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", "a-token-for-the-tests-of-the-cluster")
        yield os.environ["RAY_AUTH_TOKEN"]


@pytest.fixture(scope="package")
def cluster(token: str) -> Iterator[Any]:
    os.environ.setdefault("RAY_worker_niceness", "0")  # else they wait for everybody on a busy machine
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # read when Ray is imported: it stays on 127.0.0.1
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"  # else the server of a client sometimes dies before it begins
    os.environ["RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S"] = "120"  # the default is too short on a busy machine
    os.environ.setdefault("RAY_health_check_period_ms", "500")  # five of them, then Ray knows that a machine is lost
    os.environ.setdefault("RAY_health_check_initial_delay_ms", "0")  # of one that has just joined, too
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install zerosum[cluster]")
    from ray.cluster_utils import Cluster

    ray._raylet.Config.initialize("")  # in case Ray was loaded before the token was set
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    machine = {"num_cpus": 1, "memory": MACHINE_BYTES, "object_store_memory": 80 << 20}
    head = {**machine, "include_dashboard": False, "include_log_monitor": False, "ray_client_server_port": port}
    machines = Cluster(initialize_head=True, head_node_args=head)
    machines.client = f"127.0.0.1:{port}"
    for _ in range(2):
        machines.add_node(**machine)
    try:
        yield machines
    finally:
        ray.shutdown()
        machines.shutdown()


@pytest.fixture(autouse=True)
def as_it_was(cluster: Any) -> Iterator[None]:
    """Wait after a test that adds or kills machines until Ray knows which are left, so that the next test has three."""
    yield
    cluster.wait_for_nodes()
