"""Draw a figure: panels, axes and curves, in colour and in grey."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zerosum.papers.claim import CurvesByPanel, compute_window_mean, measure_interval
from zerosum.papers.curve import Curve
from zerosum.papers.figure import Figure, Panel
from zerosum.results.display.curve_plot import Mark, draw_lines, label_ends
from zerosum.results.display.drawing import SETTINGS, STYLES, create_figure, encode_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

WIDTH, HEIGHT = 5.6, 3.6
"""Size of a panel in inches."""
LABEL_SHARE = 0.62
"""Space beside a panel for its labels, as a share of its width."""
DPI = 110
DOT_GAP = 0.16
"""How far the dots of a row are below one another, as a share of the height of a row."""
LOWEST = 10
"""How many times lower than its curve a band may reach on a logarithmic axis, which has no place for zero."""

NO_CURVES = "no run gave a number"
DRAWING_LOCK = threading.Lock()
"""One thread draws at a time: the settings of matplotlib are global."""


def render_figure(figure: Figure, curves: CurvesByPanel, image_formats: Sequence[str]) -> dict[str, bytes]:
    """Return the picture of a figure as the bytes of a file in each format."""
    import matplotlib

    with DRAWING_LOCK, matplotlib.rc_context(SETTINGS):
        if figure.drawing == "treeplex":
            from zerosum.papers.tree_plots import plot_decision_process

            picture = plot_decision_process(figure.panels[0].game)
        elif figure.drawing == "tree":
            from zerosum.papers.tree_plots import plot_game_tree

            picture = plot_game_tree(figure.panels[0].game)
        elif figure.drawing == "pairs":
            picture = _draw_panels(figure, curves, _draw_pairs)
        elif figure.drawing == "dots":
            picture = _draw_dots(figure, curves)
        else:
            picture = _draw_panels(figure, curves, _draw_curves)
        return encode_figure(picture, image_formats, DPI)


def _draw_panels(
    figure: Figure, curves: CurvesByPanel, draw: Callable[[Axes, Panel, Mapping[str, Curve]], None]
) -> Picture:
    """Draw panels side by side, two in a row."""
    panels = [panel for panel in figure.panels if panel.is_drawn]
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    picture = create_figure(WIDTH * columns * (1 + LABEL_SHARE / 2), HEIGHT * rows * 1.15)
    grid = picture.add_gridspec(rows, columns, wspace=LABEL_SHARE, hspace=0.42)
    for number, panel in enumerate(panels):
        draw(picture.add_subplot(grid[divmod(number, columns)]), panel, curves[panel.title])
    return picture


def _draw_pairs(axes: Axes, panel: Panel, lines: Mapping[str, Curve]) -> None:
    """Draw a point for each pair of lines: the window mean of the first across, of the second up."""
    labels = list(panel.lines)
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
        across, up = ([compute_window_mean(lines[pair[k]]) for pair in chosen] for k in (0, 1))
        axes.plot(across, up, marker, color=colour, markersize=4, alpha=0.7, label=kind)
    edges = axes.get_xlim(), axes.get_ylim()
    low, high = min(edge[0] for edge in edges), max(edge[1] for edge in edges)
    axes.plot([low, high], [low, high], color="#999999", linewidth=1.0, zorder=1)
    axes.set_xlabel(f"without ({panel.unit})")
    axes.set_ylabel("with instant updates")
    axes.legend(frameon=False)


def _draw_curves(axes: Axes, panel: Panel, lines: Mapping[str, Curve]) -> None:
    across, up = panel.axes.split("-")
    axes.set_xscale(across)
    axes.set_yscale(up)
    low, high = panel.window or (0.0, math.inf)
    if any(curve.last_x < 2 * low for curve in lines.values()):
        low = 0.0
    series = [(label, _select_marks(curve, low, high, up == "log")) for label, curve in lines.items()]
    series = [(label, marks) for label, marks in series if marks]
    axes.set_title(panel.title, loc="left")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    if series:
        label_ends(axes, draw_lines(axes, series))
    else:
        axes.text(0.5, 0.5, NO_CURVES, transform=axes.transAxes, ha="center")


def _select_marks(curve: Curve, first: float, last: float, logarithmic: bool) -> list[Mark]:
    marks = [Mark(*point) for point in zip(curve.x, curve.y, curve.low, curve.high, strict=True)]
    marks = [mark for mark in marks if first <= mark.across <= last and (mark.up > 0 or not logarithmic)]
    if not logarithmic:
        perfect = next((number for number, mark in enumerate(marks) if mark.up == 0.0), len(marks))
        return marks[: perfect + 1]
    return [mark._replace(low=max(mark.low, mark.up / LOWEST)) for mark in marks]


def _draw_dots(figure: Figure, curves: CurvesByPanel) -> Picture:
    """Draw a table as dots: a row per panel, and the window mean of each line, with its band."""
    picture = create_figure(WIDTH * 1.2, 0.75 * len(figure.panels) + 1.4)
    axes = picture.add_subplot()
    space = figure.panels[0].measure == "space"
    axes.set_xscale("linear" if space else "log")
    labels = list(figure.panels[0].lines)
    for number, (label, (colour, _, marker)) in enumerate(zip(labels, STYLES, strict=False)):
        below_middle = DOT_GAP * (number - (len(labels) - 1) / 2)
        for row, panel in enumerate(figure.panels):
            curve = curves[panel.title].get(label)
            if curve is None:
                continue
            low, middle, high = measure_interval(curve, Curve.compute_mean_height)
            bar: Any = [[min(middle - low, middle * (1 - 1 / LOWEST))], [high - middle]]
            axes.errorbar(
                middle, row + below_middle, xerr=bar, color=colour, marker=marker, capsize=2, linewidth=1.0,
                label=label if row == 0 else None, linestyle="none",
            )  # fmt: skip
    axes.set_yticks(range(len(figure.panels)), [panel.title for panel in figure.panels])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    any_line = next((line for lines in curves.values() for line in lines.values()), None)
    span = "" if any_line is None else f", mean from {any_line.window_start:,.0f} to {any_line.last_x:,.0f} iterations"
    axes.set_xlabel(figure.panels[0].y_label if space else f"exploitability{span} ({_describe_units(figure.panels)})")
    if space:
        axes.set_xlim(left=0.0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False)
    axes.set_title(figure.title, loc="left")
    return picture


def _describe_units(panels: Sequence[Panel]) -> str:
    """Return the unit of most panels, and those of the others."""
    common = Counter(panel.unit for panel in panels).most_common(1)[0][0]
    return "; ".join([common, *(f"{panel.unit} for {panel.title}" for panel in panels if panel.unit != common)])
