"""Who answers at an address: asked before Ray is, because Ray would try for minutes and does not tell why."""

from __future__ import annotations

import os
import re
import socket
from importlib import import_module
from typing import Any

from rue.cluster.library import ray_module
from rue.errors import RueError

LOCAL = "local"
"""The address of a cluster of our own on this machine."""
AUTO = "auto"
"""The address of the cluster that runs on this machine."""
CLIENT = "ray://"
"""How an address begins that is reached through Ray's client."""
ADDRESS = re.compile(r"(?P<client>ray://)?(?P<host>[^\s:/]+|\[[^\s/]+\]):(?P<port>\d{1,5})")
PATIENCE = 5
"""Seconds that somebody has to answer at an address."""
QUESTIONS = {
    True: ("/ray.rpc.RayletDriver/ClusterInfo", b"\x08\x06"),
    False: ("/ray.rpc.NodeInfoGcsService/CheckAlive", b""),
}
"""What the server of Ray's client (a ping) and the head of a cluster answer to."""
TOKEN = "RAY_AUTH_MODE"
"""What makes Ray send the token that is kept on this machine."""

KEEP = "keep what ray get-auth-token says there in ~/.ray/auth_token on this machine"


def knock(address: str) -> None:
    """Refuse an address at which no cluster answers; show the token of this machine to one that asks for it."""
    read = ADDRESS.fullmatch(address)
    if read is None:
        raise RueError(
            f"{address!r} is no address of a Ray cluster: write {LOCAL}, {AUTO}, HOST:PORT or {CLIENT}HOST:PORT"
        )
    try:
        socket.create_connection((read["host"].strip("[]"), int(read["port"])), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise nobody(address, getattr(error, "strerror", None) or str(error)) from None
    if "RAY_USE_TLS" not in os.environ:
        _ask(address, f"{read['host']}:{read['port']}", bool(read["client"]))


def nobody(address: str, why: str) -> RueError:
    """There is nobody at an address."""
    return RueError(
        f"there is no Ray cluster at {address} ({why}): start one with ray start, or one here "
        f"(--on {LOCAL}, on='{LOCAL}')"
    )


def other_version(address: str, theirs: str) -> RueError:
    """The cluster at an address is not like this machine."""
    return RueError(f"the cluster at {address} runs another version of Ray or Python than this machine: {theirs}")


def check_ray(address: str, theirs: str) -> None:
    """Refuse a cluster with another version of Ray, which may not even understand what is asked of it."""
    ours = ray_module().__version__
    if theirs not in ("", ours):
        raise other_version(address, f"Ray {theirs}, and here it is {ours}: install the same")


def _ask(address: str, place: str, client: bool) -> None:
    try:
        import grpc
    except ImportError:
        if client:
            raise RueError(f'{address} needs Ray\'s client: pip install "rue[cluster]"') from None
        return
    answer = _answer(place, QUESTIONS[client])
    if answer is grpc.StatusCode.UNAUTHENTICATED and os.environ.get(TOKEN, "token").lower() == "token":
        answer = _answer(place, QUESTIONS[client], _token())
    if isinstance(answer, bytes) and not client:
        check_ray(address, _version(answer))
    if answer is grpc.StatusCode.UNAUTHENTICATED:
        raise RueError(f"the cluster at {address} asks for its token: {KEEP}")
    if answer is grpc.StatusCode.UNIMPLEMENTED:
        raise RueError(
            f"there is another service at {address}: {CLIENT}HOST:PORT takes the port of Ray's client server "
            "(10001, unless ray start was told another), HOST:PORT that of the head (6379)"
        )
    if answer in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
        raise nobody(address, "what answers there is not Ray")


def _answer(place: str, question: tuple[str, bytes], shown: Any = ()) -> Any:
    """The answer to a question, or what is wrong in the words of gRPC."""
    import grpc

    with grpc.insecure_channel(place, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            return channel.unary_unary(question[0])(question[1], timeout=PATIENCE, metadata=shown)
        except grpc.RpcError as error:
            return error.code()


def _version(answer: bytes) -> str:
    messages: Any = import_module("ray.core.generated.gcs_service_pb2")
    return str(messages.CheckAliveReply.FromString(answer).ray_version)


def _token() -> Any:
    """The token that is kept on this machine, as it is shown, and from now on by Ray too; nothing if there is none.

    Ray does so by itself for `auto` alone.
    """
    within = ray_module()._raylet
    if not hasattr(within, "AuthenticationTokenLoader"):  # a Ray that is older than tokens
        return ()
    os.environ[TOKEN] = "token"
    within.Config.initialize("")
    kept = within.AuthenticationTokenLoader.instance()
    return tuple(kept.get_token_for_http_header().items()) if kept.has_token(ignore_auth_mode=True) else ()
