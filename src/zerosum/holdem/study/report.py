"""A report: one decision on many cards, flops or variants of a spot, a row each, with the weighted mean; its plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import __version__
from zerosum.holdem.betting.action_names import split_line
from zerosum.holdem.cards.cards import CARDS, STREETS, card_name
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.spots.spot import Spot
from zerosum.holdem.study.report_table import ReportTable, average_rows, build_decision_row, check_row
from zerosum.results.display.action_colours import choose_colours, format_colour
from zerosum.results.display.drawing import STYLES, save_drawing
from zerosum.results.display.html import format_line
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most
from zerosum.support.options import option_name
from zerosum.support.system import max_text_bytes
from zerosum.support.validation import decode_count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMAT, FORMAT_VERSION = "zerosum-report", 1
ANY_CARD = "*"
"""Stands for every card in a line."""
SORT_KEYS = ("name", "weight", "ev_oop", "ev_ip", "equity_oop", "equity_ip", "realised_oop", "realised_ip")
"""The columns that a report can be sorted by, besides the actions."""
MAX_NAMES = 70
"""The largest number of rows that have their names in a plot."""


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """The rows of a report, and their weighted means: one for all rows, or one for each variant of a spot.

    >>> Report("no cards", "check", ReportTable.from_rows([]), ReportTable.from_rows([])).unfinished
    0
    """

    title: str
    line: str
    rows: ReportTable
    totals: ReportTable
    notes: tuple[str, ...] = ()
    unfinished: int = 0
    """The number of solves that are missing because the report was stopped."""
    zerosum: str = __version__

    def sorted(self, by: str = "name") -> ReportTable:
        """Return the rows by a column or an action, the largest first; by name in their own order."""
        keys = (*SORT_KEYS, *self.rows.actions)
        if by not in keys:
            raise ZerosumError(f"a report cannot be sorted by {by!r}; {suggest_names(by, keys)}")
        if by == "name":
            return self.rows
        return self.rows.sort_by(by) if by in SORT_KEYS else self.rows.sort_by("frequency", by)

    def __repr__(self) -> str:
        return format_line("Report", f"{', '.join(filter(None, (self.title, self.line)))}: {len(self.rows):,} rows")

    def content(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "title": self.title,
            "line": self.line,
            "rows": self.rows.to_rows(),
            "totals": self.totals.to_rows(),
            "notes": list(self.notes),
            "missing": self.unfinished,
            "zerosum": self.zerosum,
        }

    @staticmethod
    def load(path: Path) -> Report:
        """Read a report that was saved as JSON, see `content`."""
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
                rows=(rows := ReportTable.from_rows(content["rows"])),
                totals=ReportTable.from_rows(content["totals"], rows.actions),
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

    A line that ends where a card comes needs no star.
    progress: called with the number of cards that are done and the number of all cards.
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
    lines = list(_expand_pattern(spot, pattern))
    last = result.solution.last_street
    if follow_line(spot, lines[0][1]).street.street > last:
        name = STREETS[last + 1]
        raise ZerosumError(
            f"the {name} was not saved ({option_name('streets')}): save the run with all its streets for a report on "
            f"every card, or name one card in {option_name('line')}, which `zerosum show` solves again"
        )
    rows = []
    for number, (cards, actions_and_cards) in enumerate(lines):
        if progress is not None:
            progress(number, len(lines))
        rows.append({"name": " ".join(cards), **build_decision_row(result, result.at(actions_and_cards))})
    deals = np.array([row["deals"] for row in rows])
    total = math.fsum(deals)
    if not total > 0:
        raise ZerosumError(f"nobody gets to {' '.join(pattern)}: there is nothing to report")
    table = replace(ReportTable.from_rows(rows), weight=deals / total)
    totals = ReportTable.from_rows([average_rows(table, deals, "all cards")], table.actions)
    return Report(str(spot), " ".join(pattern), table, totals)


def _expand_pattern(spot: Spot, pattern: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the cards that replace the stars of a line, and the line that results."""
    if ANY_CARD not in pattern:
        yield (), tuple(pattern)
        return
    star = pattern.index(ANY_CARD)
    before = follow_line(spot, pattern[:star])
    if before.leaf is None or before.leaf.next_round is None:
        where = " ".join(pattern[:star]) or "the start"
        raise ZerosumError(f"no card comes after {where}: there is nothing for * to stand for")
    blocked = {*before.board, *(card for card in range(CARDS) if card_name(card) in pattern[star + 1 :])}
    free = (card for card in range(CARDS) if card not in blocked)
    for card in sorted(free, key=lambda card: (-(card // 4), card % 4)):  # aces first
        for cards, line in _expand_pattern(spot, [*before.line, card_name(card), *pattern[star + 1 :]]):
            yield (card_name(card), *cards), line


def plot_report(report: Report, path: str | Path, sort: str = "name") -> None:
    """Draw the frequencies of actions as bars, and EV and equity as points below, to an SVG, PNG or PDF file."""
    save_drawing(path, lambda figure: _draw_report(figure, report, sort))


def _draw_report(figure: Figure, report: Report, sort: str) -> None:
    rows = report.sorted(sort)
    places = np.arange(len(rows))
    figure.set_size_inches(max(5.0, min(16.0, 0.17 * len(rows) + 2.0)), 5.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.2, 1.0])
    bottom = np.zeros(len(rows))
    for action, frequency, shade in zip(rows.actions, rows.frequency, choose_colours(rows.actions), strict=True):
        shares = 100 * np.nan_to_num(frequency)
        above.bar(places, shares, 0.9, bottom, color=format_colour(shade), label=action)
        bottom = bottom + shares
    above.set_ylim(0, 100)
    above.set_ylabel(f"% ({report.totals.player[0]})")
    line = f", {report.line}" if report.line else ""
    above.set_title(f"{report.title}{line}", loc="left", pad=22)
    above.legend(ncols=6, fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0.0, 0.99))
    for name, values, (colour, _, marker) in (
        ("EV out of position", rows.ev_oop / rows.pot, STYLES[0]),
        ("equity out of position", rows.equity_oop, STYLES[1]),
    ):
        present = ~np.isnan(values)
        xs, ys = places[present], 100 * values[present]
        below.plot(xs, ys, color=colour, marker=marker, linestyle="", markersize=3.5, label=name)
    below.set_ylabel("% of the pot")
    below.legend(fontsize=8, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 0.99))
    names = [
        name if name == variant else f"{name} {variant}".strip()
        for name, variant in zip(rows.name, rows.variant, strict=True)
    ]
    below.set_xticks(places, names if len(rows) <= MAX_NAMES else [""] * len(rows), rotation=90, fontsize=7)
    if len(rows) > MAX_NAMES:
        below.tick_params(axis="x", length=0)
        below.set_xlabel(f"{len(rows)} rows, by {sort}")
    below.set_xlim(-0.7, len(rows) - 0.3)
