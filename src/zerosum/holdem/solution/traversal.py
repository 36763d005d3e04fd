"""Visit every decision of a solution: on all boards and after all lines, or on its first streets only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerosum.engine.forms.public.rounds import DEAL
from zerosum.holdem.cards.cards import HAND_COUNT, hand_name
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.solution import Cursor, Solution
from zerosum.results.result import Decision

HAND_COLUMNS = ("player", "hand", "board", "line", "reach", "action", "probability", "ev", "equity")
"""The columns of an exported strategy of a spot, with a row per hand and action."""
DIGITS = 6
"""Decimals of EVs and equities in an export."""


@dataclass(frozen=True)
class HandDecision(Decision):
    """What a hand does at a decision of a spot, what each action earns it from here on, and its equity."""

    evs: Mapping[str, float]
    equity: float | None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield a row per action, with the values of `HAND_COLUMNS`."""
        hand, board, line = self.infoset.split("|")
        for action, probability in self.actions.items():
            ev = self.evs[action]
            yield self.player, hand, board, line, self.reach, action, probability, ev, self.equity


def iterate_decisions(
    solution: Solution, last_street: int | None = None, with_ev: bool = False
) -> Iterator[DecisionTable]:
    """Yield the decisions up to a street (0 for the flop), or up to the last one that was saved, parents first."""
    last = solution.last if last_street is None else min(last_street, solution.last)
    pending: list[tuple[Cursor, tuple[str, ...]]] = [(solution.start(), ())]
    while pending:
        cursor, line = pending.pop()
        choice = solution.choice(cursor)
        words = list(_next_cards(cursor, last))
        if choice is not None:
            yield solution.decision(cursor, choice, line, with_ev)
            words = [action for action in choice.actions if action != "fold"]
        for word in reversed(words):
            after = replace(cursor)
            solution.step(after, word)
            pending.append((after, (*line, word)))


def _next_cards(cursor: Cursor, last_street: int) -> Iterator[str]:
    """Yield every card that may come where a street's betting is over."""
    end = next((end for end in cursor.betting.ends if end.line == cursor.street), None)
    if end is not None and end.kind == DEAL and cursor.number < last_street:
        yield from cursor.coming


def iterate_hands(solution: Solution, last_street: int | None = None) -> Iterator[HandDecision]:
    """Yield the decisions hand by hand: an infoset reads like `AsKd|Ks7h2d9c4s|check bet 858`."""
    names = [hand_name(hand) for hand in range(HAND_COUNT)]
    for table in iterate_decisions(solution, last_street, with_ev=True):
        assert table.action_ev is not None
        assert table.equity is not None
        place = f"{table.board}|{' '.join(table.line)}"
        equities = [None if share != share else round(share, DIGITS) for share in table.equity.tolist()]
        columns = zip(table.frequency.T.tolist(), np.round(table.action_ev.T, DIGITS).tolist(), strict=True)
        rows = zip(table.hand.tolist(), table.reach.tolist(), equities, columns, strict=True)
        for hand, reach, equity, (frequencies, evs) in rows:
            yield HandDecision(
                player=table.player + 1,
                infoset=f"{names[hand]}|{place}",
                reach=reach,
                actions=dict(zip(table.actions, frequencies, strict=True)),
                evs=dict(zip(table.actions, evs, strict=True)),
                equity=equity,
            )
