"""A real Ray cluster of three machines, all of them this one, on the loopback interface."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

MACHINE_BYTES = 722_000_000
"""The memory that a machine has, as far as Ray is concerned; workers get nine tenths of it."""


@pytest.fixture(scope="package")
def cluster() -> Iterator[Any]:
    os.environ.setdefault("RAY_worker_niceness", "0")  # else they wait for everybody on a busy machine
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # read when Ray is imported: it stays on 127.0.0.1
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install rue[cluster]")
    from ray.cluster_utils import Cluster

    machine = {"num_cpus": 1, "memory": MACHINE_BYTES, "object_store_memory": 80 << 20}
    made = Cluster(initialize_head=True, head_node_args={**machine, "include_dashboard": False})
    for _ in range(2):
        made.add_node(**machine)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
