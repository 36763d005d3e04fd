"""Curves as they are drawn: exploitability along iterations, time or nodes, logarithmic, readable in print and in
grey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.results.curve import MeanPoint, Point, X
from zerosum.results.display.drawing import SETTINGS, STYLES, save_drawing, show_drawing
from zerosum.results.payoff_unit import Measure, Unit
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zerosum.results.result import Numbers

Series = tuple[str, Sequence[Point]]
"""A label and a curve."""
End = tuple[str, str, float, float]
"""Where a curve ends: its label, its colour, across and up."""
X_LABELS = {"iterations": "iterations", "seconds": "time (s)", "nodes": "nodes touched"}
BAND_OPACITY = 0.18
MARKS_PER_CURVE = 8
LABEL_GAP = 13.0
"""Points of height that a label needs."""


class Mark(NamedTuple):
    """A point of a curve as it is drawn; without a band low and high are as high as the curve."""

    across: float
    up: float
    low: float
    high: float


def plot(
    runs: Numbers | Iterable[Numbers | Series], ax: Axes | None = None, x: X | None = None, title: str | None = None
) -> Axes:
    """Draw the exploitability of results, or of (label, curve) pairs, with matplotlib; return the axes.

    ax: the axes to draw on; by default those of a new pyplot figure, which a notebook displays.
    x: iterations, seconds or nodes; by default the one that suits the runs.

    The mean of many seeds is drawn with its band.

    >>> import zerosum
    >>> results = zerosum.compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> axes = plot(results)
    >>> axes.get_ylabel(), len(axes.lines)
    ('exploitability (units of payoff)', 2)
    """
    import matplotlib

    chosen = list_runs(runs, allow_pairs=True)
    if x is None:
        axes_of_runs = {run.default_axis for run in chosen if not isinstance(run, tuple)}
        x = "nodes" if axes_of_runs == {"nodes"} else "iterations"
    if x not in tuple(X_LABELS):
        raise ZerosumError(f"x must be iterations, seconds or nodes, not {x!r:.60}")
    if ax is None:
        return show_drawing(lambda figure: draw_curves(figure.add_subplot(), chosen, x, title))
    if not hasattr(ax, "set_xscale"):
        raise ZerosumError(f"ax must be matplotlib axes, not {short_repr(ax)}")
    with matplotlib.rc_context(SETTINGS):
        return draw_curves(ax, chosen, x, title)


def list_runs(runs: Any, allow_pairs: bool = False) -> list[Any]:
    """Return one or several results as a list, which may contain pairs of a label and a curve."""
    are_several = isinstance(runs, Iterable) and not isinstance(runs, str) and not hasattr(runs, "curve")
    listed = list(runs) if are_several else [runs]
    for run in listed:
        is_pair = allow_pairs and isinstance(run, tuple) and len(run) == 2
        if not is_pair and not hasattr(run, "curve"):
            raise ZerosumError(f"only a result or a list of results can be shown, not {short_repr(run)}")
    return listed


def save_curves(
    runs: Sequence[Numbers | Series],
    path: str | Path,
    x: X = "iterations",
    title: str | None = None,
    measure: Measure | None = None,
) -> None:
    """Draw the exploitability of runs to an SVG, PNG or PDF file, completely or not at all; see `draw_curves`."""
    save_drawing(path, lambda figure: draw_curves(figure.add_subplot(), runs, x, title, measure))


def draw_curves(
    axes: Axes,
    runs: Sequence[Numbers | Series],
    x: X = "iterations",
    title: str | None = None,
    measure: Measure | None = None,
) -> Axes:
    """Draw the exploitability of runs on the given axes, and return the axes.

    runs: results, or pairs of a label and a curve; the mean of many seeds is drawn with its band. Points at zero are
    left out, because the axis is logarithmic.
    title: by default the game, and the algorithm of a single result.
    measure: of exploitability; by default that of the results.
    """
    results = [run for run in runs if not isinstance(run, tuple)]
    games = list(dict.fromkeys(run.game for run in results))
    unit_measure = measure or (results[0].unit if results else Unit()).plot_measure
    series: list[tuple[str, list[Mark]]] = []
    for run in runs:
        label, curve = run if isinstance(run, tuple) else (run.title if len(games) > 1 else run.algorithm, run.curve)
        marks = [_build_mark(point, x, unit_measure.factor) for point in curve]
        series.append((label, [mark for mark in marks if mark.across > 0 and mark.up > 0]))
    series = [(label, marks) for label, marks in series if marks]
    if not series:
        counted = "; nodes are counted for sampled runs" if x == "nodes" else ""
        raise ZerosumError(f"there is nothing to draw: no run has a curve{counted}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends = draw_lines(axes, series)
    axes.set_xlabel(X_LABELS[x])
    axes.set_ylabel(f"exploitability ({unit_measure.name})")
    if title is None:
        title = results[0].title if len(results) == len(runs) == 1 else ", ".join(games)
    axes.set_title(title, loc="left")
    if len(series) > 1:
        label_ends(axes, ends)
    return axes


def _build_mark(point: Point, x: X, factor: float) -> Mark:
    up = factor * point.exploitability
    if not isinstance(point, MeanPoint):
        return Mark(point.get_coordinate(x) or 0.0, up, up, up)
    low = max(factor * point.low, up / 1000)  # a logarithmic axis has no place for zero and below
    return Mark(point.get_coordinate(x) or 0.0, up, low, factor * point.high)


def draw_lines(axes: Axes, series: Sequence[tuple[str, list[Mark]]]) -> list[End]:
    """Draw curves with their bands, each in its colour, line and marker; return the end of each."""
    ends: list[End] = []
    for (label, points), (colour, line, marker) in zip(series, cycle(STYLES), strict=False):
        across, up, low, high = zip(*points, strict=True)
        if low != high:
            axes.fill_between(across, low, high, color=colour, alpha=BAND_OPACITY, linewidth=0)
        every = max(1, len(points) // MARKS_PER_CURVE)
        axes.plot(across, up, color=colour, linestyle=line, marker=marker, markevery=(len(ends) % every, every))
        ends.append((label, colour, across[-1], up[-1]))
    axes.margins(x=0.02)
    axes.set_axisbelow(True)
    return ends


def label_ends(axes: Axes, ends: list[End]) -> None:
    """Write each label beside the picture, with a thin line to the end of its curve.

    Labels keep apart from one another and stay above the numbers of the axis.
    """
    from matplotlib.transforms import ScaledTranslation

    edge = axes.get_xlim()[1]
    lowest = float(axes.bbox.y0) * 72 / axes.figure.dpi
    heights = [float(axes.transData.transform((x, y))[1]) * 72 / axes.figure.dpi for _, _, x, y in ends]
    line = {"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 1, "shrinkB": 2, "relpos": (0.0, 0.5)}
    places = _spread_label_heights(heights, LABEL_GAP, lowest)
    for (label, colour, x, y), height, place in zip(ends, heights, places, strict=True):
        shift = ScaledTranslation(10.0 / 72, (place - height) / 72, axes.figure.dpi_scale_trans)
        axes.annotate(
            label,
            xy=(x, y),
            xytext=(edge, y),
            textcoords=axes.transData + shift,
            color=colour,
            va="center",
            annotation_clip=False,
            arrowprops={**line, "color": colour},
        )


def _spread_label_heights(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Return the nearest heights that keep a gap, in the same order, none below the lowest.

    >>> _spread_label_heights([10.0, 11.0, 50.0], 12.0, 0.0), _spread_label_heights([10.0, 11.0, 50.0], 12.0, 8.0)
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
