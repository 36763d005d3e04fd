"""What people give, checked for its kind: whole numbers, yes or no, functions, paths, lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from numbers import Integral, Real
from pathlib import Path, PurePath
from typing import Any

from rue.errors import RueError, shortened

SHOWN = 60
"""Characters of what was given, in a sentence."""


def shown(given: object) -> str:
    """What was given, as Python writes it, and not too long.

    >>> shown("20"), len(shown("x" * 3000))
    ("'20'", 60)
    """
    try:
        return shortened(repr(given), SHOWN)
    except Exception:  # of a number of too many digits, or of a class of one's own
        return f"something of {type(given).__name__}"


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
    rue.errors.RueError: seed must be a whole number of at least 0, not 'x'
    """
    whole = is_number(given) and (isinstance(given, Integral) or (floats and math.isfinite(given) and given % 1 == 0))
    if given is not None and not (whole and given >= least):
        raise RueError(f"{what} must be a whole number of at least {least}, not {shown(given)}")


def check_flag(what: str, given: Any) -> None:
    """Refuse what is neither true nor false; nothing given is fine.

    >>> check_flag("instant", "yes")
    Traceback (most recent call last):
    rue.errors.RueError: instant must be true or false, not 'yes'
    """
    if given is not None and not isinstance(given, bool):
        raise RueError(f"{what} must be true or false, not {shown(given)}")


def check_function(what: str, given: Any) -> None:
    """Refuse what cannot be called; nothing given is fine.

    >>> check_function("progress", 5)
    Traceback (most recent call last):
    rue.errors.RueError: progress must be a function, not 5
    """
    if given is not None and not callable(given):
        raise RueError(f"{what} must be a function, not {shown(given)}")


def members(what: str, given: Any, most: int) -> list[Any]:
    """The members of whatever can be gone through, no more than so many.

    >>> members("seeds", (seed for seed in (1, 2)), most=9)
    [1, 2]
    >>> members("seeds", range(10**9), most=9)
    Traceback (most recent call last):
    rue.errors.RueError: seeds are at most 9, and these are more
    >>> members("seeds", "12", most=9)
    Traceback (most recent call last):
    rue.errors.RueError: seeds are given as a list, not as '12'
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise RueError(f"{what} are given as a list, not as {shown(given)}")
    found = list(islice(given, most + 1))
    if len(found) > most:
        raise RueError(f"{what} are at most {most:,}, and these are more")
    return found


def named(given: Any) -> Any:
    """What a path names, as its text says it too; all else as it is.

    >>> named(Path("games/k.efg")), named(3)
    ('games/k.efg', 3)
    """
    return str(given) if isinstance(given, PurePath) else given


def as_path(given: Any) -> Path:
    """The path that was given.

    >>> as_path(3)
    Traceback (most recent call last):
    rue.errors.RueError: a file or a folder is named by a text or a path, not by 3
    """
    if isinstance(given, str) and not given:
        raise RueError("the name of a file or a folder is empty")
    try:
        path = Path(given)
        if "\0" not in str(path):
            return path
    except TypeError:
        pass
    raise RueError(f"a file or a folder is named by a text or a path, not by {shown(given)}")
