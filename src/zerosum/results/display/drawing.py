"""How pictures look, and how they are drawn: in a notebook, as the bytes of a file, or to a file."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.support.errors import ZerosumError
from zerosum.support.files import check_writable, write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
STYLES: tuple[tuple[str, Any, str], ...] = (
    ("#0b3c5d", "-", "o"),
    ("#c1440e", "--", "s"),
    ("#2e7d32", "-.", "^"),
    ("#7b1fa2", ":", "D"),
    ("#111111", (0, (5, 1)), "v"),
    ("#8a6d00", (0, (3, 1, 1, 1)), "P"),
    ("#00838f", (0, (1, 1)), "X"),
    ("#ad1457", (0, (6, 2, 1, 2, 1, 2)), "*"),
    ("#6d4c41", (0, (8, 2, 2, 2)), "<"),
    ("#546e7a", (0, (2, 2)), ">"),
)
"""Colour, line and marker of each curve; the lines and markers alone distinguish the curves."""
ON_DARK = ("#7fb0dc", "#f0884d", "#7cc492", "#c792ea", "#e9e8e4", "#d8b84a", "#4dc4cf", "#f277a8", "#c4a08f", "#a9bcc6")
"""The same colours on a dark background."""
DASHES = {"-": "", "--": "6 4", "-.": "7 3 1.5 3", ":": "1.5 3"}
"""The lines that have a name, in points on and off."""
SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.labelsize": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "zerosum",
    "pdf.fonttype": 42,
}
"""The settings of matplotlib for every picture."""


def list_line_styles() -> list[dict[str, str]]:
    """Return how lines look on a page, ready for JSON: the colour on a light and on a dark background, and the dashes.

    >>> list_line_styles()[1]
    {'colour': '#c1440e', 'dark': '#f0884d', 'dash': '6 4'}
    """
    return [
        {"colour": colour, "dark": dark, "dash": DASHES[line] if isinstance(line, str) else " ".join(map(str, line[1]))}
        for (colour, line, _), dark in zip(STYLES, ON_DARK, strict=True)
    ]


def create_figure(width: float = 6.0, height: float = 4.0) -> Figure:
    """Return an empty picture of a size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def encode_figure(figure: Figure, formats: Sequence[str], dpi: float) -> dict[str, bytes]:
    """Return a picture as the bytes of files, cut to what is drawn; the same picture gives the same bytes."""
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    figure.set_dpi(dpi)  # letters are not as wide at another one
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()  # so that the layout is known
    used = figure.get_tightbbox().padded(0.1)
    files = {name: io.BytesIO() for name in formats}
    for name, file in files.items():
        figure.savefig(file, format=name, dpi=dpi, metadata=dates.get(name), bbox_inches=used)
    return {name: file.getvalue() for name, file in files.items()}


def show_drawing(draw: Callable[[Figure], Axes]) -> Axes:
    """Draw on a new figure of pyplot's, which a notebook shows; return the axes that `draw` returns."""
    import matplotlib
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(6.0, 4.0))  # with the settings of the notebook, because ours end with the drawing
    with matplotlib.rc_context(SETTINGS):
        return draw(figure)


def encode_drawing(draw: Callable[[Figure], object], image_format: str, dpi: float = 200) -> bytes:
    """Return what `draw` draws on an empty figure as the bytes of a file."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figure = create_figure()
        draw(figure)
        return encode_figure(figure, [image_format], dpi)[image_format]


def save_drawing(path: str | Path, draw: Callable[[Figure], object]) -> None:
    """Draw on an empty figure and write it to an SVG, PNG or PDF file, completely or not at all."""
    check_picture_path(Path(path))
    write_atomically(Path(path), encode_drawing(draw, _read_format(Path(path))))


def check_picture_path(path: Path) -> None:
    """Refuse a path that no picture can be written to, before the work that the picture shows."""
    if _read_format(path) not in FORMATS:
        raise ZerosumError(f"cannot draw {path}: its name must end in .svg, .png or .pdf")
    check_writable(path)


def _read_format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
