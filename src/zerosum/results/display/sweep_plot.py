"""A picture of a sweep: a map of the grid for each game, darker where it is better; for one parameter a line."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.results.display.curve_plot import SETTINGS, STYLES, blank, encoded
from zerosum.results.display.plot_files import save_picture
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    from zerosum.results.sweep import Sweep

CELL = 0.72
"""Width of a cell of a map at least, in inches like all sizes here."""
HIGH = 0.43
"""Height of a cell."""
LINE = (2.9, 2.2)
"""Width and height of a panel with a line."""
LETTER = 0.55
"""Width of a letter as a share of its size, about."""
BETWEEN, EDGE = 0.35, 0.15
BAR, FROM_MAP, LABELS = 0.14, 0.18, 0.85
"""The scale of colours: its width, its distance from the map, the room for its numbers and its name."""
SMALL, NAME, TITLE = 8, 10, 11
"""Sizes of letters."""
WIDEST_TITLE = 6.0
MOST_PANELS = 60
COLOURS = "cividis"
"""Distinct in grey too, and for eyes that mix up red and green."""
NEVER = "0.93"
"""The colour of a point that never reached the target."""

Size = tuple[float, float]


class HeatMapPanel(NamedTuple):
    """A game, and the values of the parameters that its map does not span."""

    game: str
    chosen: dict[str, str]

    @property
    def title(self) -> str:
        values = ", ".join(f"{name} {value}" for name, value in self.chosen.items())
        return f"{self.game}{f': {values}' if values else ''}"


def heat_map(sweep: Sweep, path: str | Path) -> None:
    """Draw a sweep to an SVG, PNG or PDF file, whole or not at all.

    The first two parameters span a map; there is one for each game, a row, and each value of the other parameters.
    """
    save_picture(path, lambda kind: heat_picture(sweep, kind))


def heat_picture(sweep: Sweep, kind: str, dpi: float = 200) -> bytes:
    """The same as the bytes of a file."""
    import matplotlib

    with matplotlib.rc_context(_settings()):
        figure = blank(1.0, 1.0)
        draw_sweep(sweep, figure)
        return encoded(figure, kind, dpi)


def plot_sweep(sweep: Sweep) -> Axes:
    """Draw a sweep on a new figure of pyplot's, which a notebook shows; returns the axes of its first panel."""
    import matplotlib
    from matplotlib import pyplot

    panels(sweep)
    figure = pyplot.figure()  # before the settings that end with the drawing: a notebook has its own
    with matplotlib.rc_context(_settings()):
        return draw_sweep(sweep, figure)[0]


def _settings() -> dict[Any, Any]:
    return {**SETTINGS, "axes.grid": False}


def panels(sweep: Sweep) -> list[list[HeatMapPanel]]:
    """Return the panels row by row: a row per game for several parameters, all games side by side for a single one."""
    if not sweep.rows:
        raise ZerosumError("there is nothing to draw: no run of the sweep is done")
    if len(sweep.grid) == 1:
        rows = [[HeatMapPanel(game, {}) for game in sweep.games]]
    else:
        others = dict(list(sweep.grid.items())[2:])
        rest = [dict(zip(others, values, strict=True)) for values in product(*others.values())]
        rows = [[HeatMapPanel(game, chosen) for chosen in rest] for game in sweep.games]
    count = sum(map(len, rows))
    if count > MOST_PANELS:
        raise ZerosumError(f"a picture of {count} maps is too large: give fewer values to the later parameters")
    return rows


def draw_sweep(sweep: Sweep, figure: Figure) -> list[Axes]:
    """Draw a sweep on an empty figure, which is enlarged as needed; return the axes of the panels."""
    lines = len(sweep.grid) == 1
    rows = panels(sweep)
    size, left = _line_size(sweep) if lines else _map_size(sweep)
    right = 0.0 if lines else FROM_MAP + BAR + LABELS
    room = max(size[0], 2.0)
    titles = [["\n".join(_wrapped(panel.title, room, NAME)) for panel in row] for row in rows]
    above = [_high(max(row, key=lambda title: title.count("\n")), NAME) + 0.12 for row in titles]
    below = 0.55
    pitch = max(left + size[0], left + max(_wide(title, NAME) for row in titles for title in row)) + BETWEEN
    width = EDGE + pitch * len(rows[0]) - BETWEEN + right + EDGE
    goal = "exploitability at the end" if sweep.by == "exploitability" else f"{sweep.by} to the goal"
    head = "\n".join(_wrapped(f"{sweep.algorithm}: {goal}", max(width - 2 * EDGE, WIDEST_TITLE), TITLE))
    key = _key(sweep)
    width = max(width, 2 * EDGE + max(_wide(head, TITLE), _wide(key, SMALL)))
    top = EDGE + _high(head, TITLE) + _high(key, SMALL) + 0.05
    height = top + sum(over + size[1] + below for over in above)
    figure.set_size_inches(width, height)
    figure.text(EDGE / width, 1 - EDGE / height, head, fontsize=TITLE, va="top", linespacing=1.25)
    figure.text(EDGE / width, 1 - (top - 0.05) / height, key, fontsize=SMALL, color="0.35", va="bottom")
    drawn: list[Axes] = []
    bottom = height - top
    for number, (row, over) in enumerate(zip(rows, above, strict=True)):
        bottom -= over + size[1]
        for place, panel in enumerate(row):
            x = EDGE + left + place * pitch
            axes = figure.add_axes((x / width, bottom / height, size[0] / width, size[1] / height))
            _line(axes, sweep, panel.game) if lines else _map(axes, sweep, panel)
            axes.set_title(titles[number][place], loc="left", fontsize=NAME)
            if place and not lines:
                axes.set_ylabel("")
            if number < len(rows) - 1:
                axes.set_xlabel("")
            drawn.append(axes)
        if not lines:
            x = EDGE + left + (len(row) - 1) * pitch + size[0] + FROM_MAP
            _scale(figure, sweep, row[0].game, (x / width, bottom / height, BAR / width, size[1] / height))
        bottom -= below
    return drawn


def _key(sweep: Sweep) -> str:
    """What the signs of the picture mean."""
    if len(sweep.grid) == 1:
        return "circled: the best"
    many = len(sweep.games) > 1 or len(sweep.grid) > 2
    never = any(math.isinf(sweep.score(row)) for row in sweep.rows)
    return f"framed: the best{' of a game' if many else ''}{'; -: never got there' if never else ''}"


def _line_size(sweep: Sweep) -> tuple[Size, float]:
    """The size of a panel and the room to the left of it."""
    (values,) = sweep.grid.values()
    return (max(LINE[0], len(values) * (_widest(values) + 0.1)), LINE[1]), 0.95


def _map_size(sweep: Sweep) -> tuple[Size, float]:
    rows, columns = list(sweep.grid.values())[:2]
    cell = max(CELL, _widest(columns) + 0.12)
    return (cell * len(columns), HIGH * len(rows)), _widest(rows) + 0.4


def _score_label(sweep: Sweep, game: str) -> str:
    unit = sweep.units[game]
    return f"exploitability{f' ({unit})' if unit else ''}" if sweep.by == "exploitability" else sweep.by


def _line(axes: Axes, sweep: Sweep, game: str) -> None:
    """Draw the line of one parameter, its best point marked."""
    ((name, values),) = sweep.grid.items()
    scores = {row.parameters[name]: sweep.score(row) for row in sweep.of(game)}
    points = [(x, scores[value]) for x, value in enumerate(values) if math.isfinite(scores.get(value, math.inf))]
    colour, _, marker = STYLES[0]
    axes.plot([x for x, _ in points], [y for _, y in points], color=colour, marker=marker)
    if points:
        x, y = min(points, key=lambda point: point[1])
        axes.plot(
            [x], [y], marker="o", markersize=11, markerfacecolor="none", markeredgecolor=STYLES[1][0], linestyle=""
        )
        if all(y > 0 for _, y in points):
            axes.set_yscale("log")
    axes.set_xlim(-0.4, len(values) - 0.6)
    axes.set_xticks(range(len(values)), values)
    axes.set_xlabel(name)
    axes.set_ylabel(_score_label(sweep, game))


def _map(axes: Axes, sweep: Sweep, panel: HeatMapPanel) -> None:
    """Draw a map: every cell with its number, the best of the game framed."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    (up, rows), (across, columns) = list(sweep.grid.items())[:2]
    norm = _norm(*_ends(sweep, panel.game))
    best = sweep.best(panel.game)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row in sweep.of(panel.game):
        if any(row.parameters[name] != value for name, value in panel.chosen.items()):
            continue
        x, y, score = columns.index(row.parameters[across]), rows.index(row.parameters[up]), sweep.score(row)
        is_finite = math.isfinite(score)
        colour: Any = colormaps[COLOURS](float(norm(score))) if is_finite else NEVER
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, color=colour, linewidth=0))
        ink = "white" if is_finite and 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] <= 0.5 else "black"
        axes.text(x, y, _number(score) if is_finite else "-", ha="center", va="center", color=ink, fontsize=SMALL)
        if row is best and is_finite:
            axes.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=STYLES[1][0], linewidth=2))


def _scale(figure: Figure, sweep: Sweep, game: str, place: tuple[float, float, float, float]) -> None:
    """Draw the scale of colours of a game, if its scores differ."""
    from matplotlib.cm import ScalarMappable

    low, high = _ends(sweep, game)
    if not low < high:
        return
    axes = figure.add_axes(place)
    bar = figure.colorbar(ScalarMappable(_norm(low, high), COLOURS), cax=axes)
    bar.outline.set_visible(False)
    middle = math.sqrt(low) * math.sqrt(high) if low > 0 else (low + high) / 2
    ticks = {_number(value): value for value in (low, middle, high)}
    axes.set_yticks(list(ticks.values()), list(ticks), fontsize=SMALL)
    axes.minorticks_off()
    axes.tick_params(length=2)
    axes.set_xlabel(_score_label(sweep, game).replace(" (", "\n("), loc="left", fontsize=SMALL, labelpad=7)


def _ends(sweep: Sweep, game: str) -> Size:
    """Return the best and the worst finite score of a game."""
    scores = [score for score in map(sweep.score, sweep.of(game)) if math.isfinite(score)]
    return (min(scores), max(scores)) if scores else (1.0, 1.0)


def _norm(low: float, high: float) -> Normalize:
    """Where scores stand between the best and the worst, by logarithms where that can be."""
    from matplotlib.colors import LogNorm, Normalize

    return (LogNorm if 0 < low < high else Normalize)(low, high)


def _number(score: float) -> str:
    """Two digits of a score, and all of a count that is not too long.

    >>> _number(0.01234), _number(4321), _number(1234567)
    ('0.012', '4,321', '1.2e6')
    """
    return f"{score:,.0f}" if 100 <= score < 1e5 else f"{score:.2g}".replace("e+0", "e").replace("e+", "e")


def _wide(text: str, size: float) -> float:
    """How wide some lines are, about."""
    return max(map(len, text.split("\n"))) * LETTER * size / 72


def _widest(texts: Iterable[str]) -> float:
    return max(_wide(text, NAME) for text in texts)


def _high(text: str, size: float) -> float:
    return (1 + text.count("\n")) * 1.3 * size / 72


def _wrapped(text: str, width: float, size: float) -> Sequence[str]:
    """A text in lines that are not wider than that, about."""
    return textwrap.wrap(text, max(8, int(width / (LETTER * size / 72)))) or [""]
