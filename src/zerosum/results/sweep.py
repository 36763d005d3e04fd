"""A sweep: an algorithm at every point of a grid of its parameters, on several games."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from zerosum import __version__
from zerosum.results.display.html import DPI, build_image, build_page, build_paragraph, build_table, format_line
from zerosum.support.call_syntax import find_placeholders
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import option_name
from zerosum.support.text import format_csv, format_duration, format_number
from zerosum.support.validation import check_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes

By = Literal["exploitability", "iterations", "seconds", "nodes"]
"""The number by which the points of a sweep are compared: the less, the better."""
BY: tuple[By, ...] = ("exploitability", "iterations", "seconds", "nodes")
MOST_POINTS = 10_000
"""The maximum number of points of a grid, and of games."""
FORMAT, FORMAT_VERSION = "zerosum-sweep", 1
RATIO, ON_ALL = "times the best", "on all games (geometric mean)"
"""The heading of a column, and the title of a table."""
NUMBERS = ("algorithm", "iterations", "nodes", "seconds", "exploitability", "value", "stopped")
"""Fields of a row, in the order of the columns of a file."""


@dataclass(frozen=True)
class SweepRow:
    """A run of a sweep: the game, the values of the parameters, and the numbers it reached.

    >>> import zerosum
    >>> zerosum.sweep(["kuhn"], "dcfr({alpha}, 0, 2)", {"alpha": [1]}, iterations=10).rows[0].parameters
    {'alpha': '1'}
    """

    game: str
    parameters: dict[str, str]
    algorithm: str
    iterations: int
    nodes: int | None
    seconds: float
    exploitability: float
    """In the unit of the game: see `Sweep.units`."""
    value: float
    stopped: str

    @property
    def reached(self) -> bool:
        """Whether the run reached the target exploitability."""
        return self.stopped == "until"


@dataclass(frozen=True, repr=False)
class Sweep:
    """Every run of a sweep, in the order of the games and of the grid.

    `by` is the number that points are compared by: exploitability, or the cost of reaching the target.

    >>> import zerosum
    >>> sweep = zerosum.sweep("kuhn", "dcfr({alpha}, 0, {gamma})", {"alpha": [1, 1.5], "gamma": [1, 2]}, iterations=100)
    >>> len(sweep.rows), sweep.best("kuhn").parameters["gamma"]
    (4, '2')
    """

    algorithm: str
    grid: dict[str, tuple[str, ...]]
    games: tuple[str, ...]
    units: dict[str, str]
    by: By
    rows: tuple[SweepRow, ...]
    failures: tuple[str, ...] = ()
    """The error messages of runs that failed."""
    missing: int = 0
    """The number of runs that were not done because the sweep was stopped."""
    zerosum: str = __version__

    def score(self, row: SweepRow) -> float:
        """Return the number that a row is compared by; infinite if it never reached the target."""
        if self.by == "exploitability":
            return row.exploitability
        return float(getattr(row, self.by) or 0) if row.reached else math.inf

    def rank_rows(self, game: str) -> list[SweepRow]:
        """Return the rows of a game, the best first."""
        return sorted((row for row in self.rows if row.game == game), key=self.score)

    def best(self, game: str) -> SweepRow:
        """Return the best row of a game."""
        rows = self.rank_rows(game)
        if not rows:
            raise ZerosumError(f"no run of {game} is done")
        return rows[0]

    def overall(self) -> list[tuple[dict[str, str], float]]:
        """Return the points of the grid, the best first, each with its mean ratio to the best point.

        The ratio is the geometric mean over the games of the score divided by that of the game's best point. Points
        that are not done on every game are left out.
        """
        lowest = {game: self.score(self.best(game)) for game in self.games if self.rank_rows(game)}
        ratios: dict[tuple[str, ...], list[float]] = {}
        for row in self.rows:
            ratio = _compute_ratio(self.score(row), lowest[row.game])
            ratios.setdefault(tuple(row.parameters.values()), []).append(ratio)
        means = [
            (dict(zip(self.grid, point, strict=True)), statistics.geometric_mean(of_games))
            for point, of_games in ratios.items()
            if len(of_games) == len(self.games)
        ]
        return sorted(means, key=lambda pair: pair[1])

    def format_rows(self, game: str) -> list[dict[str, str]]:
        """Return the rows of a game as text, column by column, the best first."""
        unit, rows = self.units[game], self.rank_rows(game)
        exploitability = f"exploitability ({unit})" if unit else "exploitability"
        return [
            {
                **row.parameters,
                "iterations": f"{row.iterations:,}",
                "time": format_duration(row.seconds),
                exploitability: format_number(row.exploitability),
                RATIO: _format_ratio(self.score(row), self.score(rows[0])),
            }
            for row in rows
        ]

    def format_overall(self) -> list[dict[str, str]]:
        """Return the points of the grid over all games as text, column by column, the best first."""
        return [{**point, RATIO: _format_ratio(ratio, 1.0)} for point, ratio in self.overall()]

    def to_frame(self) -> Any:
        """Return the runs as a pandas table, one row per run; needs pandas.

        >>> import zerosum
        >>> sweep = zerosum.sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5]}, iterations=10)
        >>> sweep.to_frame()[["game", "alpha", "iterations"]].values.tolist()
        [['kuhn', 1.0, 10], ['kuhn', 1.5, 10]]
        """
        from zerosum.results.display.tables import create_frame

        table = create_frame(self._list_values(), self._columns)
        for place, values in enumerate(self.grid.values(), start=1):
            if all(map(_is_number, values)):
                table.isetitem(place, table.iloc[:, place].astype(float))
        return table

    def plot(self) -> Axes:
        """Draw the sweep with matplotlib: a map of the grid for each game, or a line for a single parameter.

        Return the axes of the first panel; its `figure` has all of them.
        """
        from zerosum.results.display.sweep_plot import plot_sweep

        return plot_sweep(self)

    def __repr__(self) -> str:
        runs = f"{len(self.rows):,} runs" + (f", {self.missing:,} not done" if self.missing else "")
        best = ""
        for point, _ in self.overall()[:1]:
            best = f", best at {', '.join(f'{name}={value}' for name, value in point.items())}"
        return format_line("Sweep", f"{self.algorithm}: {runs}{best}; {', '.join(self.games)}")

    def _repr_html_(self) -> str:
        from zerosum.results.display.drawing import encode_drawing
        from zerosum.results.display.sweep_plot import draw_sweep

        tables = [build_table(f"{game}: {self.algorithm}", self.format_rows(game)) for game in self.games]
        if len(self.games) > 1:
            tables.append(build_table(ON_ALL, self.format_overall()))
        try:
            data = encode_drawing(lambda figure: draw_sweep(self, figure), "png", DPI)
            drawn = build_image(data, "a map of the grid")
        except ZerosumError as error:
            drawn = build_paragraph(str(error))
        left = f"{self.missing:,} runs were not done" if self.missing else ""
        return build_page(*tables, drawn, *map(build_paragraph, (*self.failures, left)))

    def content(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        overall = [{**point, "ratio": ratio if math.isfinite(ratio) else None} for point, ratio in self.overall()]
        return {"format": FORMAT, "version": FORMAT_VERSION, **asdict(self), "overall": overall}

    def to_csv(self) -> str:
        """Return the runs as CSV, one row per run."""
        return format_csv(self._columns, self._list_values())

    @property
    def _columns(self) -> list[str]:
        return ["game", *self.grid, *NUMBERS, "unit"]

    def _list_values(self) -> list[list[Any]]:
        """Return the values of the columns, one row per run."""
        return [
            [row.game, *row.parameters.values(), *(getattr(row, name) for name in NUMBERS), self.units[row.game]]
            for row in self.rows
        ]


def _format_ratio(score: float, best: float) -> str:
    """Return how many times as large as the best a score is, as text; empty where that has no meaning.

    >>> _format_ratio(3.0, 2.0), _format_ratio(math.inf, 2.0), _format_ratio(1.0, 0.0)
    ('1.50', 'never', '')
    """
    ratio = score / best if best > 0 else math.nan
    return "" if math.isnan(ratio) else "never" if math.isinf(ratio) else f"{ratio:.2f}"


def _compute_ratio(score: float, lowest: float) -> float:
    if not math.isfinite(score):
        return math.inf
    return score / lowest if lowest > 0 else 1.0 if score <= 0 else math.inf


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def parse_grid(algorithm: str, grid: Mapping[str, Sequence[Any]]) -> dict[str, tuple[str, ...]]:
    """Return the values of the parameters as texts; refuse a parameter that the algorithm lacks or that has no values.

    >>> parse_grid("dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5]})
    {'alpha': ('1', '1.5')}
    """
    wanted = find_placeholders(algorithm) if isinstance(algorithm, str) else []
    if not wanted:
        raise ZerosumError(
            f"nothing varies in {algorithm!r:.60}: write a parameter in braces, like dcfr({{alpha}}, 0, 2)"
        )
    if not isinstance(grid, Mapping) or not all(isinstance(values, Iterable) for values in grid.values()):
        raise ZerosumError(
            f"a grid has a list of values for each parameter, like {{'alpha': [1, 1.5]}}: not {grid!r:.60}"
        )
    for name in grid:
        if name not in wanted:
            raise ZerosumError(f"{algorithm!r} has no {{{name}}}; {suggest_names(str(name), wanted)}")
    parsed: dict[str, tuple[str, ...]] = {}
    for name in wanted:
        if name not in grid:
            raise ZerosumError(f"{{{name}}} of {algorithm!r} has no values: give some ({option_name('grid')})")
        is_single = isinstance(grid[name], str)
        values = [grid[name]] if is_single else check_list(f"values of {name}", grid[name], MOST_POINTS)
        texts = tuple(f"{value:.12g}" if isinstance(value, float) else str(value).strip() for value in values)
        if not texts:
            raise ZerosumError(f"the grid has no value for {name}")
        for text, count in Counter(texts).items():
            if count > 1:
                raise ZerosumError(f"the grid has {text} twice for {name}")
        parsed[name] = texts
    if math.prod(map(len, parsed.values())) > MOST_POINTS:
        raise ZerosumError(f"a sweep has at most {MOST_POINTS:,} points: give fewer values ({option_name('grid')})")
    return parsed


def list_grid_points(grid: Mapping[str, tuple[str, ...]]) -> list[dict[str, str]]:
    """Return every point of a grid; the last parameter varies fastest."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
