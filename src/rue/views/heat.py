"""A picture of a sweep: a map of the grid for each game, darker where it is better; for one parameter a line."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from rue.disk import write_atomically
from rue.errors import RueError
from rue.results.drawing import SETTINGS, STYLES, blank, encoded
from rue.views.plots import check_plot, ending
from rue.views.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL = 0.72
"""Width of a cell of a map, in inches."""
MOST_PANELS = 60
COLOURS = "cividis"
"""Also told apart in grey and by eyes that mix up red and green."""


def heat_map(sweep: Sweep, path: str | Path) -> None:
    """Draw a sweep to an SVG, PNG or PDF file, whole or not at all.

    The first two parameters span a map; there is one for each game, a row, and each value of the other parameters.
    """
    path = Path(path)
    check_plot(path)
    if not sweep.rows:
        raise RueError("there is nothing to draw: no run of the sweep is done")
    import matplotlib

    with matplotlib.rc_context({**SETTINGS, "axes.grid": False}):
        drawn = _line(sweep) if len(sweep.grid) == 1 else _maps(sweep)
        data = encoded(drawn, ending(path))
    write_atomically(path, data)


def _told(sweep: Sweep, game: str) -> str:
    unit = sweep.units[game]
    return f"exploitability{f' ({unit})' if unit else ''}" if sweep.by == "exploitability" else sweep.by


def _line(sweep: Sweep) -> Figure:
    """One parameter: a line for each game, its best point marked."""
    ((name, values),) = sweep.grid.items()
    drawn = blank(3.6 * len(sweep.games), 3.0)
    for number, game in enumerate(sweep.games):
        axes = drawn.add_subplot(1, len(sweep.games), number + 1)
        found = {row.parameters[name]: sweep.score(row) for row in sweep.of(game)}
        points = [
            (place, found[value]) for place, value in enumerate(values) if math.isfinite(found.get(value, math.inf))
        ]
        colour, _, marker = STYLES[0]
        axes.plot([x for x, _ in points], [y for _, y in points], color=colour, marker=marker)
        if points:
            x, y = min(points, key=lambda point: point[1])
            axes.plot(
                [x], [y], marker="o", markersize=11, markerfacecolor="none", markeredgecolor=STYLES[1][0], linestyle=""
            )
            if all(y > 0 for _, y in points):
                axes.set_yscale("log")
        axes.set_xticks(range(len(values)), values)
        axes.set_xlabel(name)
        axes.set_ylabel(_told(sweep, game))
        axes.set_title(game, loc="left")
    drawn.subplots_adjust(wspace=0.45)
    return drawn


def _maps(sweep: Sweep) -> Figure:
    (up, rows), (across, columns), *others = sweep.grid.items()
    rest = [
        dict(zip((name for name, _ in others), values, strict=True)) for values in product(*(own for _, own in others))
    ]
    if len(rest) * len(sweep.games) > MOST_PANELS:
        raise RueError(
            f"a picture of {len(rest) * len(sweep.games)} maps is too large: give fewer values to the later parameters"
        )
    width, height = CELL * len(columns) + 0.9, 0.6 * CELL * len(rows) + 0.75
    drawn = blank(width * len(rest), height * len(sweep.games))
    for game_number, game in enumerate(sweep.games):
        scores = [sweep.score(row) for row in sweep.of(game)]
        finite = [score for score in scores if math.isfinite(score)]
        for rest_number, chosen in enumerate(rest):
            axes = drawn.add_subplot(len(sweep.games), len(rest), game_number * len(rest) + rest_number + 1)
            _map(axes, sweep, game, (up, across), chosen, finite)
            told = ", ".join(f"{name} {value}" for name, value in chosen.items())
            axes.set_title(f"{game}{f': {told}' if told else ''}", loc="left")
            if rest_number == 0:
                axes.set_ylabel(up)
            if game_number == len(sweep.games) - 1:
                axes.set_xlabel(across)
    title = {"exploitability": "exploitability at the end"}.get(sweep.by, f"{sweep.by} to the goal")
    drawn.suptitle(
        f"{sweep.algorithm}: {title}", x=0.02, y=1.0 + 0.12 / (height * len(sweep.games)), ha="left", fontsize=11
    )
    drawn.subplots_adjust(wspace=0.28, hspace=0.55, left=0.02, right=0.98, bottom=0.04, top=0.92)
    return drawn


def _map(
    axes: Axes, sweep: Sweep, game: str, spanned: tuple[str, str], chosen: dict[str, str], scores: list[float]
) -> None:
    """One map: every cell with its number, the best of the game framed."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    up, across = spanned
    rows, columns = sweep.grid[up], sweep.grid[across]
    colours = colormaps[COLOURS].reversed()
    low, high = (min(scores), max(scores)) if scores else (1.0, 1.0)
    best = sweep.best(game)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row in sweep.of(game):
        if any(row.parameters[name] != value for name, value in chosen.items()):
            continue
        x, y, score = columns.index(row.parameters[across]), rows.index(row.parameters[up]), sweep.score(row)
        share = 1.0 if not math.isfinite(score) else 0.0 if high <= low else _share(score, low, high)
        red, green, blue, _ = colours(1.0 - share)
        if not math.isfinite(score):
            red = green = blue = 0.93
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, color=(red, green, blue), linewidth=0))
        ink = "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
        axes.text(
            x, y, f"{score:.2g}" if math.isfinite(score) else "-", ha="center", va="center", color=ink, fontsize=8
        )
        if row is best:
            axes.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=STYLES[1][0], linewidth=2))


def _share(score: float, low: float, high: float) -> float:
    """Where a score stands between the best and the worst, by logarithms where that can be."""
    if low > 0:
        return math.log(score / low) / math.log(high / low)
    return (score - low) / (high - low)
