"""Draw a figure from its curves: the paper's axes, in print, in colour and in grey."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rue.papers.figure import Figure, Panel
from rue.papers.spans import judged, span_of
from rue.papers.traces import Trace
from rue.results.drawing import SETTINGS, STYLES, Mark, blank, draw_lines, encodings, label_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

WIDTH, HEIGHT = 5.6, 3.6
"""Of a panel, in inches."""
BETWEEN = 0.62
"""Room beside a panel for its labels, as a share of its width."""
DPI = 110
LOWEST = 10
"""How far below its curve a band is drawn at most on a logarithmic axis, which has no place for less than nothing."""

NOTHING = "no run came to a number"
PENCIL = threading.Lock()
"""Who draws: matplotlib's settings are everybody's."""

Lines = Mapping[str, Mapping[str, Trace]]


def pictures(figure: Figure, traces: Lines, kinds: Sequence[str]) -> dict[str, bytes]:
    """The picture of a figure as the bytes of a file of each kind."""
    import matplotlib

    with PENCIL, matplotlib.rc_context(SETTINGS):
        if figure.drawing == "treeplex":
            from rue.papers.treeplex import decision_process

            drawn = decision_process(figure.panels[0].game)
        elif figure.drawing == "tree":
            from rue.papers.tree import game_tree

            drawn = game_tree(figure.panels[0].game)
        elif figure.drawing == "pairs":
            drawn = _side_by_side(figure, traces, _pairs)
        elif figure.drawing == "dots":
            drawn = _dots(figure, traces)
        else:
            drawn = _side_by_side(figure, traces, _panel)
        return encodings(drawn, kinds, DPI)


def _side_by_side(figure: Figure, traces: Lines, draw: Callable[[Axes, Panel, Mapping[str, Trace]], None]) -> Drawn:
    """Panels side by side, two in a row."""
    panels = [panel for panel in figure.panels if panel.drawn]
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    drawn = blank(WIDTH * columns * (1 + BETWEEN / 2), HEIGHT * rows * 1.15)
    grid = drawn.add_gridspec(rows, columns, wspace=BETWEEN, hspace=0.42)
    for number, panel in enumerate(panels):
        draw(drawn.add_subplot(grid[divmod(number, columns)]), panel, traces[panel.title])
    return drawn


def _pairs(axes: Axes, panel: Panel, lines: Mapping[str, Trace]) -> None:
    """What the lines of a panel are judged by, two and two: the first of each across, the second up."""
    labels = [line.label for line in panel.lines]
    pairs = [pair for pair in zip(labels[::2], labels[1::2], strict=True) if all(label in lines for label in pair)]
    kinds = list(dict.fromkeys(label.partition("(")[0] for label, _ in pairs))
    axes.set_title(panel.title, loc="left")
    if not pairs:
        axes.text(0.5, 0.5, NOTHING, transform=axes.transAxes, ha="center")
        return
    axes.set_xscale("log")
    axes.set_yscale("log")
    for kind, (colour, _, marker) in zip(kinds, STYLES, strict=False):
        chosen = [pair for pair in pairs if pair[0].partition("(")[0] == kind]
        across, up = ([judged(lines[pair[k]]) for pair in chosen] for k in (0, 1))
        axes.plot(across, up, marker, color=colour, markersize=4, alpha=0.7, label=kind)
    edges = axes.get_xlim(), axes.get_ylim()
    low, high = min(edge[0] for edge in edges), max(edge[1] for edge in edges)
    axes.plot([low, high], [low, high], color="#999999", linewidth=1.0, zorder=1)
    axes.set_xlabel(f"without ({panel.unit})")
    axes.set_ylabel("with instant updates")
    axes.legend(frameon=False)


def _panel(axes: Axes, panel: Panel, lines: Mapping[str, Trace]) -> None:
    across, _, up = panel.axes.partition("-")
    up = up or across
    axes.set_xscale(across)
    axes.set_yscale(up)
    low, high = panel.window or (0.0, math.inf)
    if any(trace.last < 2 * low for trace in lines.values()):
        low = 0.0
    series = [(label, _marks(trace, low, high, up == "log")) for label, trace in lines.items()]
    series = [(label, marks) for label, marks in series if marks]
    axes.set_title(panel.title, loc="left")
    axes.set_xlabel(clock(panel))
    axes.set_ylabel(quantity(panel))
    if series:
        label_ends(axes, draw_lines(axes, series))
    else:
        axes.text(0.5, 0.5, NOTHING, transform=axes.transAxes, ha="center")


def _marks(trace: Trace, first: float, last: float, logarithmic: bool) -> list[Mark]:
    marks = [Mark(*point) for point in zip(trace.x, trace.y, trace.low, trace.high, strict=True)]
    marks = [mark for mark in marks if first <= mark.across <= last and (mark.up > 0 or not logarithmic)]
    if not logarithmic:
        perfect = next((number for number, mark in enumerate(marks) if mark.up == 0.0), len(marks))
        return marks[: perfect + 1]
    return [mark._replace(low=max(mark.low, mark.up / LOWEST)) for mark in marks]


def clock(panel: Panel) -> str:
    """What the horizontal axis of a panel is, in words."""
    return "nodes touched" if (panel.along or panel.x) == "nodes" else "iterations"


def quantity(panel: Panel) -> str:
    """What the vertical axis of a panel is, in words."""
    if panel.measure == "space":
        return "numbers for each action of an infoset"
    if panel.measure == "distance":
        return "distance of the average from equilibrium"
    if panel.measure == "mistake":
        return "probability of the worse actions"
    return f"exploitability ({panel.unit})"


def _dots(figure: Figure, traces: Lines) -> Drawn:
    """A table as dots: a row a panel, what each line is judged by, with its band."""
    drawn = blank(WIDTH * 1.2, 0.75 * len(figure.panels) + 1.4)
    axes = drawn.add_subplot()
    space = figure.panels[0].measure == "space"
    axes.set_xscale("linear" if space else "log")
    labels = [line.label for line in figure.panels[0].lines]
    places = _places(len(figure.panels), labels)
    for label, (colour, _, marker) in zip(labels, STYLES, strict=False):
        for row, panel in enumerate(figure.panels):
            trace = traces[panel.title].get(label)
            if trace is None:
                continue
            low, middle, high = span_of(trace, Trace.average)
            bar: Any = [[min(middle - low, middle * (1 - 1 / LOWEST))], [high - middle]]
            axes.errorbar(
                middle, places[row, label], xerr=bar, color=colour, marker=marker, capsize=2, linewidth=1.0,
                label=label if row == 0 else None, linestyle="none",
            )  # fmt: skip
    axes.set_yticks(range(len(figure.panels)), [panel.title for panel in figure.panels])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    any_line = next((line for lines in traces.values() for line in lines.values()), None)
    span = "" if any_line is None else f", mean from {any_line.first_judged:,.0f} to {any_line.last:,.0f} iterations"
    axes.set_xlabel(quantity(figure.panels[0]) if space else f"exploitability{span} ({_units(figure.panels)})")
    if space:
        axes.set_xlim(left=0.0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False)
    axes.set_title(figure.title, loc="left")
    return drawn


def _units(panels: Sequence[Panel]) -> str:
    """The unit of most panels, and what the others have instead."""
    common = Counter(panel.unit for panel in panels).most_common(1)[0][0]
    return "; ".join([common, *(f"{panel.unit} for {panel.title}" for panel in panels if panel.unit != common)])


def _places(rows: int, labels: Sequence[str]) -> dict[tuple[int, str], float]:
    """The height of each dot: the lines of a row one below the other."""
    step = 0.16
    middle = (len(labels) - 1) / 2
    return {(row, label): row + step * (i - middle) for row in range(rows) for i, label in enumerate(labels)}
