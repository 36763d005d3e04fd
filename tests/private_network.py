"""A separate network for the tests: a namespace with nothing but a loopback interface, so that nobody sees the
clusters and servers that they start."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct

NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of unshare(2)."""
SET_FLAGS, UP = 0x8914, 1
"""SIOCSIFFLAGS and IFF_UP of netdevice(7)."""


def enter() -> str | None:
    """Leave the network of this machine, with all that this thread starts from now on; returns why not, if so."""
    unshare = getattr(ctypes.CDLL(None, use_errno=True), "unshare", None)
    if unshare is None:
        return "only Linux has networks of a process's own"
    if unshare(NEW_NETWORK):
        return os.strerror(ctypes.get_errno())
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))
    return None
