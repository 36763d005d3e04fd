"""The versions that all machines of a cluster must share, and errors of Ray as messages."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from zerosum import __version__
from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import code_version

PYTHON = ".".join(platform.python_version_tuple()[:2])
NOT_INSTALLED = "a machine of the cluster has no zerosum: install the same version there as here"


@dataclass(frozen=True)
class Versions:
    """The versions of zerosum, its sources and Python on this machine.

    >>> Versions().check_same_versions()
    >>> Versions(zerosum="0.0.1").check_same_versions()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    zerosum.ZerosumError: ... and the caller zerosum 0.0.1 ...: install the same version
    """

    zerosum: str = __version__
    code: str = field(default_factory=code_version)
    python: str = PYTHON

    def __str__(self) -> str:
        return f"zerosum {self.zerosum} (sources {self.code[:8]}) on Python {self.python}"

    def check_same_versions(self) -> None:
        """Refuse to work for a caller with other versions than this machine."""
        if self != Versions():
            raise ZerosumError(f"{platform.node()} runs {Versions()} and the caller {self}: install the same version")


@contextmanager
def name_machine_in_errors() -> Iterator[None]:
    """Add the name of this machine to the ZerosumErrors of a `with` block."""
    try:
        yield
    except ZerosumError as error:
        raise ZerosumError(f"{error} (on {platform.node()})") from None


def translate_error(ray: Any, error: BaseException) -> BaseException:
    """Return an error on the cluster as a ZerosumError, unless it is a bug."""
    errors = ray.exceptions
    text = " ".join(str(error).split())
    if "No module named 'zerosum'" in text:
        return ZerosumError(NOT_INSTALLED)
    if "No module named 'zerosum." in text:
        return ZerosumError("a machine of the cluster has another version of zerosum: install the same version as here")
    if isinstance(error, errors.RayTaskError):
        cause = error.cause
        if isinstance(cause, OSError):
            return ZerosumError(f"a machine of the cluster: {cause.strerror or cause}")
        return cause if isinstance(cause, ZerosumError) else error
    if isinstance(error, errors.OutOfDiskError):
        return ZerosumError("the disk for Ray's files is full on a machine of the cluster: free space there (/tmp/ray)")
    if isinstance(error, errors.RayError):
        return ZerosumError(f"a job was lost repeatedly on the cluster: {text[:200]}")
    return error
