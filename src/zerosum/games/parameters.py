"""Checks for the parameters of a game: each returns the value or raises an error that says what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from zerosum.support.errors import ZerosumError, suggest_names


def check_integer(what: str, value: Any, least: int, most: int) -> int:
    """Check a whole number from `least` to `most`.

    >>> check_integer("suits", 2, least=1, most=4)
    2
    >>> check_integer("suits", 0, least=1, most=4)
    Traceback (most recent call last):
    ...
    zerosum.ZerosumError: suits must be a whole number from 1 to 4, not 0
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ZerosumError(f"{what} must be a whole number from {least} to {most}, not {_shorten(value)}")
    return value


def check_number(what: str, value: Any) -> float:
    """Check a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ZerosumError(f"{what} must be a number, not {_shorten(value)}")
    return value


def check_positive(what: str, value: Any) -> float:
    """Check a finite number above zero."""
    if check_number(what, value) <= 0:
        raise ZerosumError(f"{what} must be above zero, not {_shorten(value)}")
    return float(value)


def check_numbers(what: str, value: Any, length: int | None = None) -> tuple[float, ...]:
    """Check a list of finite numbers: at least one, or exactly `length` of them."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ZerosumError(f"{what} must be a list of numbers like [1, 2], not {_shorten(value)}")
    if length is not None and len(value) != length:
        raise ZerosumError(f"{what} must be a list of {length} numbers, not {_shorten(value)}")
    return tuple(check_number(f"every one of {what}", entry) for entry in value)


def check_bool(what: str, value: Any) -> bool:
    """Check a value that must be true or false."""
    if not isinstance(value, bool):
        raise ZerosumError(f"{what} must be true or false, not {_shorten(value)}")
    return value


def check_choice(what: str, value: Any, words: Sequence[str]) -> str:
    """Check a word against a list of valid ones."""
    if value not in words:
        hint = suggest_names(value, words) if isinstance(value, str) else f"valid names are {', '.join(words)}"
        raise ZerosumError(f"{what} cannot be {_shorten(value)}; {hint}")
    return str(value)


def _shorten(value: Any) -> str:
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
