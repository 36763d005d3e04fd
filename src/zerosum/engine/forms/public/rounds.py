"""The parts of the public form of a card game: rounds of betting, bundles of rounds, and boards with their hands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.support.thread_safety import cached_property

FOLD, SHOWDOWN, ALLIN, DEAL = 0, 1, 2, 3
NO_CARD = 52
"""The second card of a hand that has only one; its sum is kept at zero."""


@dataclass(frozen=True)
class BettingDecision:
    """A decision of a round: `first` is the row of its first action, `parent` the player's row before it."""

    player: int
    actions: tuple[str, ...]
    first: int
    parent: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RoundEnd:
    """An end of a round: at a fold `folder` loses `amount`; otherwise the weaker hand does, now or after a deal.

    Each player also pays `rake` to the house.
    """

    kind: int
    rows: tuple[int, int]
    amount: float
    folder: int = -1
    next_round: Round | None = None
    line: tuple[str, ...] = ()
    rake: float = 0.0


@dataclass(frozen=True, eq=False)
class Round:
    """The betting between two deals: choices in an order that puts parents first."""

    choices: tuple[BettingDecision, ...]
    ends: tuple[RoundEnd, ...]
    rows: tuple[int, int]

    def scaled(self, times: float, cache: dict[int, Round] | None = None) -> Round:
        """Return the same betting with every amount times a number; a shared round stays shared."""
        cache = {} if cache is None else cache
        if id(self) not in cache:
            ends = []
            for end in self.ends:
                next_round = None if end.next_round is None else end.next_round.scaled(times, cache)
                ends.append(replace(end, amount=times * end.amount, rake=times * end.rake, next_round=next_round))
            cache[id(self)] = replace(self, ends=tuple(ends))
        return cache[id(self)]

    @cached_property
    def deals(self) -> tuple[RoundEnd, ...]:
        """The ends that deal a card, in order."""
        return tuple(end for end in self.ends if end.kind == DEAL)


class Bundle:
    """Rounds that are played on the same board and worked on together, because they share the sweep over the hands.

    Row k is how a player came into round k; the other rows follow, round by round. A round is known by its index, its
    "member"; `largest` is the number of rows that fit a place.
    """

    def __init__(self, rounds: tuple[Round, ...], largest: int) -> None:
        self.rounds = rounds
        self.entries = len(rounds)
        self.shifts: list[tuple[int, int]] = []
        rows = self.entries, self.entries
        for betting in rounds:
            self.shifts.append((rows[0] - 1, rows[1] - 1))
            rows = rows[0] + betting.rows[0] - 1, rows[1] + betting.rows[1] - 1
        self.rows = rows
        self.largest = largest

    def map_row(self, member: int, player: int, row: int) -> int:
        """Return the row of the bundle that holds a row of one of its rounds."""
        return member if row == 0 else self.shifts[member][player] + row

    def find_round_of_end(self, end: int) -> int:
        """Return the index of the round that an end of the bundle belongs to."""
        counts = np.cumsum([len(betting.ends) for betting in self.rounds])
        return int(np.searchsorted(counts, end, "right"))

    @cached_property
    def decisions(self) -> list[tuple[int, int, int, int]]:
        """The player, first row, number of actions and parent row of each decision."""
        return [
            (c.player, self.map_row(m, c.player, c.first), len(c.actions), self.map_row(m, c.player, c.parent))
            for m, betting in enumerate(self.rounds)
            for c in betting.choices
        ]

    @cached_property
    def ends_with_rows(self) -> list[tuple[RoundEnd, tuple[int, int]]]:
        """Every end with the row of each player in the bundle."""
        return [
            (end, (self.map_row(m, 0, end.rows[0]), self.map_row(m, 1, end.rows[1])))
            for m, betting in enumerate(self.rounds)
            for end in betting.ends
        ]

    def build_lanes(self, player: int) -> list[Lane]:
        """Return the opponent's rows that `player` needs at the ends: showdowns only, both kinds, folds only, neither.

        Where the opponent's row stays the same, there is at most one showdown or all-in and at most one fold. An all-in
        needs a lane for its rake only.
        """
        nothing = self.rows[player], 0.0
        showdown: dict[int, tuple[int, float]] = {}
        fold: dict[int, tuple[int, float]] = {}
        rake: dict[int, tuple[int, float]] = {}
        for end, rows in self.ends_with_rows:
            paid_row, row = rows[player], rows[1 - player]
            if end.kind == FOLD:
                assert row not in fold
                fold[row] = paid_row, (-end.amount if end.folder == player else end.amount) - end.rake
            elif end.kind != DEAL:
                assert row not in showdown.keys() | rake
                if end.kind == SHOWDOWN:
                    showdown[row] = paid_row, end.amount
                if end.rake:
                    rake[row] = paid_row, -end.rake
        order = sorted(showdown.keys() - fold) + sorted(showdown.keys() & fold) + sorted(fold.keys() - showdown)
        order += sorted(rake.keys() - showdown.keys() - fold.keys())
        return [Lane(row, *(pays.get(row, nothing) for pays in (showdown, fold, rake))) for row in order]

    @cached_property
    def deal_groups(self) -> list[tuple[list[int], tuple[Round, ...]]]:
        """The groups of deals, each of which leads to one bundle: their indices among the ends, and its rounds."""
        groups: list[tuple[list[int], list[Round]]] = []
        rows = self.largest
        for number, (end, _) in enumerate(self.ends_with_rows):
            if end.kind == DEAL:
                assert end.next_round is not None
                if rows + max(end.next_round.rows) > self.largest:
                    groups.append(([], []))
                    rows = 0
                groups[-1][0].append(number)
                groups[-1][1].append(end.next_round)
                rows += max(end.next_round.rows)
        return [(numbers, tuple(rounds)) for numbers, rounds in groups]


class Lane(NamedTuple):
    """A row of the opponent in the sweep, and the player's row and the amount that it pays at each kind of end.

    Rake is paid at a showdown or all-in. Where there is no such end, it pays nothing to a row after the player's last.
    """

    row: int
    showdown: tuple[int, float]
    fold: tuple[int, float]
    rake: tuple[int, float]


@dataclass(eq=False)
class Board:
    """The public cards and the hands that they leave to each player, in stored order.

    `hands` are numbers of hands, `cards` their one or two cards. Where hands are compared, they are sorted by
    `strengths`, weakest first. `sources` has the index of each hand among those of the board before: one pair of
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
    representatives: tuple[Integers, Integers] | None = None
    """For each hand the first one that differs from it only by suits that are interchangeable on this board."""


def find_disjoint_hands(first: Integers, second: Integers) -> NDArray[np.bool_]:
    """Return whether a hand of the first array and one of the second share no card, for each pair of them."""
    shared = np.zeros((len(first), len(second)), dtype=bool)
    for a in range(first.shape[1]):
        for b in range(second.shape[1]):
            shared |= (first[:, a, None] == second[None, :, b]) & (first[:, a, None] != NO_CARD)
    return ~shared
