"""Pictures of runs as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.results.curve import X
from zerosum.results.display.curve_plot import Series, picture
from zerosum.results.payoff_unit import Measure
from zerosum.support.errors import ZerosumError
from zerosum.support.files import check_writable, write_atomically

if TYPE_CHECKING:
    from zerosum.results.result import Numbers

ENDINGS = ("svg", "png", "pdf")


def check_plot(path: Path) -> None:
    """Refuse a path that no picture can be written to, before the work that it is to show."""
    if ending(path) not in ENDINGS:
        raise ZerosumError(f"cannot draw {path}: its name must end in .svg, .png or .pdf")
    check_writable(path)


def curves(
    runs: Sequence[Numbers | Series],
    path: str | Path,
    x: X = "iterations",
    title: str | None = None,
    measure: Measure | None = None,
) -> None:
    """Draw the exploitability of runs to an SVG, PNG or PDF file, whole or not at all; see `draw`."""
    save_picture(path, lambda kind: picture(runs, x, kind, title=title, measure=measure))


def save_picture(path: str | Path, encode: Callable[[str], bytes]) -> None:
    """Write a picture to a file, whole or not at all; `encode` draws it in the format that the name ends in."""
    path = Path(path)
    check_plot(path)
    write_atomically(path, encode(ending(path)))


def ending(path: Path) -> str:
    """The end of a file's name, which says what kind of picture it is."""
    return path.suffix.lower().removeprefix(".")
