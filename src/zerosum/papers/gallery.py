"""The figures that ship with the package: the pictures, curves and verdicts of the documents."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from zerosum.papers.reproduction import FigureResult

PACKAGE = Path(__file__).parent
FOLDERS = (PACKAGE / "pictures", PACKAGE.parents[2] / "docs" / "gallery")
"""In an installed package, and beside the source."""


@cache
def load_figure(key: str) -> FigureResult | None:
    """Return a figure of the gallery, or None if it is not there.

    >>> load_figure("dcfr-5").scale
    'gallery'
    """
    path = _find_file(f"{key}.json")
    return None if path is None else FigureResult.load(path)


def load_picture(key: str) -> bytes | None:
    """Return the picture of a figure as PNG, or None if it is not there."""
    path = _find_file(f"{key}.png")
    return None if path is None else path.read_bytes()


def _find_file(name: str) -> Path | None:
    return next((folder / name for folder in FOLDERS if (folder / name).is_file()), None)
