"""The gallery: every figure as it was run for the documents, with its picture, curves and verdicts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rue.papers.make import Made

HERE = Path(__file__).parent
PLACES = (HERE / "pictures", HERE.parents[2] / "docs" / "gallery")
"""In a package that was installed, and beside its source."""


@cache
def kept(key: str) -> Made | None:
    """A figure of the gallery; None if it is not there.

    >>> kept("dcfr-5").scale
    'gallery'
    """
    path = _file(f"{key}.json")
    return None if path is None else Made.load(path)


def picture(key: str) -> bytes | None:
    """Its picture, a PNG."""
    path = _file(f"{key}.png")
    return None if path is None else path.read_bytes()


def _file(name: str) -> Path | None:
    return next((place / name for place in PLACES if (place / name).is_file()), None)
