"""A picture of a report: what is done on each card or flop as bars, EV and equity as points below."""

from __future__ import annotations

from pathlib import Path

from rue.disk import write_atomically
from rue.results.drawing import SETTINGS, STYLES, blank, encoded
from rue.views.colours import colours, hexadecimal
from rue.views.plots import check_plot, ending
from rue.views.report import Report

NAMED = 70
"""Rows that still have their names below them."""


def draw(report: Report, path: str | Path, sort: str = "name") -> None:
    """Draw a report to an SVG, PNG or PDF file, whole or not at all."""
    path = Path(path)
    check_plot(path)
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        rows = report.sorted(sort)
        places = range(len(rows))
        drawn = blank(max(5.0, min(16.0, 0.17 * len(rows) + 2.0)), 5.0)
        above, below = drawn.subplots(2, 1, sharex=True, height_ratios=[1.2, 1.0])
        bottom = [0.0] * len(rows)
        for action, shade in zip(report.actions, colours(report.actions), strict=True):
            shares = [100 * row.frequencies.get(action, 0.0) for row in rows]
            above.bar(places, shares, 0.9, bottom, color=hexadecimal(shade), label=action)
            bottom = [low + share for low, share in zip(bottom, shares, strict=True)]
        above.set_ylim(0, 100)
        above.set_ylabel(f"% ({report.total.player})")
        where = f", {report.line}" if report.line else ""
        above.set_title(f"{report.title}{where}", loc="left", pad=22)
        above.legend(ncols=6, fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0.0, 0.99))
        for name, values, (colour, _, marker) in (
            ("EV out of position", [row.ev_oop for row in rows], STYLES[0]),
            ("equity out of position", [row.equity_oop for row in rows], STYLES[1]),
        ):
            pots = [row.pot if name.startswith("EV") else 1.0 for row in rows]
            known = [(x, 100 * y / pot) for x, y, pot in zip(places, values, pots, strict=True) if y is not None]
            xs, ys = [x for x, _ in known], [y for _, y in known]
            below.plot(xs, ys, color=colour, marker=marker, linestyle="", markersize=3.5, label=name)
        below.set_ylabel("% of the pot")
        below.legend(fontsize=8, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 0.99))
        names = [f"{row.name} {row.variant}".strip() if row.name != row.variant else row.name for row in rows]
        below.set_xticks(list(places), names if len(rows) <= NAMED else [""] * len(rows), rotation=90, fontsize=7)
        if len(rows) > NAMED:
            below.tick_params(axis="x", length=0)
            below.set_xlabel(f"{len(rows)} rows, by {sort}")
        below.set_xlim(-0.7, len(rows) - 0.3)
        data = encoded(drawn, ending(path))
    write_atomically(path, data)
