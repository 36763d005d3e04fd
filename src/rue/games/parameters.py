"""Checks of a game's parameters: each returns the value, or says in one sentence what was due."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from rue.errors import RueError, nearest


def whole(what: str, value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`.

    >>> whole("suits", 2, least=1, most=4)
    2
    >>> whole("suits", 0, least=1, most=4)
    Traceback (most recent call last):
    ...
    rue.errors.RueError: suits must be a whole number from 1 to 4, not 0
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RueError(f"{what} must be a whole number from {least} to {most}, not {_shown(value)}")
    return value


def number(what: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise RueError(f"{what} must be a number, not {_shown(value)}")
    return value


def positive(what: str, value: Any) -> float:
    """A finite number above zero."""
    if number(what, value) <= 0:
        raise RueError(f"{what} must be above zero, not {_shown(value)}")
    return float(value)


def numbers(what: str, value: Any, length: int | None = None) -> tuple[float, ...]:
    """A list of finite numbers, at least one, or exactly `length` of them."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise RueError(f"{what} must be a list of numbers like [1, 2], not {_shown(value)}")
    if length is not None and len(value) != length:
        raise RueError(f"{what} must be a list of {length} numbers, not {_shown(value)}")
    return tuple(number(f"every one of {what}", entry) for entry in value)


def truth(what: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise RueError(f"{what} must be true or false, not {_shown(value)}")
    return value


def word(what: str, value: Any, words: Sequence[str]) -> str:
    """One of the given words."""
    if value not in words:
        hint = nearest(value, words) if isinstance(value, str) else f"valid names are {', '.join(words)}"
        raise RueError(f"{what} cannot be {_shown(value)}; {hint}")
    return str(value)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
