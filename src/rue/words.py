"""How things read in a sentence."""

from __future__ import annotations

LONGEST = 100
"""Characters of a name in a sentence."""


def readable(count: float) -> str:
    """A number of bytes for a person.

    >>> readable(3.2e9)
    '3.2 GB'
    """
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"


def quoted(text: object) -> str:
    """A name in a sentence: in quotes, on one line and not too long.

    >>> quoted("K|bet"), len(quoted("x" * 1000))
    ("'K|bet'", 100)
    """
    shown = repr(str(text))
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 4]}...'"


def short(value: float) -> str:
    """A number, four digits of it.

    >>> short(0.0123456), short(1.23456e-07), short(0)
    ('0.01235', '1.235e-07', '0')
    """
    return f"{value:.4g}"
