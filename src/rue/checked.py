"""What people give, checked for its kind: whole numbers, functions, paths."""

from __future__ import annotations

import math
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from rue.errors import RueError


def is_number(given: object) -> bool:
    """Whether something is a real number that a float can hold; true and false are none.

    >>> is_number(3), is_number(True), is_number(10**400)
    (True, False, False)
    """
    if not isinstance(given, Real) or isinstance(given, bool):
        return False
    try:
        float(given)
    except OverflowError:
        return False
    return True


def check_whole(what: str, given: Any, least: int, floats: bool = False) -> None:
    """Refuse what is no whole number of at least so many; nothing given is fine. With `floats`, 1e7 is one, too.

    >>> check_whole("seed", 3, least=0)
    >>> check_whole("seed", "x", least=0)
    Traceback (most recent call last):
    rue.errors.RueError: seed must be a whole number of at least 0, not x
    """
    whole = is_number(given) and (isinstance(given, Integral) or (floats and math.isfinite(given) and given % 1 == 0))
    if given is not None and not (whole and given >= least):
        raise RueError(f"{what} must be a whole number of at least {least}, not {given}")


def check_function(what: str, given: Any) -> None:
    """Refuse what cannot be called; nothing given is fine.

    >>> check_function("progress", 5)
    Traceback (most recent call last):
    rue.errors.RueError: progress must be a function, not 5
    """
    if given is not None and not callable(given):
        raise RueError(f"{what} must be a function, not {given!r:.60}")


def as_path(given: Any) -> Path:
    """The path that was given.

    >>> as_path(3)
    Traceback (most recent call last):
    rue.errors.RueError: a file or a folder is named by a text or a path, not by 3
    """
    try:
        path = Path(given)
        if "\0" not in str(path):
            return path
    except TypeError:
        pass
    raise RueError(f"a file or a folder is named by a text or a path, not by {given!r:.60}")
