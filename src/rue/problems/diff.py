"""Two strategies of one problem compared: where they differ most, weighted by how often play gets there in both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from rue.checked import check_whole, is_number
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats
from rue.problems.fit import Names, lay, silence
from rue.problems.played import played
from rue.records import dataclass
from rue.results.page import one_line, page, pairs, paragraph, table
from rue.results.strategy import Strategy
from rue.words import percent, pieces, short

Sort = Literal["strategy", "ev"]
SORTS = ("strategy", "ev")
By = Literal["class", "hand"]
BYS = ("class", "hand")
ROUNDING = 1e-6
"""The share of what is earned below which a difference is none."""
LEAST = 0.001
"""The share of all deals that must get to a decision of hold'em for it to be looked at, if nothing else is asked."""


@dataclass(frozen=True)
class Comparing:
    """How two strategies are compared: sorted by what, how many rows of each kind at most (None for all), from which
    share of all deals on; of hold'em also from which line on, and by classes of hands or hand by hand."""

    sort: Sort = "strategy"
    top: int | None = None
    min_reach: float | None = None
    line: str = ""
    by: By = "class"

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise RueError(f"differences are sorted by {' or by '.join(SORTS)}, not by {self.sort!r}")
        if self.by not in BYS:
            raise RueError(f"differences are listed by {' or by '.join(BYS)}, not by {self.by!r}")
        check_whole("top", self.top, least=1)
        if self.min_reach is not None and not (is_number(self.min_reach) and 0 <= self.min_reach <= 1):
            raise RueError(f"min_reach must be a probability, not {self.min_reach}")


@dataclass(frozen=True)
class DiffRow:
    """Where two strategies may differ: an infoset, a range at a decision, or some of its hands.

    `reach` is how often play gets there, in both: the smaller one of their chances. `moved` is the share of
    probability that goes to other actions, (1/2) sum over a of |one[a] - two[a]|, and `ev_moved` the mean of
    |ev_two - ev_one|; of several hands, the mean over them, weighted by their reach.

    >>> row = DiffRow(1, {"infoset": "K|"}, 0.5, 0.25, {"bet": 1.0}, {"bet": 0.75, "check": 0.25}, 1.0, 0.5, 0.5)
    >>> row.ev_change, row.weight("strategy"), row.weight("ev")
    (-0.5, 0.125, 0.25)
    """

    player: int
    place: dict[str, str]
    reach: float
    moved: float
    one: dict[str, float]
    two: dict[str, float]
    ev_one: float
    ev_two: float
    ev_moved: float

    @property
    def ev_change(self) -> float:
        """What the second strategy earns more from there on."""
        return self.ev_two - self.ev_one

    @property
    def ev_change_told(self) -> str:
        """The same in words; nothing where only rounding differs."""
        largest = max(abs(self.ev_one), abs(self.ev_two))
        return "0" if abs(self.ev_change) <= ROUNDING * largest else f"{self.ev_change:+.3g}"

    def weight(self, sort: Sort) -> float:
        """What rows are sorted by: how far they differ times how often play gets there."""
        return self.reach * (self.moved if sort == "strategy" else self.ev_moved)


@dataclass(frozen=True, repr=False)
class Diff:
    """Two strategies compared: the rows that differ most first.

    `decisions` are ranges of hold'em at decisions, `rows` some of their hands, or the infosets of other games. `moved`
    and `ev_moved` are the means over all decisions, weighted by reach.

    >>> import rue
    >>> kuhn = rue.solve("kuhn", iterations=50)
    >>> same = rue.diff(kuhn, kuhn)
    >>> same.moved, same.ev_moved, len(same.rows)
    (0.0, 0.0, 12)
    """

    game: str
    one: str
    two: str
    seats: tuple[str, str]
    unit: str
    sort: Sort
    values: tuple[tuple[float, float], tuple[float, float]]
    """What both players win with the first strategy, and with the second."""
    moved: float
    ev_moved: float
    rows: tuple[DiffRow, ...]
    decisions: tuple[DiffRow, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> dict[str, str]:
        """What was compared and how far it differs, in words."""
        unit = f" {self.unit}".rstrip()
        values = {
            f"EV, {seat}": f"{short(before)}{unit} in A, {short(after)}{unit} in B"
            for seat, before, after in zip(self.seats, *self.values, strict=True)
        }
        differ = f"{self.moved:.2%} of what is done, {short(self.ev_moved)}{unit} of what it earns"
        return {"game": self.game, "A": self.one, "B": self.two, **values, "differ": differ}

    @property
    def tables(self) -> list[tuple[str, list[dict[str, str]]]]:
        """The rows in words, column by column: the ranges of hold'em, then hands or infosets."""
        by = "what they do" if self.sort == "strategy" else "what they earn"
        hands = "hands" if self.decisions else "infosets"
        found = [
            (f"ranges, by {by}", [self._in_words(row, ("hand",)) for row in self.decisions]),
            (f"{hands}, by {by}", [self._in_words(row) for row in self.rows]),
        ]
        return [(title, rows) for title, rows in found if rows]

    def _in_words(self, row: DiffRow, without: tuple[str, ...] = ()) -> dict[str, str]:
        return {
            "player": ("oop", "ip")[row.player - 1] if self.decisions else str(row.player),
            **{name: text or "the start" for name, text in row.place.items() if name not in without},
            "reach": f"{row.reach:.2%}",
            "differ": percent(row.moved),
            "EV A": short(row.ev_one),
            "B - A": row.ev_change_told,
            "A": pieces(row.one),
            "B": pieces(row.two),
        }

    def __repr__(self) -> str:
        """On one line."""
        size = f"{len(self.rows):,} {'hands' if self.decisions else 'infosets'}"
        told = f"{self.moved:.2%} of what is done differs, {size} listed"
        return one_line("Diff", f"{self.game}: {told}; {self.one} and {self.two}")

    def _repr_html_(self) -> str:
        tables = [table(title, rows) for title, rows in self.tables]
        return page(pairs(self.told), *tables, *map(paragraph, self.notes))

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        content = asdict(self)
        for name, rows in (("rows", self.rows), ("decisions", self.decisions)):
            content[name] = [{**asdict(row), "ev_change": row.ev_change} for row in rows]
        return content


def ranked(rows: Iterable[DiffRow], how: Comparing) -> tuple[DiffRow, ...]:
    """The rows that differ most, the first ones first; those that differ alike by reach."""
    ordered = sorted(rows, key=lambda row: (-row.weight(how.sort), -row.reach))
    return tuple(ordered[: how.top])


def mean(rows: Sequence[DiffRow], sort: Sort) -> float:
    """How far rows differ in all, weighted by their reach; nothing where there are none."""
    return math.fsum(row.weight(sort) for row in rows) / (math.fsum(row.reach for row in rows) or 1.0)


def game_diff(form: SequenceForm, both: tuple[Strategy, Strategy], how: Comparing) -> Diff:
    """Two strategies of a game in sequence form; what one of them does not say is taken from the other."""
    names = Names(form)
    one, two = (lay(names, each) for each in both)
    notes = [*_completed(both[0], one, two), *_completed(both[1], two, one)]
    silent = [~np.isnan(own[treeplex.first]) for own, treeplex in zip(one, form.treeplexes, strict=True)]
    missing = int(sum((~each).sum() for each in silent))
    if missing:
        raise RueError(silence(names, both[0], silent, missing).partition(";")[0])
    first, second = (played(form, strategies) for strategies in (one, two))
    rows: list[DiffRow] = []
    for player, number, text in names.listed:
        treeplex = form.treeplexes[player]
        reach = float(min(first.reach[player][number], second.reach[player][number]))
        if reach <= 0.0 or reach < (how.min_reach or 0.0):
            continue
        at, actions = treeplex.of(number), [str(action) for action in treeplex.actions[number]]
        sides = [own[player][at] for own in (one, two)]
        evs = [float(side.evs[player][number]) for side in (first, second)]
        rows.append(
            DiffRow(
                player=player + 1,
                place={"infoset": text},
                reach=reach,
                moved=float(np.abs(sides[0] - sides[1]).sum()) / 2,
                one=dict(zip(actions, sides[0].tolist(), strict=True)),
                two=dict(zip(actions, sides[1].tolist(), strict=True)),
                ev_one=evs[0],
                ev_two=evs[1],
                ev_moved=abs(evs[1] - evs[0]),
            )
        )
    if len(rows) < len(names.listed):
        rare = f"less often than {how.min_reach:g}" if how.min_reach else "never"
        notes.append(f"{len(names.listed) - len(rows):,} infosets are left out: in one of them play gets there {rare}")
    return Diff(
        game=form.name,
        one=both[0].source,
        two=both[1].source,
        seats=("player 1", "player 2"),
        unit="",
        sort=how.sort,
        values=tuple((each.value, 2 * form.shift - each.value) for each in (first, second)),  # type: ignore[arg-type]
        moved=mean(rows, "strategy"),
        ev_moved=mean(rows, "ev"),
        rows=ranked(rows, how),
        notes=tuple(notes),
    )


def _completed(strategy: Strategy, own: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> list[str]:
    """Take from the other what a strategy does not say; told in a sentence."""
    unsaid = 0
    for mine, theirs in zip(own, other, strict=True):
        silent = np.isnan(mine)
        silent[0] = False
        unsaid += int(silent.any())
        mine[silent] = theirs[silent]
        mine[0] = 1.0
    return [f"{strategy.source} does not say everything: elsewhere it plays like the other"] if unsaid else []
