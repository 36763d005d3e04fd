"""A report: one decision on many cards, flops or variants of a spot, a row each, with the weighted mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zerosum import __version__
from zerosum.holdem.betting.action_names import split_line
from zerosum.holdem.cards.cards import CARDS, STREETS, card_name
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.spots.spot import Spot
from zerosum.holdem.study.report_table import ReportTable, check_row, decision_row, weighted_mean
from zerosum.results.display.html import one_line
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most
from zerosum.support.options import option_name
from zerosum.support.system import max_text_bytes
from zerosum.support.validation import decode_count

FORMAT, FORMAT_VERSION = "zerosum-report", 1
ANY_CARD = "*"
"""Stands for every card in a line."""
SORT_KEYS = ("name", "weight", "ev_oop", "ev_ip", "equity_oop", "equity_ip", "realised_oop", "realised_ip")
"""The columns that a report can be sorted by, besides the actions."""


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """The rows of a report, and their weighted mean: one, or one for each variant of a spot.

    >>> Report("no cards", "check", ReportTable.of([]), ReportTable.of([])).unfinished
    0
    """

    title: str
    line: str
    rows: ReportTable
    totals: ReportTable
    notes: tuple[str, ...] = ()
    unfinished: int = 0
    """Solves that were not done, because somebody stopped the report."""
    zerosum: str = __version__

    @property
    def actions(self) -> tuple[str, ...]:
        """Every action that some row has."""
        return self.rows.actions

    def sorted(self, by: str = "name") -> ReportTable:
        """Return the rows by a column or an action, the largest first; by name in their own order."""
        keys = (*SORT_KEYS, *self.actions)
        if by not in keys:
            raise ZerosumError(f"a report cannot be sorted by {by!r}; {suggest_names(by, keys)}")
        if by == "name":
            return self.rows
        return self.rows.sort_by(by) if by in SORT_KEYS else self.rows.sort_by("frequency", by)

    def __repr__(self) -> str:
        """Return the title, the line and the number of rows."""
        return one_line("Report", f"{', '.join(filter(None, (self.title, self.line)))}: {len(self.rows):,} rows")

    def content(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "title": self.title,
            "line": self.line,
            "rows": self.rows.contents(),
            "totals": self.totals.contents(),
            "notes": list(self.notes),
            "missing": self.unfinished,
            "zerosum": self.zerosum,
        }

    @staticmethod
    def load(path: Path) -> Report:
        """Read what `content` was written to."""
        try:
            content = parse_json(read_at_most(path, max_text_bytes()), path)
            if content["format"] != FORMAT or content["version"] != FORMAT_VERSION:
                raise ZerosumError(f"{path} does not hold a report of this version of zerosum")
            for row in (*content["rows"], *content["totals"]):
                check_row(row)
            decode_count(content["missing"])
            if not content["totals"] or not content["rows"]:
                raise ValueError("it lacks rows or a mean")
            if not all(isinstance(content[name], str) for name in ("title", "line")):
                raise ValueError("it lacks a title or a line")
            return Report(
                title=content["title"],
                line=content["line"],
                rows=(rows := ReportTable.of(content["rows"])),
                totals=ReportTable.of(content["totals"], rows.actions),
                notes=tuple(map(str, content["notes"])),
                unfinished=content["missing"],
                zerosum=content["zerosum"],
            )
        except DAMAGE_ERRORS as error:
            raise error if isinstance(error, ZerosumError) else ZerosumError(f"{path} does not hold a report") from None

    def to_csv(self) -> str:
        """Return a row for each card or flop as CSV, then the means."""
        return self.rows.to_csv() + self.totals.to_csv().partition("\n")[2]


def report_on_cards(
    result: SpotResult, line: str | Sequence[str] = "", progress: Callable[[int, int], None] | None = None
) -> Report:
    """Return a decision on every card that may come: `*` stands for any card, as in `check bet50 call * check`.

    A line that ends where a card comes needs no star. progress: called with the number of cards that are done and that
    of all.
    """
    spot = result.spot
    pattern = split_line(line)
    if ANY_CARD not in pattern:
        leaf = follow_line(spot, line).leaf
        if leaf is None or leaf.next_round is None:
            raise ZerosumError(
                "no card comes there: write a line that ends before a card, or * for it, as in 'check check * check'"
            )
        pattern.append(ANY_CARD)
    lines = list(_lines(spot, pattern))
    check_saved(result, lines[0][1])
    rows = []
    for number, (cards, actions_and_cards) in enumerate(lines):
        if progress is not None:
            progress(number, len(lines))
        rows.append({"name": " ".join(cards), **decision_row(result, result.at(actions_and_cards))})
    deals = np.array([row["deals"] for row in rows])
    total = math.fsum(deals)
    if not total > 0:
        raise ZerosumError(f"nobody gets to {' '.join(pattern)}: there is nothing to report")
    table = replace(ReportTable.of(rows), weight=deals / total)
    totals = ReportTable.of([weighted_mean(table, deals, "all cards")], table.actions)
    return Report(str(spot), " ".join(pattern), table, totals)


def check_saved(result: SpotResult, line: Sequence[str]) -> None:
    """Refuse a line to a street that a saved run does not have: every card of it would be solved again."""
    last = result.solution.last_street
    if follow_line(result.spot, line).street.street > last:
        name = STREETS[last + 1]
        raise ZerosumError(
            f"the {name} was not saved ({option_name('streets')}): save the run with all its streets for a report on "
            f"every card, or name one card in {option_name('line')}, which `zerosum show` solves again"
        )


def _lines(spot: Spot, pattern: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the cards that take the place of the stars, and the line that they make."""
    if ANY_CARD not in pattern:
        yield (), tuple(pattern)
        return
    at = pattern.index(ANY_CARD)
    before = follow_line(spot, pattern[:at])
    if before.leaf is None or before.leaf.next_round is None:
        where = " ".join(pattern[:at]) or "the start"
        raise ZerosumError(f"no card comes after {where}: there is nothing for * to stand for")
    blocked = {*before.board, *(card for card in range(CARDS) if card_name(card) in pattern[at + 1 :])}
    for card in sorted(
        (card for card in range(CARDS) if card not in blocked), key=lambda card: (-(card // 4), card % 4)
    ):
        for cards, line in _lines(spot, [*before.line, card_name(card), *pattern[at + 1 :]]):
            yield (card_name(card), *cards), line
