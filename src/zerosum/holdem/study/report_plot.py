"""Draw a report: the frequencies of actions on each card or flop as bars, EV and equity as points below."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerosum.holdem.study.report import Report
from zerosum.results.display.action_colours import colours, hexadecimal
from zerosum.results.display.drawing import STYLES, save_drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_NAMES = 70
"""Rows that still have their names below them."""


def plot_report(report: Report, path: str | Path, sort: str = "name") -> None:
    """Draw a report to an SVG, PNG or PDF file, completely or not at all."""
    save_drawing(path, lambda figure: _draw_report(figure, report, sort))


def _draw_report(figure: Figure, report: Report, sort: str) -> None:
    rows = report.sorted(sort)
    places = np.arange(len(rows))
    figure.set_size_inches(max(5.0, min(16.0, 0.17 * len(rows) + 2.0)), 5.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.2, 1.0])
    bottom = np.zeros(len(rows))
    for action, frequency, shade in zip(rows.actions, rows.frequency, colours(rows.actions), strict=True):
        shares = 100 * np.nan_to_num(frequency)
        above.bar(places, shares, 0.9, bottom, color=hexadecimal(shade), label=action)
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
