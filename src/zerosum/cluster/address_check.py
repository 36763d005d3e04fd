"""Checking what answers at an address before Ray tries to join, for minutes and without saying why it fails."""

from __future__ import annotations

import os
import re
import socket
from importlib import import_module
from typing import Any

from zerosum.cluster.ray_import import import_ray
from zerosum.support.errors import ZerosumError, missing_extra
from zerosum.support.options import option_name

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

TOKEN_HINT = "copy what ray get-auth-token prints there into ~/.ray/auth_token on this machine"


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
        raise no_cluster_error(address, getattr(error, "strerror", None) or str(error)) from None
    if "RAY_USE_TLS" not in os.environ:
        _probe(address, f"{match['host']}:{match['port']}", bool(match["client"]))


def no_cluster_error(address: str, reason: str) -> ZerosumError:
    """Return the error for an address without a cluster."""
    return ZerosumError(
        f"there is no Ray cluster at {address} ({reason}): start one with ray start, or one here "
        f"({option_name('on', LOCAL)})"
    )


def version_error(address: str, details: str) -> ZerosumError:
    """Return the error for a cluster with other versions than this machine."""
    return ZerosumError(f"the cluster at {address} runs another version of Ray or Python than this machine: {details}")


def check_ray_version(address: str, cluster_version: str) -> None:
    """Refuse a cluster with another version of Ray, which may not even understand the requests of this one."""
    version = import_ray().__version__
    if cluster_version not in ("", version):
        raise version_error(address, f"Ray {cluster_version} there, {version} here: install the same version")


def _probe(address: str, target: str, client: bool) -> None:
    """Refuse a server that does not answer like a Ray cluster of the same version."""
    try:
        import grpc
    except ImportError:
        if client:
            raise missing_extra(address, "cluster") from None
        return
    answer = _send_probe(target, PROBES[client])
    if answer is grpc.StatusCode.UNAUTHENTICATED and os.environ.get(TOKEN_VARIABLE, "token").lower() == "token":
        answer = _send_probe(target, PROBES[client], _token())
    if isinstance(answer, bytes) and not client:
        check_ray_version(address, _version(answer))
    if answer is grpc.StatusCode.UNAUTHENTICATED:
        raise ZerosumError(f"the cluster at {address} requires its token: {TOKEN_HINT}")
    if answer is grpc.StatusCode.UNIMPLEMENTED:
        raise ZerosumError(
            f"there is another service at {address}: {CLIENT}HOST:PORT needs the port of Ray's client server "
            "(10001 by default), HOST:PORT that of the head (6379)"
        )
    if answer in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
        raise no_cluster_error(address, "another service answers there")


def _send_probe(target: str, request: tuple[str, bytes], metadata: Any = ()) -> Any:
    """Return the answer to a request, or the status code of gRPC if there is none."""
    import grpc

    with grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            return channel.unary_unary(request[0])(request[1], timeout=TIMEOUT, metadata=metadata)
        except grpc.RpcError as error:
            return error.code()


def _version(answer: bytes) -> str:
    messages: Any = import_module("ray.core.generated.gcs_service_pb2")
    return str(messages.CheckAliveReply.FromString(answer).ray_version)


def _token() -> Any:
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
