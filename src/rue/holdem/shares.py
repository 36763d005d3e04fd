"""Shares as people write them: `5%` or 0.05."""

from __future__ import annotations

from rue.errors import RueError


def parse_share(given: float | str, what: str) -> float:
    """A share: `5%`, or 0.05; a bare number above 1 is asked about.

    >>> parse_share("5%", "rake"), parse_share("0.05", "rake"), parse_share(0, "rake")
    (0.05, 0.05, 0.0)
    >>> parse_share(5, "rake")
    Traceback (most recent call last):
    rue.errors.RueError: the rake must be a share, and 5 is more than all: write 5% or 0.05
    """
    text = str(given).strip()
    try:
        share = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise RueError(f"cannot read the {what} {given!r}: write a share like 5%") from None
    if share > 1 and not text.endswith("%"):
        raise RueError(f"the {what} must be a share, and {given} is more than all: write {share:g}% or {share / 100:g}")
    return share
