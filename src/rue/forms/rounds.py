"""What the public form of a card game is made of: rounds of betting, boards and what they leave of the hands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.forms.treeplex import Integers
from rue.native import lanes
from rue.once import cached_property

FOLD, SHOWDOWN, ALLIN, DEAL = 0, 1, 2, 3
NO_CARD = 52
"""The second card of a hand that has only one; its sum is kept at zero."""
LANES = lanes.LANES
"""Rows that one sweep over the hands evaluates side by side."""
NUMBERS_A_PLACE = 1 << 16
"""About as many numbers as the rows of one player may have at a place, so that a place stays in the cache."""


@dataclass(frozen=True)
class Choice:
    """A decision of a round: `rows` are those of its actions, `parent` the player's row before it."""

    player: int
    actions: tuple[str, ...]
    first: int
    parent: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class End:
    """An end of a round: at a fold `folder` loses `amount`; otherwise the weaker hand does, now or after a deal.

    Whoever wins, each player also pays `due` to the house.
    """

    kind: int
    rows: tuple[int, int]
    amount: float
    folder: int = -1
    following: Round | None = None
    line: tuple[str, ...] = ()
    due: float = 0.0


@dataclass(frozen=True, eq=False)
class Round:
    """The betting between two deals: choices in an order that puts parents first."""

    choices: tuple[Choice, ...]
    ends: tuple[End, ...]
    rows: tuple[int, int]

    def scaled(self, times: float, known: dict[int, Round] | None = None) -> Round:
        """The same betting with every amount times a number; rounds that were one stay one."""
        known = {} if known is None else known
        if id(self) not in known:
            after = [None if end.following is None else end.following.scaled(times, known) for end in self.ends]
            ends = zip(self.ends, after, strict=True)
            scaled = tuple(
                replace(end, amount=times * end.amount, due=times * end.due, following=following)
                for end, following in ends
            )
            known[id(self)] = replace(self, ends=scaled)
        return known[id(self)]

    @cached_property
    def deals(self) -> tuple[End, ...]:
        """The ends that deal a card, in order."""
        return tuple(end for end in self.ends if end.kind == DEAL)


class Bundle:
    """Rounds that are played on the same board, as one: row k is how a player came into round k.

    The other rows follow, round by round. Short rounds are worked on together because they share the sweep over the
    hands; `largest` is the number of rows that fit a place.
    """

    def __init__(self, rounds: tuple[Round, ...], largest: int) -> None:
        self.rounds = rounds
        self.entries = len(rounds)
        self.shifts: list[tuple[int, int]] = []
        rows = [self.entries, self.entries]
        for betting in rounds:
            self.shifts.append((rows[0] - 1, rows[1] - 1))
            rows = [rows[player] + betting.rows[player] - 1 for player in (0, 1)]
        self.rows = rows[0], rows[1]
        self.largest = largest

    def row(self, member: int, player: int, row: int) -> int:
        """The row of the bundle that is a row of one of its rounds."""
        return member if row == 0 else self.shifts[member][player] + row

    def member(self, end: int) -> int:
        """Which of the rounds an end of the bundle belongs to."""
        counts = np.cumsum([len(betting.ends) for betting in self.rounds])
        return int(np.searchsorted(counts, end, "right"))

    def choices(self) -> list[tuple[int, int, int, int]]:
        """player, first row, actions, parent row."""
        return [
            (c.player, self.row(m, c.player, c.first), len(c.actions), self.row(m, c.player, c.parent))
            for m, betting in enumerate(self.rounds)
            for c in betting.choices
        ]

    def ends(self) -> list[tuple[End, tuple[int, int]]]:
        """Every end with its rows in the bundle."""
        return [
            (end, (self.row(m, 0, end.rows[0]), self.row(m, 1, end.rows[1])))
            for m, betting in enumerate(self.rounds)
            for end in betting.ends
        ]

    def lanes(self, player: int) -> list[Lane]:
        """The opponent's rows that `player` needs at the ends: showdowns only, both kinds, folds only, neither.

        A row that the opponent does not leave ends in at most one showdown or all-in and at most one fold. An all-in is
        not a matter of lanes, but what it costs the players is.
        """
        nothing = self.rows[player], 0.0
        shown: dict[int, tuple[int, float]] = {}
        folded: dict[int, tuple[int, float]] = {}
        due: dict[int, tuple[int, float]] = {}
        for end, rows in self.ends():
            own, other = rows[player], rows[1 - player]
            if end.kind == FOLD:
                assert other not in folded
                folded[other] = own, (-end.amount if end.folder == player else end.amount) - end.due
            elif end.kind != DEAL:
                assert other not in shown.keys() | due
                if end.kind == SHOWDOWN:
                    shown[other] = own, end.amount
                if end.due:
                    due[other] = own, -end.due
        order = sorted(shown.keys() - folded) + sorted(shown.keys() & folded) + sorted(folded.keys() - shown)
        order += sorted(due.keys() - shown.keys() - folded.keys())
        return [Lane(row, *(pays.get(row, nothing) for pays in (shown, folded, due))) for row in order]

    def following(self) -> list[tuple[list[int], tuple[Round, ...]]]:
        """What is played after the next card: groups of deals, by their place among the ends, and their rounds."""
        groups: list[tuple[list[int], list[Round]]] = []
        rows = self.largest
        for number, (end, _) in enumerate(self.ends()):
            if end.kind == DEAL:
                assert end.following is not None
                if rows + max(end.following.rows) > self.largest:
                    groups.append(([], []))
                    rows = 0
                groups[-1][0].append(number)
                groups[-1][1].append(end.following)
                rows += max(end.following.rows)
        return [(numbers, tuple(rounds)) for numbers, rounds in groups]


class Lane(NamedTuple):
    """A row of the opponent in the sweep, and the player's rows and amounts that it pays: at a showdown, at a fold, and
    at a showdown or all-in whoever wins.

    Where there is no such end it pays nothing to a row after the player's last.
    """

    row: int
    shown: tuple[int, float]
    folded: tuple[int, float]
    due: tuple[int, float]


@dataclass(eq=False)
class Board:
    """What the public cards make of the hands: for each player the hands that are left, in stored order.

    `hands` are numbers of hands, `cards` their one or two cards. Where hands are compared, they are sorted by
    `strengths`, weakest first. `sources` gives the place of each hand among those of the board before: one pair of
    arrays for each card that this board stands for, the first being its own (isomorphic cards share a board).
    """

    hands: tuple[Integers, Integers]
    cards: tuple[Integers, Integers]
    sources: list[tuple[Integers, Integers]] = field(default_factory=list)
    strengths: tuple[Integers, Integers] | None = None
    children: list[Board] = field(default_factory=list)
    chance: float = 1.0
    """The probability of each card that may come, given two hands."""
    equity: NDArray[np.float32] | None = None
    """For all-ins before the last card: P(one wins) - P(two wins) for each pair of hands, 0 if they share a card."""
    label: str = ""
    """The public cards."""
    names: list[str] = field(default_factory=list)
    """The cards that this board stands for, in the order of `sources`."""
    alike: tuple[Integers, Integers] | None = None
    """For each hand the first one that only differs from it by suits which are interchangeable on this board."""


def disjoint(one: Integers, two: Integers) -> NDArray[np.bool_]:
    """Which pairs of hands share no card."""
    shared = np.zeros((len(one), len(two)), dtype=bool)
    for a in range(one.shape[1]):
        for b in range(two.shape[1]):
            shared |= (one[:, a, None] == two[None, :, b]) & (one[:, a, None] != NO_CARD)
    return ~shared
