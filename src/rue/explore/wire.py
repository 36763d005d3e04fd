"""Views as they go to the page: the numbers of many hands column by column, rounded to what is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np

from rue.holdem.cards import hand_name
from rue.holdem.categories import DRAWS, MADE
from rue.holdem.labels import label
from rue.holdem.words import words
from rue.problems.diff import Diff
from rue.results.range_decision import RangeDecision
from rue.views.colours import colours, hexadecimal
from rue.views.compared import Compared, SideView
from rue.views.decision import SIDE, DecisionView, GroupView, class_places
from rue.views.money import decimals
from rue.views.report import Report, ReportRow
from rue.views.runouts import Runouts
from rue.views.versus import Versus
from rue.views.walk import Walk

SHARE = 4
"""Digits of a share after the point."""
DIGITS = 6
"""Digits of an amount of chips, those of the pot included."""

Column = list[float | None]


def column(numbers: Iterable[float | None], digits: int) -> Column:
    """Numbers for JSON, None where one is not known.

    >>> column([0.123456, None, float("nan")], 4)
    [0.1235, None, None]
    """
    found = np.round(np.array([math.nan if each is None else each for each in numbers], dtype=float), digits).tolist()
    return [None if each != each else each for each in found]


def decision(view: DecisionView) -> dict[str, Any]:
    """A decision: hands, classes and groups of hands column by column, strategies and EVs a list for each action."""
    digits = digits_of(view.pot * view.factor)
    judged = not math.isnan(view.ev)
    cells = cell_of()
    choices = [asdict(choice) for choice in view.choices]
    if not judged:
        choices = [{**choice, "ev": None, "range_ev": None, "regret": None} for choice in choices]
    hands = {
        "name": [hand.hand for hand in view.hands],
        "cell": [cells[hand.hand] for hand in view.hands],
        "reach": column((hand.reach for hand in view.hands), SHARE),
        "equity": column((hand.equity for hand in view.hands), SHARE) if judged else None,
        "made": [hand.made for hand in view.hands],
        "draws": [list(hand.draws) for hand in view.hands],
        **_played(view, view.hands, judged, digits),
    }
    classes = {
        "name": [each.name for each in view.classes],
        "cell": [each.row * SIDE + each.column for each in view.classes],
        "share": column((each.share for each in view.classes), SHARE),
        "weight": column((each.weight for each in view.classes), SHARE),
        **_played(view, view.classes, judged, digits),
    }
    return {
        "line": list(view.line),
        "board": view.board,
        "player": view.player,
        "pot": view.pot,
        "unit": view.unit,
        "decimals": decimals([list(hand.evs.values()) for hand in view.hands], view.pot * view.factor) if judged else 0,
        "judged": judged,
        "ev": view.ev if judged else None,
        "equity": view.equity,
        "choices": choices,
        "hands": hands,
        "classes": classes,
        "made": _groups(view, view.made, judged, digits),
        "draws": _groups(view, view.draws, judged, digits),
        "note": view.note,
    }


def _groups(view: DecisionView, groups: Sequence[GroupView], judged: bool, digits: int) -> dict[str, Any]:
    return {
        "name": [group.name for group in groups],
        "combos": column((group.combos for group in groups), SHARE),
        "share": column((group.share for group in groups), SHARE),
        "equity": column((group.equity for group in groups), SHARE) if judged else None,
        **_played(view, groups, judged, digits),
    }


def _played(view: DecisionView, rows: Sequence[Any], judged: bool, digits: int) -> dict[str, Any]:
    """What hands do and earn: of each action a column."""
    return {
        "strategy": [column((row.strategy[action] for row in rows), SHARE) for action in view.actions],
        "ev": column((row.ev for row in rows), digits) if judged else None,
        "evs": [column((row.evs[action] for row in rows), digits) for action in view.actions] if judged else None,
    }


def named(actions: Sequence[str], sizes: Sequence[float | None]) -> dict[str, list[str]]:
    """Actions, as they are read and in their colours."""
    labels = [label(*each) for each in zip(actions, sizes, strict=True)]
    return {"actions": list(actions), "labels": labels, "colours": [hexadecimal(each) for each in colours(actions)]}


def flags(point: RangeDecision, marked: Any) -> list[str]:
    """The names of the hands of a decision that are marked and get there."""
    there = marked & (point.reach > 0)
    return [hand_name(int(number)) for number in point.hands[there]]


def compared(view: Compared) -> dict[str, Any]:
    """A decision in two solutions."""
    moved = {
        "name": [each.name for each in view.moved],
        "cell": [each.row * SIDE + each.column for each in view.moved],
        "moved": column((each.moved for each in view.moved), SHARE),
    }
    return {"line": list(view.line), "before": _side(view.before), "after": _side(view.after), "moved": moved}


def differences(found: Diff) -> dict[str, Any]:
    """The decisions in which two solutions differ most: what the range does in both, and what it earns more."""
    rows = [
        {
            "line": words(row.place["after"]),
            "player": found.seats[row.player - 1],
            "reach": row.reach,
            "moved": row.moved,
            "ev_change": row.ev_change,
            "before": list(row.one.values()),
            "after": list(row.two.values()),
            "actions": list(row.one),
            "colours": [hexadecimal(colour) for colour in colours(list(row.one))],
        }
        for row in found.decisions
    ]
    return {"moved": found.moved, "rows": rows, "notes": list(found.notes)}


def _side(side: SideView) -> dict[str, Any]:
    numbers = {"ev_oop": side.ev_oop, "ev_ip": side.ev_ip, "exploitability": side.exploitability}
    here = None if side.here is None else list(side.here)
    return {**numbers, "here": here, "decision": None if side.decision is None else decision(side.decision)}


def walk(view: Walk) -> dict[str, Any]:
    """A line and its steps."""
    steps = []
    for step in view.steps:
        told = {
            "kind": step.kind,
            "street": step.street,
            "board": step.board,
            "pot": step.pot,
            "behind": list(step.behind),
            "player": step.player,
            **named(step.actions, step.sizes),
            "frequencies": column(step.frequencies, SHARE),
            "taken": step.taken,
            "why": step.why,
        }
        steps.append(told)
    return {"line": list(view.line), "steps": steps}


def versus(view: Versus) -> dict[str, Any]:
    """Both ranges: their classes column by column."""
    sides = []
    for side in view.sides:
        classes = {
            "name": [each.name for each in side.classes],
            "cell": [each.row * SIDE + each.column for each in side.classes],
            "share": column((each.share for each in side.classes), SHARE),
            "weight": column((each.weight for each in side.classes), SHARE),
            "equity": column((each.equity for each in side.classes), SHARE),
        }
        sides.append(
            {
                "player": side.player,
                "combos": side.combos,
                "equity": side.equity,
                "classes": classes,
                "curve": column(side.curve, SHARE),
                "buckets": column(side.buckets, SHARE),
                "made": {name: round(share, SHARE) for name, share in side.made.items()},
                "draws": {name: round(share, SHARE) for name, share in side.draws.items()},
            }
        )
    return {"line": list(view.line), "board": view.board, "made": list(MADE), "draws": list(DRAWS), "sides": sides}


def runouts(view: Runouts) -> dict[str, Any]:
    """The cards that may come next, column by column."""
    return {
        "line": list(view.line),
        "board": view.board,
        "pot": view.pot,
        "player": view.player,
        **named(view.actions, view.sizes),
        "card": [each.card for each in view.cards],
        "frequencies": [None if each.frequencies is None else column(each.frequencies, SHARE) for each in view.cards],
        "ev": column((each.ev for each in view.cards), digits_of(view.pot)),
        "equity": column((each.equity for each in view.cards), SHARE),
        "note": view.note,
    }


def report(view: Report) -> dict[str, Any]:
    """A report: its rows and means column by column."""
    return {
        "title": view.title,
        "line": view.line,
        "actions": list(view.actions),
        "colours": [hexadecimal(colour) for colour in colours(view.actions)],
        "rows": _rows(view.rows, view.actions),
        "totals": _rows(view.totals, view.actions),
        "notes": list(view.notes),
        "missing": view.missing,
    }


def _rows(rows: Sequence[ReportRow], actions: Sequence[str]) -> dict[str, Any]:
    digits = digits_of(max((row.pot for row in rows), default=1.0))
    texts = {name: [getattr(row, name) for row in rows] for name in ("name", "variant", "player")}
    amounts = {name: column((getattr(row, name) for row in rows), digits) for name in ("pot", "ev_oop", "ev_ip")}
    shares = ("weight", "equity_oop", "equity_ip", "realised_oop", "realised_ip", "exploitability")
    told = {name: column((getattr(row, name) for row in rows), DIGITS) for name in shares}
    taken = [column((row.frequencies.get(action) for row in rows), SHARE) for action in actions]
    return {**texts, **amounts, **told, "frequencies": taken}


def digits_of(pot: float) -> int:
    """How many digits after the point amounts have beside a pot."""
    return max(1, DIGITS - math.ceil(math.log10(max(pot, 1e-9))))


@cache
def cell_of() -> dict[str, int]:
    """Where each of the 1,326 hands stands in the grid: 13 times its row plus its column."""
    return {hand_name(number): place for number, place in enumerate(class_places()[1].tolist())}
