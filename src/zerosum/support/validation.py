"""Checks of arguments, of the parameters of games, and of data from files.

A wrong argument raises a ZerosumError. Wrong data raises a ValueError, and the caller adds the name of the file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from numbers import Integral, Real
from pathlib import Path, PurePath
from typing import Any

from zerosum.support.errors import ZerosumError, shorten, suggest_names
from zerosum.support.text import quote

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
    """Return whether a value is a real number in the range of floats; booleans are not numbers.

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


def check_whole_number(name: str, value: Any, least: int, floats: bool = False) -> None:
    """Raise an error unless a value is None or an integer of at least `least`; with `floats`, 1e7 is one, too.

    >>> check_whole_number("seed", 3, least=0)
    >>> check_whole_number("seed", "x", least=0)
    Traceback (most recent call last):
    zerosum.ZerosumError: seed must be a whole number of at least 0, not 'x'
    """
    whole = is_number(value) and (isinstance(value, Integral) or (floats and math.isfinite(value) and value % 1 == 0))
    if value is not None and not (whole and value >= least):
        raise ZerosumError(f"{name} must be a whole number of at least {least}, not {short_repr(value)}")


def check_optional_bool(name: str, value: Any) -> None:
    """Raise an error unless a value is None, true or false.

    >>> check_optional_bool("instant", "yes")
    Traceback (most recent call last):
    zerosum.ZerosumError: instant must be true or false, not 'yes'
    """
    if value is not None:
        check_bool(name, value)


def check_bool(name: str, value: Any) -> None:
    """Raise an error unless a value is true or false."""
    if not isinstance(value, bool):
        raise ZerosumError(f"{name} must be true or false, not {short_repr(value)}")


def check_function(name: str, value: Any) -> None:
    """Raise an error unless a value is None or callable.

    >>> check_function("progress", 5)
    Traceback (most recent call last):
    zerosum.ZerosumError: progress must be a function, not 5
    """
    if value is not None and not callable(value):
        raise ZerosumError(f"{name} must be a function, not {short_repr(value)}")


def check_integer(name: str, value: Any, least: int, most: int) -> int:
    """Return a value if it is an integer from `least` to `most`; raise an error otherwise.

    >>> check_integer("suits", 0, least=1, most=4)
    Traceback (most recent call last):
    zerosum.ZerosumError: suits must be a whole number from 1 to 4, not 0
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ZerosumError(f"{name} must be a whole number from {least} to {most}, not {short_repr(value)}")
    return value


def check_number(name: str, value: Any) -> float:
    """Return a value if it is a finite number; raise an error otherwise."""
    if not is_number(value) or not math.isfinite(value):
        raise ZerosumError(f"{name} must be a number, not {short_repr(value)}")
    return float(value)


def check_positive(name: str, value: Any) -> float:
    """Return a value if it is a finite number above zero; raise an error otherwise."""
    if check_number(name, value) <= 0:
        raise ZerosumError(f"{name} must be above zero, not {short_repr(value)}")
    return float(value)


def check_numbers(name: str, value: Any, length: int | None = None) -> tuple[float, ...]:
    """Return the finite numbers of a list, at least one or exactly `length`; raise an error if it is anything else."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ZerosumError(f"{name} must be a list of numbers like [1, 2], not {short_repr(value)}")
    if length is not None and len(value) != length:
        raise ZerosumError(f"{name} must be a list of {length} numbers, not {short_repr(value)}")
    return tuple(check_number(f"every one of {name}", entry) for entry in value)


def check_choice(name: str, value: Any, words: Sequence[str]) -> str:
    """Return a word if it is among the valid ones; raise an error otherwise."""
    if value not in words:
        hint = suggest_names(value, words) if isinstance(value, str) else f"valid names are {', '.join(words)}"
        raise ZerosumError(f"{name} cannot be {short_repr(value)}; {hint}")
    return str(value)


def check_list(name: str, value: Any, most: int) -> list[Any]:
    """Return the members of an iterable as a list; more than `most` are an error.

    >>> check_list("seeds", (seed for seed in (1, 2)), most=9)
    [1, 2]
    >>> check_list("seeds", range(10**9), most=9)
    Traceback (most recent call last):
    zerosum.ZerosumError: seeds are limited to 9: give fewer
    >>> check_list("seeds", "12", most=9)
    Traceback (most recent call last):
    zerosum.ZerosumError: seeds must be a list, not '12'
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ZerosumError(f"{name} must be a list, not {short_repr(value)}")
    values = list(islice(value, most + 1))
    if len(values) > most:
        raise ZerosumError(f"{name} are limited to {most:,}: give fewer")
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
    zerosum.ZerosumError: a file or a folder is named by a string or a path, not by 3
    """
    if isinstance(value, str) and not value:
        raise ZerosumError("the name of a file or a folder is empty")
    if not isinstance(value, str | os.PathLike) or "\0" in str(value):
        raise ZerosumError(f"a file or a folder is named by a string or a path, not by {short_repr(value)}")
    return Path(value)


def decode_text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a string")
    return value


def decode_bool(value: Any) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} should be true or false")
    return value


def decode_count(value: Any) -> int:
    """Return a whole number from 0 on.

    >>> decode_count(3)
    3
    >>> decode_count(-1.0)
    Traceback (most recent call last):
    ValueError: '-1.0' should be a whole number from 0 on
    """
    if type(value) is not int or not 0 <= value < 2**53:
        raise ValueError(f"{quote(value)} should be a whole number from 0 on")
    return value


def decode_number(value: Any) -> float:
    """Return a finite number."""
    if type(value) in (int, float):
        with suppress(OverflowError):
            if math.isfinite(value):
                return float(value)
    raise ValueError(f"{quote(value)} should be a finite number")


def decode_probability(value: Any) -> float:
    """Return a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} should be a number between 0 and 1")
    return float(value)
