"""A report: one decision on many cards, flops or kinds of a spot, a row each, with the weighted mean."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from rue import __version__
from rue.disk import DAMAGE, from_json, read_at_most
from rue.errors import RueError, nearest
from rue.holdem.cards import CARDS, card_name
from rue.holdem.line import trace
from rue.holdem.spots import Spot
from rue.holdem.words import words
from rue.machine import largest_text
from rue.records import dataclass
from rue.results.page import one_line
from rue.results.points import check_count, check_number
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult

FORMAT, FORMAT_VERSION = "rue-report", 1
ANY = "*"
"""Stands for every card in a line."""
SORTED = ("name", "weight", "ev_oop", "ev_ip", "equity_oop", "equity_ip", "realised_oop", "realised_ip")
"""What a report can be sorted by, beside the actions."""


@dataclass(frozen=True)
class ReportRow:
    """A decision on a card or a flop: how often it is got to, what is done and what both ranges earn.

    `weight` is its share of all rows. EVs are chips won from here on. `equity_oop` is the share of the pot that the
    range out of position would win if nobody bet any more; None where no deal gets there.

    >>> row = ReportRow("4d", 0.5, "oop", 100.0, ev_oop=60.0, ev_ip=40.0, equity_oop=0.5, frequencies={"check": 1.0})
    >>> row.equity_ip, row.realised_oop
    (0.5, 1.2)
    """

    name: str
    weight: float
    player: str
    pot: float
    ev_oop: float | None
    ev_ip: float | None
    equity_oop: float | None
    frequencies: dict[str, float]
    variant: str = ""
    exploitability: float | None = None
    """Of its solve, as a share of the first pot."""
    iterations: int | None = None
    seconds: float | None = None

    @property
    def equity_ip(self) -> float | None:
        """The same in position."""
        return None if self.equity_oop is None else 1.0 - self.equity_oop

    @property
    def realised_oop(self) -> float | None:
        """The EV as a share of what equity alone would win: above 1, the betting helps."""
        return _realised(self.ev_oop, self.equity_oop, self.pot)

    @property
    def realised_ip(self) -> float | None:
        """The same in position."""
        return _realised(self.ev_ip, self.equity_ip, self.pot)


def _realised(ev: float | None, equity: float | None, pot: float) -> float | None:
    return None if ev is None or not equity else ev / (equity * pot)


@dataclass(frozen=True, repr=False)
class Report:
    """Rows, and their weighted mean: one, or one for each variant of a spot.

    >>> Report("no cards", "check", rows=(), totals=()).missing
    0
    """

    title: str
    line: str
    rows: tuple[ReportRow, ...]
    totals: tuple[ReportRow, ...]
    notes: tuple[str, ...] = ()
    missing: int = 0
    """Solves that were not done, because somebody stopped it."""
    rue: str = __version__

    @property
    def total(self) -> ReportRow:
        """The weighted mean of all rows."""
        return self.totals[0]

    @property
    def actions(self) -> tuple[str, ...]:
        """Every action that some row has."""
        return tuple(dict.fromkeys(action for row in self.rows for action in row.frequencies))

    def sorted(self, by: str = "name") -> list[ReportRow]:
        """The rows by a column or an action, the largest first; by name in their own order."""
        known = (*SORTED, *self.actions)
        if by not in known:
            raise RueError(f"a report cannot be sorted by {by!r}; {nearest(by, known)}")
        if by == "name":
            return list(self.rows)

        def key(row: ReportRow) -> float:
            value = getattr(row, by) if by in SORTED else row.frequencies.get(by)
            return math.inf if value is None else -float(value)

        return sorted(self.rows, key=key)

    def __repr__(self) -> str:
        """On one line."""
        return one_line("Report", f"{', '.join(filter(None, (self.title, self.line)))}: {len(self.rows):,} rows")

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        told = ("equity_ip", "realised_oop", "realised_ip")
        content = {"format": FORMAT, "version": FORMAT_VERSION, **asdict(self)}
        for name, own in (("rows", self.rows), ("totals", self.totals)):
            content[name] = [{**asdict(row), **{each: getattr(row, each) for each in told}} for row in own]
        return content

    @staticmethod
    def load(path: Path) -> Report:
        """What `content` was written to."""
        try:
            content = from_json(read_at_most(path, largest_text()), path)
            if content["format"] != FORMAT or content["version"] != FORMAT_VERSION:
                raise RueError(f"{path} does not hold a report of this version of rue")
            for name in ("rows", "totals"):
                content[name] = tuple(checked_row(row) for row in content[name])
            content["notes"] = tuple(map(str, content["notes"]))
            check_count(content["missing"])
            if (
                not content["totals"]
                or not content["rows"]
                or not all(isinstance(content[name], str) for name in ("title", "line"))
            ):
                raise ValueError("it lacks a title, a line, rows or a mean")
            return Report(**{each.name: content[each.name] for each in fields(Report)})
        except DAMAGE as error:
            raise error if isinstance(error, RueError) else RueError(f"{path} does not hold a report") from None

    def csv(self) -> str:
        """A row a card or flop, then the means."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        told = [each.name for each in fields(ReportRow) if each.name != "frequencies"]
        told += ["equity_ip", "realised_oop", "realised_ip"]
        rows.writerow([*told, *self.actions])
        for row in (*self.rows, *self.totals):
            cells = [getattr(row, name) for name in told]
            taken = [row.frequencies.get(action, "") for action in self.actions]
            rows.writerow([*("" if cell is None else cell for cell in cells), *taken])
        return text.getvalue()


def checked_row(content: Any) -> ReportRow:
    """A row of a file, if it has what rows have."""
    row = ReportRow(**{each.name: content[each.name] for each in fields(ReportRow)})
    needed = [row.weight, row.pot, *row.frequencies.values()]
    others = (row.ev_oop, row.ev_ip, row.equity_oop, row.exploitability, row.iterations, row.seconds)
    for number in (*needed, *(each for each in others if each is not None)):
        check_number(number)
    if not row.pot > 0 or not all(isinstance(text, str) for text in (row.name, row.player, row.variant)):
        raise ValueError("its rows are not named")
    return row


def numbers_at(result: SpotResult, line: str | Sequence[str]) -> dict[str, Any]:
    """What a row tells of a decision of a solved spot, ready for JSON, and how many deals get there."""
    point = result.at(line)
    deals = float(point.likelihood.sum())
    one, two = result.solution.earned(point.line)
    equity = point.equity if point.player == 0 else 1.0 - point.equity
    return {
        "player": PLAYERS[point.player],
        "pot": point.pot,
        "ev_oop": _known(one),
        "ev_ip": _known(two),
        "equity_oop": _known(equity),
        "frequencies": point.frequencies,
        "deals": deals,
    }


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


def summed(rows: Sequence[tuple[ReportRow, float]], name: str) -> ReportRow:
    """The mean of rows, each with its weight; of EVs and equities over those that have them.

    >>> row = ReportRow("4d", 0.5, "in position", 100.0, 60.0, 40.0, 0.5, {"check": 1.0})
    >>> other = ReportRow("4h", 0.5, "in position", 100.0, 40.0, 60.0, 0.3, {"check": 0.0, "bet 50": 1.0})
    >>> mean = summed([(row, 1.0), (other, 3.0)], "all")
    >>> mean.ev_oop, mean.frequencies
    (45.0, {'check': 0.25, 'bet 50': 0.75})
    """

    def mean(values: Iterable[tuple[float | None, float]]) -> float | None:
        known = [(value, weight) for value, weight in values if value is not None]
        total = math.fsum(weight for _, weight in known)
        return math.fsum(value * weight for value, weight in known) / total if total > 0 else None

    first = rows[0][0]
    actions = dict.fromkeys(action for row, _ in rows for action in row.frequencies)
    return ReportRow(
        name=name,
        weight=math.fsum(row.weight for row, _ in rows),
        player=first.player,
        pot=mean((row.pot, weight) for row, weight in rows) or first.pot,
        ev_oop=mean((row.ev_oop, weight) for row, weight in rows),
        ev_ip=mean((row.ev_ip, weight) for row, weight in rows),
        equity_oop=mean((row.equity_oop, weight) for row, weight in rows),
        frequencies={a: mean((row.frequencies.get(a, 0.0), w) for row, w in rows) or 0.0 for a in actions},
        variant=first.variant,
        exploitability=mean((row.exploitability, weight) for row, weight in rows),
        seconds=None if first.seconds is None else math.fsum(row.seconds or 0.0 for row, _ in rows),
    )


def on_cards(
    result: SpotResult, line: str | Sequence[str] = "", tell: Callable[[int, int], None] | None = None
) -> Report:
    """A decision on every card that may come: `*` stands for any card in the line, as in `check bet50 call * check`.

    A line that ends where a card comes needs no star. `tell` hears how many cards of how many are done.
    """
    spot = result.spot
    given = words(line)
    if ANY not in given:
        leaf = trace(spot, line).leaf
        if leaf is None or leaf.following is None:
            raise RueError(
                "no card comes there: write a line that ends before a card, or * for it, as in 'check check * check'"
            )
        given.append(ANY)
    lines = list(_lines(spot, given))
    rows: list[tuple[ReportRow, float]] = []
    for number, (cards, one) in enumerate(lines):
        if tell is not None:
            tell(number, len(lines))
        found = numbers_at(result, one)
        deals = found.pop("deals")
        rows.append((ReportRow(" ".join(cards), 0.0, **found), deals))
    total = math.fsum(deals for _, deals in rows)
    if not total > 0:
        raise RueError(f"nobody gets to {' '.join(given)}: there is nothing to report")
    weighed = [(_weighed(row, deals / total), deals) for row, deals in rows]
    return Report(str(spot), " ".join(given), tuple(row for row, _ in weighed), (summed(weighed, "all cards"),))


def _weighed(row: ReportRow, weight: float) -> ReportRow:
    return replace(row, weight=weight)


def _lines(spot: Spot, given: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The cards that take the place of the stars, and the line that they make."""
    if ANY not in given:
        yield (), tuple(given)
        return
    at = given.index(ANY)
    before = trace(spot, given[:at])
    if before.leaf is None or before.leaf.following is None:
        where = " ".join(given[:at]) or "the start"
        raise RueError(f"no card comes after {where}: there is nothing for * to stand for")
    taken = {*before.board, *(card for card in range(CARDS) if card_name(card) in given[at + 1 :])}
    for card in sorted((card for card in range(CARDS) if card not in taken), key=lambda card: (-(card // 4), card % 4)):
        for cards, line in _lines(spot, [*before.line, card_name(card), *given[at + 1 :]]):
            yield (card_name(card), *cards), line
