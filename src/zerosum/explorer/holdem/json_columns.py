"""Tables as they go to the page: column by column, numbers rounded to what is shown."""

from __future__ import annotations

from typing import Any

from zerosum.holdem.betting.action_names import split_line
from zerosum.holdem.cards.made_hands import DRAWS, MADE_HANDS
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.hand_table import (
    GroupTable,
    HandTable,
    RangeMatchup,
    compute_equity_curve,
    compute_equity_histogram,
)
from zerosum.holdem.study.comparison import ComparedSolution, Comparison
from zerosum.holdem.study.line_steps import Runouts
from zerosum.holdem.study.report import Report
from zerosum.holdem.study.report_table import ReportTable
from zerosum.results.diff import Diff
from zerosum.results.display.action_colours import list_colour_codes
from zerosum.results.table import AMOUNT_DIGITS, SHARE_DIGITS, choose_page_digits, format_json_numbers

SCHEMAS = {
    "decision": [column.to_json() for column in DecisionTable.schema],
    "groups": [column.to_json() for column in GroupTable.schema],
    "report": [column.to_json() for column in ReportTable.schema],
}
"""The columns of the tables that the page shows, as they are declared."""


def comparison_to_json(compared: Comparison) -> dict[str, Any]:
    """Return a decision in two solutions."""
    sides = {"before": _solution_to_json(compared.before), "after": _solution_to_json(compared.after)}
    return {"line": list(compared.line), **sides, "changes": compared.changes.to_json({"share": SHARE_DIGITS})}


def _solution_to_json(side: ComparedSolution) -> dict[str, Any]:
    return {
        "ev_oop": side.ev_oop,
        "ev_ip": side.ev_ip,
        "exploitability": side.exploitability,
        "range_evs": side.range_evs,
        "decision": None if side.table is None else side.table.content(digits=choose_page_digits(side.table.pot)),
    }


def differences_to_json(diff: Diff) -> dict[str, Any]:
    """Return the decisions in which two solutions differ most: both strategies of the range and its change of EV."""
    rows = [
        {
            "line": split_line(row.place["after"]),
            "player": diff.seats[row.player - 1],
            "reach": row.reach,
            "moved": row.moved,
            "ev_change": row.ev_change,
            "before": list(row.mix_a.values()),
            "after": list(row.mix_b.values()),
            "actions": list(row.mix_a),
            "colours": list_colour_codes(tuple(row.mix_a)),
        }
        for row in diff.decisions
    ]
    return {"moved": diff.moved, "rows": rows, "notes": list(diff.notes)}


def ranges_to_json(matchup: RangeMatchup) -> dict[str, Any]:
    """Return both ranges: groups of hands column by column, and how equity is spread over the hands."""
    return {
        "line": list(matchup.oop.line),
        "board": matchup.oop.board,
        "made_hands": list(MADE_HANDS),
        "draws": list(DRAWS),
        "sides": [_range_to_json(table) for table in matchup],
    }


def _range_to_json(table: HandTable) -> dict[str, Any]:
    return {
        "player": table.player_name,
        "combos": float(table.reach.sum()),
        "equity": table.range_equity if table.deals.any() else None,
        "groups": table.groups_to_json(choose_page_digits(table.pot)),
        "equity_curve": format_json_numbers(compute_equity_curve(table), SHARE_DIGITS),
        "equity_histogram": format_json_numbers(compute_equity_histogram(table), SHARE_DIGITS),
    }


def runouts_to_json(runouts: Runouts) -> dict[str, Any]:
    """Return the cards that may come next, a row each."""
    return {
        "line": list(runouts.line),
        "board": runouts.board,
        "pot": runouts.pot,
        "player": runouts.player,
        "actions": runouts.rows.actions,
        "labels": runouts.labels,
        "colours": list_colour_codes(runouts.rows.actions),
        "rows": runouts.rows.to_json(choose_page_digits(runouts.pot)),
        "note": runouts.note,
    }


def report_to_json(report: Report) -> dict[str, Any]:
    """Return a report: its rows and means."""
    decimals = {**choose_page_digits(float(report.rows.pot.max())), "share": AMOUNT_DIGITS}
    return {
        "title": report.title,
        "line": report.line,
        "actions": list(report.rows.actions),
        "colours": list_colour_codes(report.rows.actions),
        "rows": report.rows.to_json(decimals),
        "totals": report.totals.to_json(decimals),
        "notes": list(report.notes),
        "missing": report.unfinished,
    }
