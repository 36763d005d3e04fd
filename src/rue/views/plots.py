"""Pictures of runs as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rue.disk import check_writable, write_atomically
from rue.errors import RueError
from rue.results.drawing import SETTINGS, Curve, Series, blank, draw, encoded
from rue.results.points import X
from rue.results.unit import Measure

ENDINGS = ("svg", "png", "pdf")


def check_plot(path: Path) -> None:
    """Refuse a path that no picture can be written to, before the work that it is to show."""
    if ending(path) not in ENDINGS:
        raise RueError(f"cannot draw {path}: its name must end in .svg, .png or .pdf")
    check_writable(path)


def curves(
    runs: Sequence[Curve | Series],
    path: str | Path,
    x: X = "iterations",
    title: str | None = None,
    measure: Measure | None = None,
) -> None:
    """Draw the exploitability of runs to an SVG, PNG or PDF file, whole or not at all; see `draw`."""
    path = Path(path)
    check_plot(path)
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figure = blank(6.0, 4.0)
        draw(figure.add_subplot(), runs, x, title, measure)
        data = encoded(figure, ending(path))
    write_atomically(path, data)


def ending(path: Path) -> str:
    """The end of a file's name, which says what kind of picture it is."""
    return path.suffix.lower().removeprefix(".")
