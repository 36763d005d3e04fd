"""Chances in words and small bars."""

from __future__ import annotations

from typing import Any

BAR = 6
TENTHS = " ▏▎▍▌▋▊▉█"


def pieces(actions: Any) -> str:
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


def bar(share: float, ascii_only: bool = False, width: int = BAR) -> str:
    """A small bar.

    >>> bar(0.5), bar(0.5, True)
    ('███   ', '###   ')
    """
    if ascii_only:
        return ("#" * round(share * width)).ljust(width)
    full, rest = divmod(round(share * width * 8), 8)
    return ("█" * full + (TENTHS[rest] if rest else "")).ljust(width)
