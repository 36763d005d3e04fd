"""Join a Ray cluster or start one on this machine, list its machines, and turn connection errors into messages.

Ray may take minutes to join, and does not say why it fails, so a request to the address is answered first.
"""

from __future__ import annotations

import os
import platform
import re
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from zerosum.support.errors import ZerosumError, missing_extra_error
from zerosum.support.options import option_name
from zerosum.support.system import available_bytes, available_cores, restore_handler

LOCAL = "local"
"""The address that stands for a new cluster on this machine."""
AUTO = "auto"
"""The address that stands for the cluster that runs on this machine."""
CLIENT = "ray://"
"""The prefix of an address that is reached through Ray's client."""
ADDRESS = re.compile(r"(?P<client>ray://)?(?P<host>[^\s:/]+|\[[^\s/]+\]):(?P<port>\d{1,5})")
TIMEOUT = 5
"""Seconds to wait for an answer."""
PROBES = {
    True: ("/ray.rpc.RayletDriver/ClusterInfo", b"\x08\x06"),
    False: ("/ray.rpc.NodeInfoGcsService/CheckAlive", b""),
}
"""The request that the server of Ray's client answers (a ping), and the one for the head of a cluster."""
TOKEN_VARIABLE = "RAY_AUTH_MODE"
"""The environment variable that makes Ray send the token that is stored on this machine."""
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


def import_ray() -> Any:
    """Import Ray, without its usage statistics; if it is not installed, raise an error that says how to install it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # the first error is reported anyway
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise missing_extra_error("working on other machines", "cluster") from None
    return ray


def connect(address: str, workers: int | None = None) -> list[Node]:
    """Join a cluster and return its machines: `local` starts one, `auto` finds the one that runs on this machine.

    Ray trusts its network, so a cluster that is started here listens on the loopback interface only.
    """
    known_address = _find_running_address() if address == AUTO else address
    if known_address is not None and known_address != LOCAL:
        check_address(known_address)
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # like a solve without Ray, not behind everything else
        if "ray" not in sys.modules:
            os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # makes Ray stay on 127.0.0.1
    ray = import_ray()
    if not ray.is_initialized():
        try:
            with restore_handler(signal.SIGTERM):  # Ray would end the process at once
                _join_cluster(ray, address, max(workers or 1, available_cores()))
        except ZerosumError:
            raise
        except Exception as error:
            raise _connection_error(address, error) from None
    return list_nodes(ray)


def list_nodes(ray: Any) -> list[Node]:
    """Return the machines of the cluster that are running and have a core."""
    running = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    is_alone = [node["NodeManagerHostname"] for node in running] == [platform.node()]
    free = available_bytes() if is_alone else 2**62
    nodes = [
        Node(
            node["NodeManagerHostname"],
            int(node["Resources"]["CPU"]),
            int(MEMORY_SHARE * min(node["Resources"].get("memory", 0), free)),
        )
        for node in running
    ]
    if not nodes:
        raise ZerosumError("the Ray cluster has no machine with a free core: start one with ray start")
    return nodes


def _join_cluster(ray: Any, address: str, cores: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        ray.init(address="local", num_cpus=cores, include_dashboard=False, **quiet)
        return
    for remaining in reversed(range(MAX_TRIES)):
        try:
            ray.init(address=address, **quiet)
            return
        except ConnectionAbortedError:
            _check_ray_version(address, _read_client_server_version(address.removeprefix(CLIENT)))
            if remaining == 0:
                raise


def _read_client_server_version(target: str) -> str:
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


def _find_running_address() -> str | None:
    """Return the address that Ray remembers of the cluster on this machine, which may have ended."""
    with suppress(OSError):
        file = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
        return os.environ.get("RAY_ADDRESS") or file.read_text(encoding="utf-8").strip()
    return None


def check_address(address: str) -> None:
    """Refuse an address at which no cluster answers; send the token of this machine to one that requires it."""
    match = ADDRESS.fullmatch(address)
    if match is None:
        raise ZerosumError(
            f"{address!r} is not the address of a Ray cluster: write {LOCAL}, {AUTO}, HOST:PORT or {CLIENT}HOST:PORT"
        )
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster_error(address, getattr(error, "strerror", None) or str(error)) from None
    if "RAY_USE_TLS" not in os.environ:
        _check_server_answer(address, f"{match['host']}:{match['port']}", bool(match["client"]))


def _check_server_answer(address: str, target: str, is_client: bool) -> None:
    """Refuse a server that does not answer like a Ray cluster of the same version."""
    try:
        import grpc
    except ImportError:
        if is_client:
            raise missing_extra_error(address, "cluster") from None
        return
    answer = _send_probe(target, is_client)
    if answer is grpc.StatusCode.UNAUTHENTICATED and os.environ.get(TOKEN_VARIABLE, "token").lower() == "token":
        answer = _send_probe(target, is_client, _load_token())
    if isinstance(answer, bytes) and not is_client:
        messages: Any = import_module("ray.core.generated.gcs_service_pb2")
        _check_ray_version(address, str(messages.CheckAliveReply.FromString(answer).ray_version))
    if answer is grpc.StatusCode.UNAUTHENTICATED:
        raise ZerosumError(
            f"the cluster at {address} requires its token: copy what ray get-auth-token prints there into "
            "~/.ray/auth_token on this machine"
        )
    if answer is grpc.StatusCode.UNIMPLEMENTED:
        raise ZerosumError(
            f"there is another service at {address}: {CLIENT}HOST:PORT needs the port of Ray's client server "
            "(10001 by default), HOST:PORT that of the head (6379)"
        )
    if answer in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
        raise _no_cluster_error(address, "another service answers there")


def _send_probe(target: str, is_client: bool, metadata: Any = ()) -> Any:
    """Return the answer of a server, or the status code of gRPC if there is none."""
    import grpc

    method, request = PROBES[is_client]
    with grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            return channel.unary_unary(method)(request, timeout=TIMEOUT, metadata=metadata)
        except grpc.RpcError as error:
            return error.code()


def _load_token() -> Any:
    """Return the token that is stored on this machine as metadata of gRPC, and make Ray send it, too.

    By itself Ray does so for the address `auto` only. The result is empty if there is no token.
    """
    raylet = import_ray()._raylet
    if not hasattr(raylet, "AuthenticationTokenLoader"):  # a Ray that is older than tokens
        return ()
    os.environ[TOKEN_VARIABLE] = "token"
    raylet.Config.initialize("")
    loader = raylet.AuthenticationTokenLoader.instance()
    return tuple(loader.get_token_for_http_header().items()) if loader.has_token(ignore_auth_mode=True) else ()


def _check_ray_version(address: str, cluster_version: str) -> None:
    """Refuse a cluster with another version of Ray, which may not even understand the requests of this one."""
    version = import_ray().__version__
    if cluster_version not in ("", version):
        raise _version_error(address, f"Ray {cluster_version} there, {version} here: install the same version")


def _version_error(address: str, details: str) -> ZerosumError:
    return ZerosumError(f"the cluster at {address} runs another version of Ray or Python than this machine: {details}")


def _no_cluster_error(address: str, reason: str) -> ZerosumError:
    return ZerosumError(
        f"there is no Ray cluster at {address} ({reason}): start one with ray start, or one here "
        f"({option_name('on', LOCAL)})"
    )


def _connection_error(address: str, error: Exception) -> ZerosumError:
    """Return the message for an error that Ray raised while it joined a cluster."""
    text = " ".join(str(error).split())
    if address == LOCAL:
        return ZerosumError(f"Ray could not start on this machine: {text[:300]}")
    if "version" in text.lower() and ("mismatch" in text.lower() or "differ" in text.lower()):
        return _version_error(address, text[:300])
    if isinstance(error, ConnectionAbortedError):
        log = "/tmp/ray/session_latest/logs/ray_client_server.err on its first machine"
        return ZerosumError(f"the Ray cluster at {address} refused the connection: see {log}")
    if isinstance(error, ConnectionError | TimeoutError):
        if address == AUTO or address.startswith(CLIENT):
            return _no_cluster_error(address, text.partition(". ")[0][:300])
        remedy = f"use {CLIENT}{address.rpartition(':')[0]}:10001, or let it join by ray start --address {address}"
        return ZerosumError(f"this machine does not belong to the Ray cluster at {address}: {remedy}")
    return ZerosumError(f"cannot join the Ray cluster at {address}: {text[:300]}")
