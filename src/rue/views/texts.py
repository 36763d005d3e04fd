"""Decisions and curves as text for other programs: tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict

from rue.results.points import Point
from rue.views.decision import DecisionView


def hands_csv(view: DecisionView) -> str:
    """The hands of a decision, a row each: reach, equity, what they make, and for each action how often and its EV.

    >>> import rue
    >>> river = rue.solve("spot:river", iterations=10)
    >>> print(hands_csv(DecisionView.of(river, "allin", "KQs")).splitlines()[0])
    hand,reach,equity,made,draws,ev,fold,call,EV fold,EV call
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    earned = [f"EV {action}" for action in view.actions]
    writer.writerow(["hand", "reach", "equity", "made", "draws", "ev", *view.actions, *earned])
    for hand in view.hands:
        equity = "" if hand.equity is None else f"{hand.equity:.6g}"
        chances = [f"{hand.strategy[action]:.6g}" for action in view.actions]
        evs = [f"{hand.evs[action]:.6g}" for action in view.actions]
        about = [hand.hand, f"{hand.reach:.6g}", equity, hand.made, " ".join(hand.draws), f"{hand.ev:.6g}"]
        writer.writerow([*about, *chances, *evs])
    return buffer.getvalue()


CURVE = ("iteration", "seconds", "nodes", "exploitability", "nash_conv", "value")


def curves_csv(curves: Iterable[tuple[str, str, Iterable[Point]]]) -> str:
    """The points of curves, each with its game and algorithm, a row a point.

    >>> import rue
    >>> kuhn = rue.solve("kuhn", iterations=1)
    >>> curves_csv([("kuhn", "cfr", kuhn.curve)]).splitlines()[0]
    'game,algorithm,iteration,seconds,nodes,exploitability,nash_conv,value'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["game", "algorithm", *CURVE])
    for game, algorithm, curve in curves:
        for told in map(asdict, curve):
            writer.writerow([game, algorithm, *("" if told[name] is None else told[name] for name in CURVE)])
    return buffer.getvalue()
