"""How things read in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

LONGEST = 100
"""Characters of a name in a sentence."""
OF_IT = "of the locked game"
"""Told of numbers that locks change."""


def readable(count: float) -> str:
    """A number of bytes for a person.

    >>> readable(3.2e9)
    '3.2 GB'
    """
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    if unit == "bytes":
        return f"{count:.0f} {unit}"
    return f"{count:.1f} {unit}" if count < 1e6 else f"{count:.1g} {unit}"


def quoted(text: object) -> str:
    """A name in a sentence: in quotes, on one line and not too long.

    >>> quoted("K|bet"), len(quoted("x" * 1000))
    ("'K|bet'", 100)
    """
    shown = repr(str(text))
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 4]}...'"


def visible(text: str) -> str:
    """A text without characters that a terminal would obey: a file may hold any.

    >>> visible("a\\x1b[31mb\\r\\n"), visible("K│bet")
    ('a?[31mb?\\n', 'K│bet')
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in "\n\t" else "?" for each in text)


def short(value: float) -> str:
    """A number, four digits of it.

    >>> short(0.0123456), short(1.23456e-07), short(0)
    ('0.01235', '1.235e-07', '0')
    """
    return f"{value:.4g}"


def rate(iterations: int, seconds: float) -> str:
    """Iterations a second.

    >>> rate(1000, 0.5), rate(10, 4), rate(0, 1)
    ('2,000', '2.5', '-')
    """
    if not iterations or seconds <= 0:
        return "-"
    speed = iterations / seconds
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}"


def duration(seconds: float) -> str:
    """A time for a person.

    >>> duration(0.01234), duration(12.3), duration(754), duration(7384)
    ('0.012 s', '12.3 s', '12:34 min', '2:03:04 h')
    """
    if seconds < 1:
        return f"{seconds:.3f} s"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d} h"


def pieces(actions: Mapping[str, float]) -> str:
    """The actions that are taken, the likeliest first.

    >>> pieces({"check": 0.25, "bet": 0.75, "fold": 0.0})
    'bet 75%  check 25%'
    """
    likely = sorted(actions.items(), key=lambda pair: -pair[1])
    return "  ".join(f"{action} {percent(chance)}" for action, chance in likely if chance >= 0.005)


def percent(share: float) -> str:
    """A probability as a percentage that is 0% or 100% only if it is nearly so.

    >>> percent(0.634), percent(0.0004), percent(0.9996), percent(1.0), percent(0.0)
    ('63%', '<1%', '>99%', '100%', '0%')
    """
    if 1e-6 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1 - 1e-6:
        return ">99%"
    return f"{share:.0%}"
