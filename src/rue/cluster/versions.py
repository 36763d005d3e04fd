"""What machines of a cluster must have in common, and what went wrong on one of them, in a sentence."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from rue import __version__
from rue.errors import RueError
from rue.records import dataclass
from rue.sources import code_version

PYTHON = ".".join(platform.python_version_tuple()[:2])
LACKING = "a machine of the cluster lacks rue: install it there, the same version as here"


@dataclass(frozen=True)
class Versions:
    """Of rue, its sources and Python, on the machine where it is made.

    >>> Versions().check()
    >>> Versions(rue="0.0.1").check()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rue.errors.RueError: ... and the one that asks rue 0.0.1 ...: install the same
    """

    rue: str = __version__
    code: str = field(default_factory=code_version)
    python: str = PYTHON

    def __str__(self) -> str:
        return f"rue {self.rue} (sources {self.code[:8]}) on Python {self.python}"

    def check(self) -> None:
        """Refuse to work for another version than that of this machine."""
        if self != Versions():
            raise RueError(f"{platform.node()} has {Versions()} and the one that asks {self}: install the same")


@contextmanager
def told_with_machine() -> Iterator[None]:
    """Say in a sentence that something is wrong on which machine it is."""
    try:
        yield
    except RueError as error:
        raise RueError(f"{error} (on {platform.node()})") from None


def told(ray: Any, error: BaseException) -> BaseException:
    """What went wrong on the cluster, as a sentence if it is nobody's mistake in the code."""
    errors = ray.exceptions
    text = " ".join(str(error).split())
    if "No module named 'rue'" in text:
        return RueError(LACKING)
    if "No module named 'rue." in text:
        return RueError("a machine of the cluster has another version of rue: install the same version as here")
    if isinstance(error, errors.RayTaskError):
        cause = error.cause
        if isinstance(cause, OSError):
            return RueError(f"a machine of the cluster: {cause.strerror or cause}")
        return cause if isinstance(cause, RueError) else error
    if isinstance(error, errors.OutOfDiskError):
        return RueError("the disk of Ray's own files is full on a machine of the cluster: make room there (/tmp/ray)")
    if isinstance(error, errors.RayError):
        return RueError(f"a piece of work was lost again and again on the cluster: {text[:200]}")
    return error
