"""Curves as they are drawn: exploitability along iterations, time or nodes, logarithmic, readable in print and in
grey."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.results.curve import MeanPoint, Point, X
from zerosum.results.payoff_unit import Measure, Unit
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from zerosum.results.result import Numbers

Series = tuple[str, Sequence[Point]]
"""A label and a curve."""


class Mark(NamedTuple):
    """A point of a curve as it is drawn; without a band low and high are as high as the curve."""

    across: float
    up: float
    low: float
    high: float


End = tuple[str, str, float, float]
"""Where a curve ends: its label, its colour, across and up."""


PAYOFF = Unit().drawn

XLABELS = {"iterations": "iterations", "seconds": "time (s)", "nodes": "nodes touched"}
BAND = 0.18
"""How dark the band of many seeds is."""
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
"""Colour, line and marker; the lines and markers alone distinguish the curves."""
ON_DARK = ("#7fb0dc", "#f0884d", "#7cc492", "#c792ea", "#e9e8e4", "#d8b84a", "#4dc4cf", "#f277a8", "#c4a08f", "#a9bcc6")
"""The same colours where the ground is dark."""
DASHES = {"-": "", "--": "6 4", "-.": "7 3 1.5 3", ":": "1.5 3"}
"""The lines in points on and off, where they have a name."""
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
MARKS_A_CURVE = 8
LABEL_GAP = 13.0
"""Points of height that a label needs."""


def plot(
    runs: Numbers | Iterable[Numbers | Series], ax: Axes | None = None, x: X | None = None, title: str | None = None
) -> Axes:
    """Draw the exploitability of results, or of (label, curve) pairs, with matplotlib; returns the axes.

    ax: where to draw; a new figure of pyplot's by default, which a notebook shows. x: iterations, seconds or nodes; by
    default what suits the runs. Many seeds are drawn with the band of their mean.

    >>> import zerosum
    >>> results = zerosum.compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> axes = plot(results)
    >>> axes.get_ylabel(), len(axes.lines)
    ('exploitability (units of payoff)', 2)
    """
    import matplotlib

    chosen = listed(runs, pairs=True)
    if x is None:
        axes_of_runs = {run.across for run in chosen if not isinstance(run, tuple)}
        x = "nodes" if axes_of_runs == {"nodes"} else "iterations"
    if x not in tuple(XLABELS):
        raise ZerosumError(f"x must be iterations, seconds or nodes, not {x!r:.60}")
    if ax is not None and not hasattr(ax, "set_xscale"):
        raise ZerosumError(f"ax must be axes of matplotlib's, not {short_repr(ax)}")
    figure: Any = None
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(
            figsize=(6.0, 4.0)
        )  # before the settings that end with the drawing: a notebook has its own
    with matplotlib.rc_context(SETTINGS):
        axes: Axes = figure.add_subplot() if ax is None else ax
        draw(axes, chosen, x, title)
    return axes


def listed(runs: Any, pairs: bool = False) -> list[Any]:
    """Return one or several results, or pairs of a label and a curve, as a list."""
    several = isinstance(runs, Iterable) and not isinstance(runs, str) and not hasattr(runs, "curve")
    listing = []
    for run in runs if several else [runs]:
        if not (isinstance(run, tuple) and len(run) == 2 if pairs else False) and not hasattr(run, "curve"):
            raise ZerosumError(f"what is shown is a result, or a list of results, not {short_repr(run)}")
        listing.append(run)
    return listing


def picture(
    runs: Sequence[Numbers | Series],
    x: X,
    kind: str,
    dpi: float = 200,
    title: str | None = None,
    measure: Measure | None = None,
) -> bytes:
    """Return a picture of the exploitability of runs as the bytes of a file; see `draw`."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figure = blank(6.0, 4.0)
        draw(figure.add_subplot(), runs, x, title, measure)
        return encoded(figure, kind, dpi)


def draw(
    axes: Axes,
    runs: Sequence[Numbers | Series],
    x: X = "iterations",
    title: str | None = None,
    measure: Measure | None = None,
) -> None:
    """Draw the exploitability of runs on axes of the caller.

    runs: results, or pairs of a label and a curve; that of many seeds is drawn with its band. Points at zero are left
    out, because the axis is logarithmic. measure: the measure of exploitability, by default that of the results. The
    title of results is their game, and the algorithm of a single result.
    """
    if measure is None:
        measure = next((run.unit.drawn for run in runs if not isinstance(run, tuple)), PAYOFF)
    games = {run.game for run in runs if not isinstance(run, tuple)}
    series = [_series(run, x, measure, len(games) > 1) for run in runs]
    drawn = [(label, points) for label, points in series if points]
    if not drawn:
        counted = "; nodes are counted for sampled runs" if x == "nodes" else ""
        raise ZerosumError(f"there is nothing to draw: no run has a curve{counted}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends = draw_lines(axes, drawn)
    axes.set_xlabel(XLABELS[x])
    axes.set_ylabel(f"exploitability ({measure.name})")
    axes.set_title(_title(runs) if title is None else title, loc="left")
    if len(drawn) > 1:
        label_ends(axes, ends)


def line_styles() -> list[dict[str, str]]:
    """How lines look on a page, ready for JSON: the colour on a light and on a dark ground, and the dashes.

    >>> line_styles()[1]
    {'colour': '#c1440e', 'dark': '#f0884d', 'dash': '6 4'}
    """
    return [
        {"colour": colour, "dark": dark, "dash": DASHES[line] if isinstance(line, str) else " ".join(map(str, line[1]))}
        for (colour, line, _), dark in zip(STYLES, ON_DARK, strict=True)
    ]


def encoded(figure: Figure, kind: str, dpi: float = 200) -> bytes:
    """A picture as the bytes of a file."""
    return encodings(figure, [kind], dpi)[kind]


def encodings(figure: Figure, kinds: Sequence[str], dpi: float) -> dict[str, bytes]:
    """A picture as the bytes of SVG, PNG or PDF files, cut to what is drawn; the same picture, the same bytes."""
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    figure.set_dpi(dpi)  # letters are not as wide at another one
    used = figure.get_tightbbox().padded(0.1)
    files = {kind: io.BytesIO() for kind in kinds}
    for kind, buffer in files.items():
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=dates.get(kind), bbox_inches=used)
    return {kind: buffer.getvalue() for kind, buffer in files.items()}


def _series(run: Numbers | Series, x: X, measure: Measure, with_game: bool) -> tuple[str, list[Mark]]:
    label, curve = run if isinstance(run, tuple) else (run.title if with_game else run.algorithm, run.curve)
    return label, [
        mark for mark in (_mark(point, x, measure.factor) for point in curve) if mark.across > 0 and mark.up > 0
    ]


def _mark(point: Point, x: X, factor: float) -> Mark:
    up = factor * point.exploitability
    if not isinstance(point, MeanPoint):
        return Mark(point.along(x) or 0.0, up, up, up)
    low = max(factor * point.low, up / 1000)  # a logarithm has no place for less than nothing
    return Mark(point.along(x) or 0.0, up, low, factor * point.high)


def _title(runs: Sequence[Numbers | Series]) -> str:
    first = runs[0]
    if len(runs) == 1 and not isinstance(first, tuple):
        return first.title
    return ", ".join(dict.fromkeys(run.game for run in runs if not isinstance(run, tuple)))


def blank(width: float, height: float) -> Figure:
    """An empty picture, in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def draw_lines(axes: Axes, series: Sequence[tuple[str, list[Mark]]]) -> list[End]:
    """Draw curves with their bands, each in its colour, line and marker; return the end of each."""
    ends: list[End] = []
    for (label, points), (colour, line, marker) in zip(series, cycle(STYLES), strict=False):
        across, up, low, high = zip(*points, strict=True)
        if low != high:
            axes.fill_between(across, low, high, color=colour, alpha=BAND, linewidth=0)
        every = max(1, len(points) // MARKS_A_CURVE)
        axes.plot(across, up, color=colour, linestyle=line, marker=marker, markevery=(len(ends) % every, every))
        ends.append((label, colour, across[-1], up[-1]))
    axes.margins(x=0.02)
    axes.set_axisbelow(True)
    return ends


def label_ends(axes: Axes, ends: list[End]) -> None:
    """Write each label to the right of the picture, apart from the others and above the numbers of the axis, with a
    thin line to the end of its curve."""
    edge = axes.get_xlim()[1]
    lowest = float(axes.bbox.y0) * 72 / axes.figure.dpi
    heights = [float(axes.transData.transform((x, y))[1]) * 72 / axes.figure.dpi for _, _, x, y in ends]
    for (label, colour, x, y), height, place in zip(ends, heights, _apart(heights, LABEL_GAP, lowest), strict=True):
        axes.annotate(
            label,
            xy=(x, y),
            xytext=(edge, y),
            textcoords=_shifted(axes, 10.0, place - height),
            color=colour,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "shrinkA": 1,
                "shrinkB": 2,
                "relpos": (0.0, 0.5),
            },
        )


def _shifted(axes: Axes, right: float, up: float) -> Any:
    from matplotlib.transforms import ScaledTranslation

    return axes.transData + ScaledTranslation(right / 72, up / 72, axes.figure.dpi_scale_trans)


def _apart(heights: Sequence[float], gap: float, lowest: float = -math.inf) -> list[float]:
    """The nearest heights that keep a gap, in the same order, none below the lowest.

    >>> _apart([10.0, 11.0, 50.0], 12.0), _apart([10.0, 11.0, 50.0], 12.0, 8.0)
    ([4.5, 16.5, 50.0], [8.0, 20.0, 50.0])
    """
    groups: list[list[int]] = []
    centre: list[float] = []
    for index in sorted(range(len(heights)), key=lambda i: heights[i]):
        groups.append([index])
        centre.append(heights[index])
        while len(groups) > 1 and centre[-1] - centre[-2] < gap * (len(groups[-1]) + len(groups[-2])) / 2:
            last, middle = groups.pop(), centre.pop()
            size = len(groups[-1]) + len(last)
            centre[-1] = (centre[-1] * len(groups[-1]) + middle * len(last)) / size
            groups[-1] += last
    placed = [0.0] * len(heights)
    for group, middle in zip(groups, centre, strict=True):
        for place, index in enumerate(group):
            free = middle + gap * (place - (len(group) - 1) / 2)
            placed[index] = lowest = max(free, lowest)
            lowest += gap
    return placed
