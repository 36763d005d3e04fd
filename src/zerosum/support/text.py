"""Numbers, durations, shares and names as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from zerosum.support.errors import ZerosumError

MAX_NAME_LENGTH = 100
"""Characters of a name in a message."""
OF_LOCKED_GAME = "of the locked game"
"""Qualifies numbers that depend on locks."""


def format_bytes(count: float) -> str:
    """Return a number of bytes in a readable unit.

    >>> format_bytes(3.2e9)
    '3.2 GB'
    """
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    if unit == "bytes":
        return f"{count:.0f} {unit}"
    return f"{count:.1f} {unit}" if count < 1e6 else f"{count:.1g} {unit}"


def quote(text: object) -> str:
    """Return a name for a message: in quotes, on one line and not too long.

    >>> quote("K|bet"), len(quote("x" * 1000))
    ("'K|bet'", 100)
    """
    quoted = repr(str(text))
    return quoted if len(quoted) <= MAX_NAME_LENGTH else f"{quoted[: MAX_NAME_LENGTH - 4]}...'"


def mask_control_characters(text: str) -> str:
    """Replace the control characters of a text, which may come from any file: a terminal would obey them.

    >>> mask_control_characters("a\\x1b[31mb\\r\\n"), mask_control_characters("K│bet")
    ('a?[31mb?\\n', 'K│bet')
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() or character in "\n\t" else "?" for character in text)


def format_number(value: float) -> str:
    """Return a number with four significant digits.

    >>> format_number(0.0123456), format_number(1.23456e-07), format_number(0)
    ('0.01235', '1.235e-07', '0')
    """
    return f"{value:.4g}"


def format_rate(iterations: int, seconds: float) -> str:
    """Return the iterations per second.

    >>> format_rate(1000, 0.5), format_rate(10, 4), format_rate(0, 1)
    ('2,000', '2.5', '-')
    """
    if not iterations or seconds <= 0:
        return "-"
    speed = iterations / seconds
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}"


def format_duration(seconds: float) -> str:
    """Return a duration in a readable unit.

    >>> format_duration(0.01234), format_duration(12.3), format_duration(754), format_duration(7384)
    ('0.012 s', '12.3 s', '12:34 min', '2:03:04 h')
    """
    if seconds < 1:
        return f"{seconds:.3f} s"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d} h"


def format_mix(actions: Mapping[str, float]) -> str:
    """Return the actions of a mixed strategy, the likeliest first.

    >>> format_mix({"check": 0.25, "bet": 0.75, "fold": 0.0})
    'bet 75%  check 25%'
    """
    ordered = sorted(actions.items(), key=lambda pair: -pair[1])
    return "  ".join(f"{action} {format_percent(chance)}" for action, chance in ordered if chance >= 0.005)


def format_percent(share: float) -> str:
    """Return a probability as a percentage that is 0% or 100% only if the probability nearly is.

    >>> format_percent(0.634), format_percent(0.0004), format_percent(0.9996), format_percent(1.0), format_percent(0.0)
    ('63%', '<1%', '>99%', '100%', '0%')
    """
    if 1e-6 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1 - 1e-6:
        return ">99%"
    return f"{share:.0%}"


def parse_share(value: float | str, name: str, *, may_exceed: bool = False) -> float:
    """Parse a share such as `5%` or 0.05; a bare number above 1 is ambiguous and refused unless it `may_exceed` 1.

    >>> parse_share("5%", "rake"), parse_share("0.05", "rake"), parse_share(0, "rake")
    (0.05, 0.05, 0.0)
    >>> parse_share(5, "rake")
    Traceback (most recent call last):
    zerosum.ZerosumError: the rake must be a share, and 5 is more than 100%: write 5% or 0.05
    """
    text = str(value).strip()
    try:
        share = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise ZerosumError(f"cannot read the {name} {value!r}: write a share like 5%") from None
    if share > 1 and not may_exceed and not text.endswith("%"):
        raise ZerosumError(
            f"the {name} must be a share, and {value} is more than 100%: write {share:g}% or {share / 100:g}"
        )
    return share


def format_csv(headings: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as CSV; None is an empty cell.

    >>> format_csv(["game", "nodes"], [["kuhn", None], ["leduc", 7]])
    'game,nodes\\nkuhn,\\nleduc,7\\n'
    """
    import csv  # only commands that write CSV load it
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return buffer.getvalue()
