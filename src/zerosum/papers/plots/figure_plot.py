"""Draw a figure: panels, axes and curves, in colour and in grey."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zerosum.papers.claims.claim import CurvesByPanel
from zerosum.papers.claims.intervals import interval_of, window_mean
from zerosum.papers.curve import Curve
from zerosum.papers.figure import Figure, Panel
from zerosum.results.display.curve_plot import SETTINGS, STYLES, Mark, blank, draw_lines, encodings, label_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

WIDTH, HEIGHT = 5.6, 3.6
"""Size of a panel in inches."""
LABEL_SHARE = 0.62
"""Space beside a panel for its labels, as a share of its width."""
DPI = 110
LOWEST = 10
"""How many times lower than its curve a band may reach on a logarithmic axis, which has no place for zero."""

NO_CURVES = "no run gave a number"
DRAWING_LOCK = threading.Lock()
"""One thread draws at a time: the settings of matplotlib are global."""


def render(figure: Figure, curves: CurvesByPanel, image_formats: Sequence[str]) -> dict[str, bytes]:
    """Return the picture of a figure as the bytes of a file in each format."""
    import matplotlib

    with DRAWING_LOCK, matplotlib.rc_context(SETTINGS):
        if figure.drawing == "treeplex":
            from zerosum.papers.plots.treeplex_plot import decision_process

            picture = decision_process(figure.panels[0].game)
        elif figure.drawing == "tree":
            from zerosum.papers.plots.game_tree_plot import game_tree

            picture = game_tree(figure.panels[0].game)
        elif figure.drawing == "pairs":
            picture = _side_by_side(figure, curves, _pair_plot)
        elif figure.drawing == "dots":
            picture = _dot_plot(figure, curves)
        else:
            picture = _side_by_side(figure, curves, _curve_plot)
        return encodings(picture, image_formats, DPI)


def _side_by_side(
    figure: Figure, curves: CurvesByPanel, draw: Callable[[Axes, Panel, Mapping[str, Curve]], None]
) -> Picture:
    """Draw panels side by side, two in a row."""
    panels = [panel for panel in figure.panels if panel.drawn]
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    picture = blank(WIDTH * columns * (1 + LABEL_SHARE / 2), HEIGHT * rows * 1.15)
    grid = picture.add_gridspec(rows, columns, wspace=LABEL_SHARE, hspace=0.42)
    for number, panel in enumerate(panels):
        draw(picture.add_subplot(grid[divmod(number, columns)]), panel, curves[panel.title])
    return picture


def _pair_plot(axes: Axes, panel: Panel, lines: Mapping[str, Curve]) -> None:
    """Draw a point for each pair of lines: the window mean of the first across, of the second up."""
    labels = [line.label for line in panel.lines]
    pairs = [pair for pair in zip(labels[::2], labels[1::2], strict=True) if all(label in lines for label in pair)]
    kinds = list(dict.fromkeys(label.partition("(")[0] for label, _ in pairs))
    axes.set_title(panel.title, loc="left")
    if not pairs:
        axes.text(0.5, 0.5, NO_CURVES, transform=axes.transAxes, ha="center")
        return
    axes.set_xscale("log")
    axes.set_yscale("log")
    for kind, (colour, _, marker) in zip(kinds, STYLES, strict=False):
        chosen = [pair for pair in pairs if pair[0].partition("(")[0] == kind]
        across, up = ([window_mean(lines[pair[k]]) for pair in chosen] for k in (0, 1))
        axes.plot(across, up, marker, color=colour, markersize=4, alpha=0.7, label=kind)
    edges = axes.get_xlim(), axes.get_ylim()
    low, high = min(edge[0] for edge in edges), max(edge[1] for edge in edges)
    axes.plot([low, high], [low, high], color="#999999", linewidth=1.0, zorder=1)
    axes.set_xlabel(f"without ({panel.unit})")
    axes.set_ylabel("with instant updates")
    axes.legend(frameon=False)


def _curve_plot(axes: Axes, panel: Panel, lines: Mapping[str, Curve]) -> None:
    across, _, up = panel.axes.partition("-")
    up = up or across
    axes.set_xscale(across)
    axes.set_yscale(up)
    low, high = panel.window or (0.0, math.inf)
    if any(curve.last < 2 * low for curve in lines.values()):
        low = 0.0
    series = [(label, _marks(curve, low, high, up == "log")) for label, curve in lines.items()]
    series = [(label, marks) for label, marks in series if marks]
    axes.set_title(panel.title, loc="left")
    axes.set_xlabel(x_label(panel))
    axes.set_ylabel(y_label(panel))
    if series:
        label_ends(axes, draw_lines(axes, series))
    else:
        axes.text(0.5, 0.5, NO_CURVES, transform=axes.transAxes, ha="center")


def _marks(curve: Curve, first: float, last: float, logarithmic: bool) -> list[Mark]:
    marks = [Mark(*point) for point in zip(curve.x, curve.y, curve.low, curve.high, strict=True)]
    marks = [mark for mark in marks if first <= mark.across <= last and (mark.up > 0 or not logarithmic)]
    if not logarithmic:
        perfect = next((number for number, mark in enumerate(marks) if mark.up == 0.0), len(marks))
        return marks[: perfect + 1]
    return [mark._replace(low=max(mark.low, mark.up / LOWEST)) for mark in marks]


def x_label(panel: Panel) -> str:
    """Return the label of the horizontal axis."""
    return "nodes touched" if (panel.x_axis or panel.length_unit) == "nodes" else "iterations"


def y_label(panel: Panel) -> str:
    """Return the label of the vertical axis."""
    if panel.measure == "space":
        return "numbers for each action of an infoset"
    if panel.measure == "distance":
        return "distance of the average from equilibrium"
    if panel.measure == "mistake":
        return "probability of the worse actions"
    return f"exploitability ({panel.unit})"


def _dot_plot(figure: Figure, curves: CurvesByPanel) -> Picture:
    """Draw a table as dots: a row per panel, and the window mean of each line, with its band."""
    picture = blank(WIDTH * 1.2, 0.75 * len(figure.panels) + 1.4)
    axes = picture.add_subplot()
    space = figure.panels[0].measure == "space"
    axes.set_xscale("linear" if space else "log")
    labels = [line.label for line in figure.panels[0].lines]
    heights = _dot_heights(len(figure.panels), labels)
    for label, (colour, _, marker) in zip(labels, STYLES, strict=False):
        for row, panel in enumerate(figure.panels):
            curve = curves[panel.title].get(label)
            if curve is None:
                continue
            low, middle, high = interval_of(curve, Curve.average)
            bar: Any = [[min(middle - low, middle * (1 - 1 / LOWEST))], [high - middle]]
            axes.errorbar(
                middle, heights[row, label], xerr=bar, color=colour, marker=marker, capsize=2, linewidth=1.0,
                label=label if row == 0 else None, linestyle="none",
            )  # fmt: skip
    axes.set_yticks(range(len(figure.panels)), [panel.title for panel in figure.panels])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    any_line = next((line for lines in curves.values() for line in lines.values()), None)
    span = "" if any_line is None else f", mean from {any_line.window_start:,.0f} to {any_line.last:,.0f} iterations"
    axes.set_xlabel(y_label(figure.panels[0]) if space else f"exploitability{span} ({_units(figure.panels)})")
    if space:
        axes.set_xlim(left=0.0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False)
    axes.set_title(figure.title, loc="left")
    return picture


def _units(panels: Sequence[Panel]) -> str:
    """Return the unit of most panels, and those of the others."""
    common = Counter(panel.unit for panel in panels).most_common(1)[0][0]
    return "; ".join([common, *(f"{panel.unit} for {panel.title}" for panel in panels if panel.unit != common)])


def _dot_heights(rows: int, labels: Sequence[str]) -> dict[tuple[int, str], float]:
    """Return the height of each dot: the lines of a row one below another."""
    step = 0.16
    middle = (len(labels) - 1) / 2
    return {(row, label): row + step * (i - middle) for row in range(rows) for i, label in enumerate(labels)}
