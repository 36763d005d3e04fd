"""Checks of arguments: integers, flags, functions, paths, lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from numbers import Integral, Real
from pathlib import Path, PurePath
from typing import Any

from zerosum.support.errors import ZerosumError, shorten

MAX_REPR_LENGTH = 60
"""Characters of a value in an error message."""


def short_repr(value: object) -> str:
    """Return the representation of a value for an error message, shortened.

    >>> short_repr("20"), len(short_repr("x" * 3000))
    ("'20'", 60)
    """
    try:
        return shorten(repr(value), MAX_REPR_LENGTH)
    except Exception:  # an integer with too many digits, or a repr() that fails
        return f"something of {type(value).__name__}"


def is_number(value: object) -> bool:
    """Return whether a value is a real number that fits a float; booleans do not count.

    >>> is_number(3), is_number(True), is_number(10**400)
    (True, False, False)
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def check_whole(what: str, value: Any, least: int, floats: bool = False) -> None:
    """Raise an error unless a value is None or an integer of at least `least`; with `floats`, 1e7 is one, too.

    >>> check_whole("seed", 3, least=0)
    >>> check_whole("seed", "x", least=0)
    Traceback (most recent call last):
    zerosum.ZerosumError: seed must be a whole number of at least 0, not 'x'
    """
    whole = is_number(value) and (isinstance(value, Integral) or (floats and math.isfinite(value) and value % 1 == 0))
    if value is not None and not (whole and value >= least):
        raise ZerosumError(f"{what} must be a whole number of at least {least}, not {short_repr(value)}")


def check_flag(what: str, value: Any) -> None:
    """Raise an error unless a value is None, true or false.

    >>> check_flag("instant", "yes")
    Traceback (most recent call last):
    zerosum.ZerosumError: instant must be true or false, not 'yes'
    """
    if value is not None and not isinstance(value, bool):
        raise ZerosumError(f"{what} must be true or false, not {short_repr(value)}")


def check_function(what: str, value: Any) -> None:
    """Raise an error unless a value is None or callable.

    >>> check_function("progress", 5)
    Traceback (most recent call last):
    zerosum.ZerosumError: progress must be a function, not 5
    """
    if value is not None and not callable(value):
        raise ZerosumError(f"{what} must be a function, not {short_repr(value)}")


def list_members(what: str, value: Any, most: int) -> list[Any]:
    """Return the members of an iterable as a list; more than `most` are an error.

    >>> list_members("seeds", (seed for seed in (1, 2)), most=9)
    [1, 2]
    >>> list_members("seeds", range(10**9), most=9)
    Traceback (most recent call last):
    zerosum.ZerosumError: seeds are limited to 9: give fewer
    >>> list_members("seeds", "12", most=9)
    Traceback (most recent call last):
    zerosum.ZerosumError: seeds must be a list, not '12'
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ZerosumError(f"{what} must be a list, not {short_repr(value)}")
    values = list(islice(value, most + 1))
    if len(values) > most:
        raise ZerosumError(f"{what} are limited to {most:,}: give fewer")
    return values


def path_as_text(value: Any) -> Any:
    """Return a path as text, and any other value unchanged.

    >>> path_as_text(Path("games/k.efg")), path_as_text(3)
    ('games/k.efg', 3)
    """
    return str(value) if isinstance(value, PurePath) else value


def as_path(value: Any) -> Path:
    """Return a value as a path; raise an error if it cannot be one.

    >>> as_path(3)
    Traceback (most recent call last):
    zerosum.ZerosumError: a file or a folder is named by a text or a path, not by 3
    """
    if isinstance(value, str) and not value:
        raise ZerosumError("the name of a file or a folder is empty")
    try:
        path = Path(value)
        if "\0" not in str(path):
            return path
    except TypeError:
        pass
    raise ZerosumError(f"a file or a folder is named by a text or a path, not by {short_repr(value)}")
