"""The differences of two strategies of one problem, weighted by how often play reaches them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

from zerosum.results.display.html import build_page, build_pairs, build_paragraph, build_table, format_line
from zerosum.support.errors import ZerosumError
from zerosum.support.text import format_mix, format_number, format_percent
from zerosum.support.validation import check_whole_number, is_number

Sort = Literal["strategy", "ev"]
By = Literal["class", "hand"]
ROUNDING = 1e-6
"""A difference of EVs below this share of them counts as none."""


@dataclass(frozen=True)
class DiffSettings:
    """How two strategies are compared.

    sort: which rows come first: those that differ most in their actions (strategy) or in their payoffs (ev).
    top: the maximum number of rows of each kind; None for all.
    min_reach: the least reach of a row.
    line, by: of a spot, the line to begin at, and whether classes of hands or single hands are listed.
    """

    sort: Sort = "strategy"
    top: int | None = None
    min_reach: float | None = None
    line: str = ""
    by: By = "class"

    def __post_init__(self) -> None:
        for verb, name, names in (("sorted", self.sort, get_args(Sort)), ("listed", self.by, get_args(By))):
            if name not in names:
                raise ZerosumError(f"differences are {verb} by {' or by '.join(names)}, not by {name!r}")
        check_whole_number("top", self.top, least=1)
        if self.min_reach is not None and not (is_number(self.min_reach) and 0 <= self.min_reach <= 1):
            raise ZerosumError(f"min_reach must be a probability, not {self.min_reach}")


@dataclass(frozen=True)
class DiffRow:
    """Two strategies at one place: an infoset, a range at a decision, or some of its hands.

    `reach` is the probability that play reaches the place, the smaller one of the two strategies. `moved` is the
    probability that moves to other actions, (1/2) sum over a of |mix_a[a] - mix_b[a]|, and `ev_moved` is
    |ev_b - ev_a|; for several hands, both are means weighted by reach.

    >>> row = DiffRow(1, {"infoset": "K|"}, 0.5, 0.25, {"bet": 1.0}, {"bet": 0.75, "check": 0.25}, 1.0, 0.5, 0.5)
    >>> row.ev_change, row.weight("strategy"), row.weight("ev")
    (-0.5, 0.125, 0.25)
    """

    player: int
    place: dict[str, str]
    reach: float
    moved: float
    mix_a: dict[str, float]
    mix_b: dict[str, float]
    ev_a: float
    ev_b: float
    ev_moved: float

    @property
    def ev_change(self) -> float:
        """The EV of the second strategy minus that of the first."""
        return self.ev_b - self.ev_a

    @property
    def ev_change_text(self) -> str:
        """The change of the EV as text; 0 where only rounding differs."""
        largest = max(abs(self.ev_a), abs(self.ev_b))
        return "0" if abs(self.ev_change) <= ROUNDING * largest else f"{self.ev_change:+.3g}"

    def weight(self, sort: Sort) -> float:
        """Return the number that rows are sorted by: the difference times the reach."""
        return self.reach * (self.moved if sort == "strategy" else self.ev_moved)


@dataclass(frozen=True, repr=False)
class Diff:
    """Two strategies compared, with the rows that differ most first.

    `rows` are infosets, or hands of a spot, and `decisions` the ranges of a spot at its decisions. `moved` and
    `ev_moved` are the means over all decisions, weighted by reach.

    >>> import zerosum
    >>> kuhn = zerosum.solve("kuhn", iterations=50)
    >>> same = zerosum.diff(kuhn, kuhn)
    >>> same.moved, same.ev_moved, len(same.rows)
    (0.0, 0.0, 12)
    """

    game: str
    strategy_a: str
    strategy_b: str
    seats: tuple[str, str]
    unit: str
    sort: Sort
    values: tuple[tuple[float, float], tuple[float, float]]
    """Both players' values with the first strategy, and with the second."""
    moved: float
    ev_moved: float
    rows: tuple[DiffRow, ...]
    decisions: tuple[DiffRow, ...] = ()
    notes: tuple[str, ...] = ()

    seat_labels: ClassVar[tuple[str, str]] = ("1", "2")
    """The names of the players in a column."""
    row_noun: ClassVar[str] = "infosets"
    """The noun for a row."""

    @property
    def summary_rows(self) -> dict[str, str]:
        """The compared strategies and their distance, as text."""
        unit = f" {self.unit}".rstrip()
        values = {
            f"EV, {seat}": f"{format_number(before)}{unit} in A, {format_number(after)}{unit} in B"
            for seat, before, after in zip(self.seats, *self.values, strict=True)
        }
        differ = f"{self.moved:.2%} of the actions, {format_number(self.ev_moved)}{unit} of EV"
        return {"game": self.game, "A": self.strategy_a, "B": self.strategy_b, **values, "differ": differ}

    @property
    def tables(self) -> list[tuple[str, list[dict[str, str]]]]:
        """The rows as text, column by column: the ranges of a spot, then its hands, or infosets."""
        by = "actions" if self.sort == "strategy" else "EV"
        tables = [
            (f"ranges, by {by}", [self._format_row(row, ("hand",)) for row in self.decisions]),
            (f"{self.row_noun}, by {by}", [self._format_row(row) for row in self.rows]),
        ]
        return [(title, rows) for title, rows in tables if rows]

    def _format_row(self, row: DiffRow, without: tuple[str, ...] = ()) -> dict[str, str]:
        return {
            "player": self.seat_labels[row.player - 1],
            **{name: text or "the start" for name, text in row.place.items() if name not in without},
            "reach": f"{row.reach:.2%}",
            "differ": format_percent(row.moved),
            "EV A": format_number(row.ev_a),
            "B - A": row.ev_change_text,
            "A": format_mix(row.mix_a),
            "B": format_mix(row.mix_b),
        }

    def __repr__(self) -> str:
        size = f"{len(self.rows):,} {self.row_noun}"
        distance = f"{self.moved:.2%} of all actions differ, {size} listed"
        return format_line("Diff", f"{self.game}: {distance}; {self.strategy_a} and {self.strategy_b}")

    def _repr_html_(self) -> str:
        tables = [build_table(title, rows) for title, rows in self.tables]
        return build_page(build_pairs(self.summary_rows), *tables, *map(build_paragraph, self.notes))

    def content(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        rows, decisions = (
            [{**asdict(row), "ev_change": row.ev_change} for row in listed] for listed in (self.rows, self.decisions)
        )
        return {**asdict(self), "rows": rows, "decisions": decisions}


def rank_rows(rows: Iterable[DiffRow], settings: DiffSettings) -> tuple[DiffRow, ...]:
    """Return the rows that differ most, largest first; ties are sorted by reach."""
    return tuple(sorted(rows, key=lambda row: (-row.weight(settings.sort), -row.reach))[: settings.top])


def average_rows(rows: Sequence[DiffRow], sort: Sort) -> float:
    """Return the mean difference of rows, weighted by their reach; 0 if there are none."""
    return math.fsum(row.weight(sort) for row in rows) / (math.fsum(row.reach for row in rows) or 1.0)
