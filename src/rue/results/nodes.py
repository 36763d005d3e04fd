"""Every decision of a solved spot, one after the other: on all boards and after all lines, or on some streets only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.forms.rounds import DEAL, Choice
from rue.forms.treeplex import Floats, Integers
from rue.holdem.bets import chips, rounded
from rue.holdem.cards import HAND_COUNT, STREETS, hand_name
from rue.records import dataclass
from rue.results.result import Decision
from rue.results.solution import Cursor, Solution

HAND_COLUMNS = ("player", "hand", "board", "line", "reach", "action", "probability", "ev", "equity")
"""Of a strategy of a spot as a table, a row an action."""
DIGITS = 6
"""Decimals of earnings and equities in a table."""


@dataclass(frozen=True)
class RangeStrategy:
    """What a range does at a decision, and how it got there.

    Row a of `strategy` belongs to `actions[a]`, column h to hand `hands[h]`, which gets here with `reach[h]`.
    `invested` is what each player has put in since the start of the spot, `ids` how Pio names the way. `evs` and
    `equities` are there if they were asked for.
    """

    line: tuple[str, ...]
    ids: tuple[str, ...]
    board: str
    player: int
    pot: float
    invested: tuple[float, float]
    actions: tuple[str, ...]
    children: tuple[str, ...]
    hands: Integers
    reach: Floats
    strategy: Floats
    evs: Floats | None = None
    equities: Floats | None = None


@dataclass(frozen=True)
class HandDecision(Decision):
    """What a hand does at a decision of a spot, what each action earns it from here on, and its equity."""

    evs: Mapping[str, float]
    equity: float | None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """A row an action, with the values of `HAND_COLUMNS`."""
        hand, board, line = self.infoset.split("|")
        for action, probability in self.actions.items():
            ev = self.evs[action]
            yield self.player, hand, board, line, self.reach, action, probability, ev, self.equity


def nodes(solution: Solution, last: int | None = None, earnings: bool = False) -> Iterator[RangeStrategy]:
    """The decisions up to a street (0 for the flop), or up to the last one that was kept; with `earnings` also what
    hands earn and their equities."""
    end = solution.last if last is None else min(last, solution.last)
    pending: list[tuple[Cursor, tuple[str, ...], tuple[str, ...], float]] = [(solution.start(), (), ("r", "0"), 0.0)]
    while pending:
        cursor, line, ids, before = pending.pop()
        choice = solution.choice(cursor)
        if choice is None:
            pending += reversed(list(_dealt(solution, cursor, line, ids, before, end)))
            continue
        node = _node(solution, cursor, choice, line, ids, before)
        if earnings:
            seen = solution.decision(cursor, choice, line, True)
            node = replace(node, evs=seen.evs, equities=seen.equities)
        yield node
        for action, name in reversed(list(zip(choice.actions, node.children, strict=True))):
            if action != "fold":
                after = replace(cursor)
                solution.step(after, action)
                pending.append((after, (*line, action), (*ids, name), before))


def _dealt(
    solution: Solution, cursor: Cursor, line: tuple[str, ...], ids: tuple[str, ...], before: float, last: int
) -> Iterator[tuple[Cursor, tuple[str, ...], tuple[str, ...], float]]:
    """What follows a street: every card that may come."""
    end = next((end for end in cursor.betting.ends if end.line == cursor.street), None)
    if end is None or end.kind != DEAL or cursor.number >= last:
        return
    paid = next(leaf.paid[0] for leaf in cursor.tree.ends if leaf.line == cursor.street)
    for card in cursor.coming:
        after = replace(cursor)
        solution.deal(after, end, card)
        yield after, (*line, card), (*ids, card), before + paid


def node_at(solution: Solution, line: tuple[str, ...]) -> RangeStrategy:
    """The decision that the words of a line lead to, on the streets that were kept."""
    ids: tuple[str, ...] = "r", "0"
    cursor, before = solution.start(), 0.0
    for number, word in enumerate(line):
        choice = solution.choice(cursor)
        if choice is None and cursor.number >= solution.last:
            raise RueError(f"the {STREETS[cursor.number + 1]} was not saved: its strategies cannot be told")
        if choice is None:
            before += next(leaf.paid[0] for leaf in cursor.tree.ends if leaf.line == cursor.street)
            ids = (*ids, word)
        else:
            node = _node(solution, cursor, choice, line[:number], ids, before)
            ids = (*ids, node.children[choice.actions.index(word)])
        solution.step(cursor, word)
    choice = solution.choice(cursor)
    assert choice is not None
    return _node(solution, cursor, choice, line, ids, before)


def _node(
    solution: Solution, cursor: Cursor, choice: Choice, line: tuple[str, ...], ids: tuple[str, ...], before: float
) -> RangeStrategy:
    here = cursor.tree.node(*cursor.street)
    names = []
    for action, to in zip(here.actions, here.to, strict=True):
        passive = {"fold": "f", "check": "c", "call": "c"}
        names.append(passive.get(action) or f"b{chips(rounded(before + to))}")
    return RangeStrategy(
        line=line,
        ids=ids,
        board=cursor.cards,
        player=choice.player,
        pot=cursor.pot,
        invested=(rounded(before + here.paid[0]), rounded(before + here.paid[1])),
        actions=choice.actions,
        children=tuple(names),
        hands=cursor.actual[choice.player],
        reach=cursor.reach[choice.player],
        strategy=solution.strategy(cursor, choice),
    )


def decisions(solution: Solution, last: int | None = None) -> Iterator[HandDecision]:
    """The same hand by hand: an infoset reads like `AsKd|Ks7h2d9c4s|check bet 858`."""
    names = [hand_name(hand) for hand in range(HAND_COUNT)]
    for node in nodes(solution, last, earnings=True):
        assert node.evs is not None
        assert node.equities is not None
        where = f"{node.board}|{' '.join(node.line)}"
        shares = [None if share != share else round(share, DIGITS) for share in node.equities.tolist()]
        columns = zip(node.strategy.T.tolist(), np.round(node.evs.T, DIGITS).tolist(), strict=True)
        hands = zip(node.hands.tolist(), node.reach.tolist(), shares, columns, strict=True)
        for hand, reach, equity, (chances, evs) in hands:
            yield HandDecision(
                player=node.player + 1,
                infoset=f"{names[hand]}|{where}",
                reach=reach,
                actions=dict(zip(node.actions, chances, strict=True)),
                evs=dict(zip(node.actions, evs, strict=True)),
                equity=equity,
            )
