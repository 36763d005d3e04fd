"""Checks of data from files; a ValueError says what is wrong, and its reader names the file."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from zerosum.support.text import quote


def decode_text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a text")
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
    """Return a value of a file that must be a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} should be a number between 0 and 1")
    return float(value)
