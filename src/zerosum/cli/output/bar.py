"""A bar of characters."""

from __future__ import annotations

BAR = 6
TENTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, ascii_only: bool = False, width: int = BAR) -> str:
    """A small bar.

    >>> bar(0.5), bar(0.5, True)
    ('███   ', '###   ')
    """
    if ascii_only:
        return ("#" * round(share * width)).ljust(width)
    full, rest = divmod(round(share * width * 8), 8)
    return ("█" * full + (TENTHS[rest] if rest else "")).ljust(width)
