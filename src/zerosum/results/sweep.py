"""A sweep: an algorithm whose parameters go through a grid, on several games, as data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from zerosum import __version__
from zerosum.results.display.html import DPI, image, one_line, page, paragraph, table
from zerosum.support.call_syntax import find_placeholders
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import option_name
from zerosum.support.text import format_csv, format_duration, format_number
from zerosum.support.validation import check_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes

By = Literal["exploitability", "iterations", "seconds", "nodes"]
"""What the points of a sweep are compared by: the less, the better."""
BY: tuple[By, ...] = ("exploitability", "iterations", "seconds", "nodes")
MOST_POINTS = 10_000
"""Of a grid on each game, and games."""
FORMAT, FORMAT_VERSION = "zerosum-sweep", 1
RATIO, ON_ALL = "times the best", "on all games (geometric mean)"
"""How a column and a table are called."""
NUMBERS = ("algorithm", "iterations", "nodes", "seconds", "exploitability", "value", "stopped")
"""Of a row, in the order of the columns of a file."""


@dataclass(frozen=True)
class SweepRow:
    """A run of a sweep: the game, the values of the parameters, and what it reached.

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
        """Whether it got to the exploitability that was asked for."""
        return self.stopped == "until"


@dataclass(frozen=True, repr=False)
class Sweep:
    """Every run of a sweep, in the order of the games and of the grid.

    `by` is what points are compared by: exploitability, or what it took to get to the one that was asked for.

    >>> import zerosum
    >>> found = zerosum.sweep("kuhn", "dcfr({alpha}, 0, {gamma})", {"alpha": [1, 1.5], "gamma": [1, 2]}, iterations=100)
    >>> len(found.rows), found.best("kuhn").parameters["gamma"]
    (4, '2')
    """

    algorithm: str
    grid: dict[str, tuple[str, ...]]
    games: tuple[str, ...]
    units: dict[str, str]
    by: By
    rows: tuple[SweepRow, ...]
    failures: tuple[str, ...] = ()
    """Sentences about runs that came to nothing."""
    missing: int = 0
    """Runs that were not done, because somebody stopped it."""
    zerosum: str = __version__

    def score(self, row: SweepRow) -> float:
        """What a row is compared by; infinite if it never got to what was asked for."""
        if self.by == "exploitability":
            return row.exploitability
        return float(getattr(row, self.by) or 0) if row.reached else math.inf

    def of(self, game: str) -> list[SweepRow]:
        """The rows of a game, the best first."""
        return sorted((row for row in self.rows if row.game == game), key=self.score)

    def best(self, game: str) -> SweepRow:
        """The best row of a game."""
        rows = self.of(game)
        if not rows:
            raise ZerosumError(f"no run of {game} is done")
        return rows[0]

    def overall(self) -> list[tuple[dict[str, str], float]]:
        """The points of the grid, the best first, and how far each is from the best of every game: the geometric mean
        over the games of its score divided by that of the best. Points that are not done on every game are left out."""
        lowest = {game: self.score(self.best(game)) for game in self.games if self.of(game)}
        ratios: dict[tuple[str, ...], list[float]] = {}
        for row in self.rows:
            ratio = _ratio(self.score(row), lowest[row.game])
            ratios.setdefault(tuple(row.parameters.values()), []).append(ratio)
        means = [
            (dict(zip(self.grid, point, strict=True)), _mean(of_games))
            for point, of_games in ratios.items()
            if len(of_games) == len(self.games)
        ]
        return sorted(means, key=lambda pair: pair[1])

    def table(self, game: str) -> list[dict[str, str]]:
        """Return the rows of a game as text, column by column, the best first."""
        unit, rows = self.units[game], self.of(game)
        exploitability = f"exploitability ({unit})" if unit else "exploitability"
        return [
            {
                **row.parameters,
                "iterations": f"{row.iterations:,}",
                "time": format_duration(row.seconds),
                exploitability: format_number(row.exploitability),
                RATIO: _times(self.score(row), self.score(rows[0])),
            }
            for row in rows
        ]

    def overall_table(self) -> list[dict[str, str]]:
        """Return the points of the grid over all games as text, column by column, the best first."""
        return [{**point, RATIO: _times(ratio, 1.0)} for point, ratio in self.overall()]

    def to_frame(self) -> Any:
        """Return the runs as a pandas table, one row per run; needs pandas.

        >>> import zerosum
        >>> sweep = zerosum.sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5]}, iterations=10)
        >>> sweep.to_frame()[["game", "alpha", "iterations"]].values.tolist()
        [['kuhn', 1.0, 10], ['kuhn', 1.5, 10]]
        """
        from zerosum.results.display.tables import create_frame

        table = create_frame(self._flat(), self._columns)
        for place, values in enumerate(self.grid.values(), start=1):
            if all(map(_is_number, values)):
                table.isetitem(place, table.iloc[:, place].astype(float))
        return table

    def plot(self) -> Axes:
        """Draw it with matplotlib: a map of the grid for each game, or a line for a single parameter.

        Returns the axes of the first panel; its `figure` has them all.
        """
        from zerosum.results.display.sweep_plot import plot_sweep

        return plot_sweep(self)

    def __repr__(self) -> str:
        """On one line."""
        runs = f"{len(self.rows):,} runs" + (f", {self.missing:,} not done" if self.missing else "")
        best = ""
        if self.overall():
            point, _ = self.overall()[0]
            best = f", best at {', '.join(f'{name}={value}' for name, value in point.items())}"
        return one_line("Sweep", f"{self.algorithm}: {runs}{best}; {', '.join(self.games)}")

    def _repr_html_(self) -> str:
        from zerosum.results.display.drawing import encode_drawing
        from zerosum.results.display.sweep_plot import draw_sweep

        tables = [table(f"{game}: {self.algorithm}", self.table(game)) for game in self.games]
        if len(self.games) > 1:
            tables.append(table(ON_ALL, self.overall_table()))
        try:
            drawn = image(encode_drawing(lambda figure: draw_sweep(self, figure), "png", DPI), "a map of the grid")
        except ZerosumError as error:
            drawn = paragraph(str(error))
        left = f"{self.missing:,} runs were not done" if self.missing else ""
        return page(*tables, drawn, *map(paragraph, (*self.failures, left)))

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        overall = [{**point, "ratio": ratio if math.isfinite(ratio) else None} for point, ratio in self.overall()]
        return {"format": FORMAT, "version": FORMAT_VERSION, **asdict(self), "overall": overall}

    def csv(self) -> str:
        """A row a run."""
        return format_csv(self._columns, self._flat())

    @property
    def _columns(self) -> list[str]:
        return ["game", *self.grid, *NUMBERS, "unit"]

    def _flat(self) -> list[list[Any]]:
        """A row a run, with the values of the columns."""
        return [
            [row.game, *row.parameters.values(), *(getattr(row, name) for name in NUMBERS), self.units[row.game]]
            for row in self.rows
        ]


def _times(score: float, best: float) -> str:
    """How many times as much as the best a score is, in words; nothing where that means nothing.

    >>> _times(3.0, 2.0), _times(math.inf, 2.0), _times(1.0, 0.0)
    ('1.50', 'never', '')
    """
    ratio = score / best if best > 0 else math.nan
    return "" if math.isnan(ratio) else "never" if math.isinf(ratio) else f"{ratio:.2f}"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _ratio(score: float, lowest: float) -> float:
    if not math.isfinite(score):
        return math.inf
    return score / lowest if lowest > 0 else 1.0 if score <= 0 else math.inf


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    if any(math.isinf(ratio) for ratio in ratios):
        return math.inf
    return math.exp(math.fsum(math.log(ratio) for ratio in ratios) / len(ratios))


def checked_grid(algorithm: str, grid: Mapping[str, Sequence[Any]]) -> dict[str, tuple[str, ...]]:
    """The values of the parameters as texts; a parameter that the algorithm lacks, or has and nobody gives, is refused.

    >>> checked_grid("dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5]})
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
    parsed: dict[str, tuple[str, ...]] = {}
    for name in grid:
        if name not in wanted:
            raise ZerosumError(f"{algorithm!r} has no {{{name}}}; {suggest_names(str(name), wanted)}")
    for name in wanted:
        if name not in grid:
            raise ZerosumError(f"{{{name}}} of {algorithm!r} has no values: give some ({option_name('grid')})")
        values = (
            [grid[name]] if isinstance(grid[name], str) else check_list(f"values of {name}", grid[name], MOST_POINTS)
        )
        texts = tuple(f"{value:.12g}" if isinstance(value, float) else str(value).strip() for value in values)
        twice = [text for text, count in Counter(texts).items() if count > 1]
        if not texts or twice:
            raise ZerosumError(
                f"the grid has {twice[0]} twice for {name}" if twice else f"the grid has no value for {name}"
            )
        parsed[name] = texts
    if math.prod(map(len, parsed.values())) > MOST_POINTS:
        raise ZerosumError(f"a sweep has at most {MOST_POINTS:,} points: give fewer values ({option_name('grid')})")
    return parsed


def points(grid: Mapping[str, tuple[str, ...]]) -> list[dict[str, str]]:
    """Return every point of a grid, the last parameter fastest."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
