"""Draw a sweep: a map of the grid for each game, darker where it is better; for one parameter a line."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.results.display.drawing import STYLES, save_drawing, show_drawing
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    from zerosum.results.sweep import Sweep

CELL_WIDTH, CELL_HEIGHT = 0.72, 0.43
"""Least size of a cell of a map, in inches like all sizes here."""
LINE_WIDTH, LINE_HEIGHT = 2.9, 2.2
"""Least size of a panel with a line."""
LABEL_ROOM, SCALE_ROOM, SCALE_LABEL_ROOM = 0.9, 1.4, 0.4
"""Room for the labels of a panel, for the scale of colours beside a row of maps, and for the end of its label."""
LETTER_WIDTH = 0.55
"""Average width of a letter as a share of its height."""
SMALL, NAME, TITLE = 8, 10, 11
"""Heights of letters in points."""
MAX_TITLE_WIDTH = 6.0
MAX_PANELS = 60
COLOURS = "cividis"
"""Distinct in grey too, and for eyes that mix up red and green."""
NEVER = "0.93"
"""The colour of a point that never reached the target."""


class SweepPanel(NamedTuple):
    """A game, and the values of the parameters that its map does not span."""

    game: str
    chosen: dict[str, str]

    @property
    def title(self) -> str:
        values = ", ".join(f"{name} {value}" for name, value in self.chosen.items())
        return f"{self.game}{f': {values}' if values else ''}"


def save_sweep_plot(sweep: Sweep, path: str | Path) -> None:
    """Draw a sweep to an SVG, PNG or PDF file, completely or not at all.

    The first two parameters span a map; there is one for each game, a row, and each value of the other parameters.
    """
    save_drawing(path, lambda figure: draw_sweep(sweep, figure))


def plot_sweep(sweep: Sweep) -> Axes:
    """Draw a sweep on a new figure of pyplot's, which a notebook shows; return the axes of its first panel."""
    list_panels(sweep)  # refuse a sweep that cannot be drawn before a notebook has an empty figure
    return show_drawing(lambda figure: draw_sweep(sweep, figure)[0])


def list_panels(sweep: Sweep) -> list[list[SweepPanel]]:
    """Return the panels row by row: a row per game for several parameters, all games side by side for a single one."""
    if not sweep.rows:
        raise ZerosumError("there is nothing to draw: no run of the sweep is done")
    if len(sweep.grid) == 1:
        rows = [[SweepPanel(game, {}) for game in sweep.games]]
    else:
        others = dict(list(sweep.grid.items())[2:])
        rest = [dict(zip(others, values, strict=True)) for values in product(*others.values())]
        rows = [[SweepPanel(game, chosen) for chosen in rest] for game in sweep.games]
    count = sum(map(len, rows))
    if count > MAX_PANELS:
        raise ZerosumError(f"a picture of {count} maps is too large: give fewer values to the later parameters")
    return rows


def draw_sweep(sweep: Sweep, figure: Figure) -> list[Axes]:
    """Draw a sweep on an empty figure, which is enlarged as needed; return the axes of the panels."""
    rows = list_panels(sweep)
    panels = [panel for row in rows for panel in row]
    is_map = len(sweep.grid) > 1
    *above, across = list(sweep.grid.values())[:2]
    width = len(across) * max(CELL_WIDTH if is_map else 0.0, _estimate_width(across) + 0.1)
    if is_map:
        height, beside = CELL_HEIGHT * len(above[0]), _estimate_width(above[0]) + 0.4
    else:
        width, height, beside = max(LINE_WIDTH, width), LINE_HEIGHT, LABEL_ROOM
    titles = [_wrap(panel.title, max(width, 2.0), NAME) for panel in panels]
    heading = _wrap(sweep.algorithm, MAX_TITLE_WIDTH, TITLE)
    total_width = max(len(rows[0]) * (width + beside) + SCALE_ROOM * is_map, _estimate_width(heading, TITLE), 3.0)
    row_height = height + LABEL_ROOM + 1.3 * NAME / 72 * max(map(len, titles))
    figure.set_size_inches(total_width, len(rows) * row_height + 0.3 * len(heading) + 0.2)
    right = 1 - SCALE_LABEL_ROOM * is_map / total_width  # the layout gives no room to the label below a scale
    figure.set_layout_engine("constrained", rect=(0, 0, right, 1))
    figure.suptitle("\n".join(heading), x=0.02, ha="left", fontsize=TITLE)
    figure.supxlabel(_describe_marks(sweep), x=0.02, ha="left", fontsize=SMALL, color="0.35")
    grid = figure.subplots(len(rows), len(rows[0]), squeeze=False)
    for axes, panel, title in zip(grid.flat, panels, titles, strict=True):
        _draw_map(axes, sweep, panel) if is_map else _draw_line(axes, sweep, panel.game)
        axes.set_title("\n".join(title), loc="left", fontsize=NAME)
        axes.grid(visible=False)
    if is_map:
        for row, row_axes in zip(rows, grid, strict=True):
            _draw_scale(figure, sweep, row[0].game, list(row_axes))
        for axes in grid[:-1].flat:
            axes.set_xlabel("")
        for axes in grid[:, 1:].flat:
            axes.set_ylabel("")
    return list(grid.flat)


def _describe_marks(sweep: Sweep) -> str:
    """Return what the marks of the picture mean."""
    if len(sweep.grid) == 1:
        return "circled: the best"
    has_several_maps = len(sweep.games) > 1 or len(sweep.grid) > 2
    has_failures = any(math.isinf(sweep.score(row)) for row in sweep.rows)
    return f"framed: the best{' of a game' if has_several_maps else ''}{'; -: never got there' if has_failures else ''}"


def _name_score(sweep: Sweep, game: str) -> str:
    unit = sweep.units[game]
    return f"exploitability{f' ({unit})' if unit else ''}" if sweep.by == "exploitability" else sweep.by


def _draw_line(axes: Axes, sweep: Sweep, game: str) -> None:
    """Draw the line of one parameter, its best point marked."""
    ((name, values),) = sweep.grid.items()
    scores = {row.parameters[name]: sweep.score(row) for row in sweep.rank_rows(game)}
    points = [(x, scores[value]) for x, value in enumerate(values) if math.isfinite(scores.get(value, math.inf))]
    colour, _, marker = STYLES[0]
    axes.plot([x for x, _ in points], [y for _, y in points], color=colour, marker=marker)
    if points:
        x, y = min(points, key=lambda point: point[1])
        circle: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": STYLES[1][0]}
        axes.plot([x], [y], marker="o", markersize=11, linestyle="", **circle)
        if all(y > 0 for _, y in points):
            axes.set_yscale("log")
    axes.set_xlim(-0.4, len(values) - 0.6)
    axes.set_xticks(range(len(values)), values)
    axes.set_xlabel(name)
    axes.set_ylabel(_name_score(sweep, game))


def _draw_map(axes: Axes, sweep: Sweep, panel: SweepPanel) -> None:
    """Draw a map: every cell with its number, the best of the game framed."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    (up, rows), (across, columns) = list(sweep.grid.items())[:2]
    norm = _build_norm(*_find_score_range(sweep, panel.game))
    best = sweep.best(panel.game)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for row in sweep.rank_rows(panel.game):
        if any(row.parameters[name] != value for name, value in panel.chosen.items()):
            continue
        x, y, score = columns.index(row.parameters[across]), rows.index(row.parameters[up]), sweep.score(row)
        is_finite = math.isfinite(score)
        colour: Any = colormaps[COLOURS](float(norm(score))) if is_finite else NEVER
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, color=colour, linewidth=0))
        ink = "white" if is_finite and 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] <= 0.5 else "black"
        text = _format_score(score) if is_finite else "-"
        axes.text(x, y, text, ha="center", va="center", color=ink, fontsize=SMALL)
        if row is best and is_finite:
            axes.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=STYLES[1][0], linewidth=2))


def _draw_scale(figure: Figure, sweep: Sweep, game: str, maps: list[Axes]) -> None:
    """Draw the scale of colours of a game beside its maps, if its scores differ."""
    from matplotlib.cm import ScalarMappable

    low, high = _find_score_range(sweep, game)
    if not low < high:
        return
    bar = figure.colorbar(ScalarMappable(_build_norm(low, high), COLOURS), ax=maps, fraction=0.05, aspect=12)
    bar.outline.set_visible(False)
    middle = math.sqrt(low) * math.sqrt(high) if low > 0 else (low + high) / 2
    ticks = {_format_score(value): value for value in (low, middle, high)}
    bar.ax.set_yticks(list(ticks.values()), list(ticks), fontsize=SMALL)
    bar.ax.minorticks_off()
    bar.ax.tick_params(length=2)
    bar.ax.set_xlabel(_name_score(sweep, game).replace(" (", "\n("), loc="left", fontsize=SMALL, labelpad=7)


def _find_score_range(sweep: Sweep, game: str) -> tuple[float, float]:
    """Return the best and the worst finite score of a game."""
    scores = [score for score in map(sweep.score, sweep.rank_rows(game)) if math.isfinite(score)]
    return (min(scores), max(scores)) if scores else (1.0, 1.0)


def _build_norm(low: float, high: float) -> Normalize:
    """Return the scale of scores between the best and the worst, logarithmic where that is possible."""
    from matplotlib.colors import LogNorm, Normalize

    return (LogNorm if 0 < low < high else Normalize)(low, high)


def _format_score(score: float) -> str:
    """Return two digits of a score, and all of a count that is not too long.

    >>> _format_score(0.01234), _format_score(4321), _format_score(1234567)
    ('0.012', '4,321', '1.2e6')
    """
    return f"{score:,.0f}" if 100 <= score < 1e5 else f"{score:.2g}".replace("e+0", "e").replace("e+", "e")


def _estimate_width(texts: Iterable[str], size: float = NAME) -> float:
    """Return about how wide the longest text is, in inches."""
    return max(map(len, texts)) * LETTER_WIDTH * size / 72


def _wrap(text: str, width: float, size: float) -> list[str]:
    """Return a text in lines that are not much wider than a width in inches."""
    return textwrap.wrap(text, max(8, int(width / (LETTER_WIDTH * size / 72)))) or [""]
