"""The public form of a card game: its betting lines once, hands as vectors, the payoff never written out.

Betting is public and does not depend on the cards, so it is a small tree: a *round*. What a player did in a round is
a *row*, a vector over that player's hands: row 0 is how the player came into the round, and every decision with A
actions has A further rows. A *board* says which hands the public cards leave, in which order they are stored and, at
the end, how they compare. A *place* is what is worked on at a time: a board with a *bundle* of rounds that may be
played on it. It leads to further places by the deals of its rounds and the cards that may come.

The form is also a pair of treeplexes, each decision of a place being one block: A actions wide, W hands long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError
from rue.forms.public_form import (
    BOARD,
    BUNDLE,
    ENTRIES,
    FIRST_DECISION,
    FIRST_HAND,
    FIRST_PLACE,
    GROUPS,
    ROWS,
    START,
    WIDTH,
    Form,
)
from rue.regret import access

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FOLD, SHOWDOWN, ALLIN, DEAL = 0, 1, 2, 3
NO_CARD = 52
"""The second card of a hand that has only one; its sum is kept at zero."""
LANES = access.LANES
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
    """An end of a round: at a fold `folder` loses `amount`; otherwise the weaker hand does, now or after a deal."""

    kind: int
    rows: tuple[int, int]
    amount: float
    folder: int = -1
    following: Round | None = None
    line: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Round:
    """The betting between two deals: choices in an order that puts parents first."""

    choices: tuple[Choice, ...]
    ends: tuple[End, ...]
    rows: tuple[int, int]

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
        """The opponent's rows that `player` needs at the ends: showdowns only, then both kinds, then folds only.

        A row that the opponent does not leave ends in at most one showdown and at most one fold.
        """
        nothing = self.rows[player], 0.0
        shown: dict[int, tuple[int, float]] = {}
        folded: dict[int, tuple[int, float]] = {}
        for end, rows in self.ends():
            if end.kind in (SHOWDOWN, FOLD):
                known = shown if end.kind == SHOWDOWN else folded
                assert rows[1 - player] not in known
                known[rows[1 - player]] = rows[player], -end.amount if end.folder == player else end.amount
        order = sorted(shown.keys() - folded) + sorted(shown.keys() & folded) + sorted(folded.keys() - shown)
        return [Lane(row, shown.get(row, nothing), folded.get(row, nothing)) for row in order]

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


class Decision(NamedTuple):
    """A decision of a place: its first action is row `first`, and `at` is its part of the store.

    `number` counts the decisions of all places.
    """

    number: int
    place: int
    player: int
    first: int
    actions: int
    at: slice


class Lane(NamedTuple):
    """A row of the opponent in the sweep, and the player's rows and amounts that it pays at a showdown and at a fold.

    Where there is no such end it pays nothing to a row after the player's last.
    """

    row: int
    shown: tuple[int, float]
    folded: tuple[int, float]


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


@dataclass(frozen=True, eq=False)
class PublicTree:
    """A card game in public form: its first round and board, and how likely each hand is.

    `weights` are the chances of the hands of the first board, up to a common factor; two hands that share a card
    cannot be dealt together.
    """

    name: str
    first: Round
    board: Board
    weights: tuple[Floats, Floats]

    @cached_property
    def total(self) -> float:
        """The sum of the products of weights over all pairs of hands that can be dealt together."""
        one, two = self.weights
        return float(one @ (disjoint(self.board.cards[0], self.board.cards[1]) @ two))

    @cached_property
    def rounds(self) -> list[Round]:
        """Every round once, earlier ones first."""
        found = [self.first]
        for betting in found:
            for end in betting.deals:
                if end.following is not None and end.following not in found:
                    found.append(end.following)
        return found

    @cached_property
    def bundles(self) -> list[Bundle]:
        """Every bundle once, earlier ones first."""
        widest = max(len(hands) for hands in self.board.hands)
        largest = max(4 * LANES, NUMBERS_A_PLACE // max(1, widest))
        known: dict[tuple[Round, ...], Bundle] = {(self.first,): Bundle((self.first,), largest)}
        found = list(known.values())
        for bundle in found:
            for _, rounds in bundle.following():
                if rounds not in known:
                    known[rounds] = Bundle(rounds, largest)
                    found.append(known[rounds])
        return found

    @cached_property
    def boards(self) -> list[Board]:
        """Every board, the children of a board side by side."""
        found = [self.board]
        for board in found:
            found += board.children
        return found

    @cached_property
    def levels(self) -> int:
        """How many boards lie on the way from the first to a last one."""
        depth, level = 0, [self.board]
        while level:
            depth, level = depth + 1, [child for board in level for child in board.children]
        return depth

    @cached_property
    def form(self) -> Form:
        """The tables for the kernels."""
        from rue.forms.public_tables import tables_of

        return tables_of(self)

    @cached_property
    def row_counts(self) -> Integers:
        """For each place and player how many rows there are, the entering ones included."""
        counts: Integers = self.form.bundles[self.form.places[:, BUNDLE], ROWS : ROWS + 2]
        return counts

    @cached_property
    def widths(self) -> Integers:
        """For each place and player how many hands there are."""
        widths: Integers = self.form.boards[self.form.places[:, BOARD]][:, [WIDTH, WIDTH + 2]]
        return widths

    @cached_property
    def entries(self) -> Integers:
        """For each place how many of its rows enter."""
        entries: Integers = self.form.bundles[self.form.places[:, BUNDLE], ENTRIES]
        return entries

    @cached_property
    def stored(self) -> Integers:
        """For each place and player how many numbers are stored: actions times hands."""
        return (self.row_counts - self.entries[:, None]) * self.widths

    @cached_property
    def store(self) -> tuple[int, int]:
        """The sequences of each player that need storing: actions times hands, over all places."""
        one, two = self.stored.sum(axis=0)
        return int(one), int(two)

    def bundle_at(self, place: int) -> Bundle:
        """The rounds of a place."""
        return self.bundles[int(self.form.places[place, BUNDLE])]

    def board_at(self, place: int) -> Board:
        """The board of a place."""
        return self.boards[int(self.form.places[place, BOARD])]

    def shape(self, place: int, player: int) -> tuple[int, int]:
        """How many rows, the entering ones included, and how many hands a player has at a place."""
        return int(self.row_counts[place, player]), int(self.widths[place, player])

    def span(self, place: int, player: int) -> slice:
        """The part of a player's store that belongs to a place."""
        start = int(self.form.places[place, START + player])
        return slice(start, start + int(self.stored[place, player]))

    def block(self, place: int, player: int, first: int, actions: int) -> slice:
        """The part of the store of a decision of a place; `first` is the row of its first action."""
        width = int(self.widths[place, player])
        start = int(self.form.places[place, START + player]) + (first - int(self.entries[place])) * width
        return slice(start, start + actions * width)

    @cached_property
    def deals(self) -> int:
        """How many places follow the first one."""
        return len(self.board.children) * len(self.bundles[0].following())

    def deals_of(self, card: int) -> range:
        """The deals of the first place in which a card comes, by its number among the children of the first board."""
        groups = len(self.bundles[0].following())
        return range(card * groups, (card + 1) * groups)

    def deal_span(self, deal: int, player: int) -> slice:
        """The part of a player's store that belongs to a deal of the first place: what follows lies together."""
        first = int(self.form.places[0, FIRST_PLACE]) + deal
        start = int(self.form.places[first, START + player])
        last = deal + 1 == self.deals
        return slice(start, self.store[player] if last else int(self.form.places[first + 1, START + player]))

    def hands(self, board: int, player: int) -> slice:
        """The hands that a board leaves to a player, among those of all boards."""
        start, width = self.form.boards[board, [FIRST_HAND + 2 * player, WIDTH + 2 * player]]
        return slice(int(start), int(start + width))

    def hands_at(self, place: int, player: int) -> slice:
        """The same for the board of a place."""
        return self.hands(int(self.form.places[place, BOARD]), player)

    def following(self, place: int, card: int, group: int) -> int:
        """The place that a group of deals leads to when a card comes."""
        groups = int(self.form.bundles[self.form.places[place, BUNDLE], GROUPS])
        return int(self.form.places[place, FIRST_PLACE]) + card * groups + group

    def each_decision(self, numbers: Sequence[Sequence[float]]) -> Floats:
        """A number for each decision of each place, from those of the decisions of each bundle."""
        return np.concatenate([np.array(numbers[bundle], dtype=float) for bundle in self.form.places[:, BUNDLE]])

    @cached_property
    def _choices(self) -> list[list[tuple[int, int, int, int]]]:
        return [bundle.choices() for bundle in self.bundles]

    def decisions(self) -> Iterator[Decision]:
        """Every decision of every place, in the order of the tables."""
        for place in range(len(self.form.places)):
            yield from self.decisions_at(place)

    def decisions_at(self, place: int) -> Iterator[Decision]:
        """The decisions of a place."""
        number = int(self.form.places[place, FIRST_DECISION])
        for player, first, actions, _ in self._choices[int(self.form.places[place, BUNDLE])]:
            yield Decision(number, place, player, first, actions, self.block(place, player, first, actions))
            number += 1

    def decision(self, place: int, player: int, first: int) -> Decision:
        """The decision of a place whose first action is a row of a player."""
        for decision in self.decisions_at(place) if 0 <= place < len(self.form.places) else ():
            if (decision.player, decision.first) == (player, first):
                return decision
        raise RueError(f"{self.name}: at place {place}, no decision of player {player + 1} begins with row {first}")

    @cached_property
    def decision_count(self) -> int:
        """How many decisions there are, over all places."""
        return int(self.form.places[-1, FIRST_DECISION]) + len(self.bundle_at(-1).choices())

    def where(self, player: int, index: int) -> str:
        """The decision of a number of a player's store, in words."""
        starts = self.form.places[:, START + player]
        place = int(np.argmax((starts <= index) & (index < starts + self.stored[:, player])))
        bundle, board = self.bundle_at(place), self.board_at(place)
        row = (index - int(starts[place])) // max(1, len(board.hands[player])) + bundle.entries
        lines = [
            " ".join(choice.line)
            for member, betting in enumerate(bundle.rounds)
            for choice in betting.choices
            if choice.player == player and 0 <= row - bundle.row(member, player, choice.first) < len(choice.actions)
        ]
        return (
            f"{board.label or 'the start'}, after {lines[0] if lines and lines[0] else 'nothing'}, player {player + 1}"
        )

    @property
    def infosets(self) -> int:
        """The infosets of both players together."""
        movers = [[choice[0] for choice in bundle.choices()] for bundle in self.bundles]
        count = np.array([[players.count(0), players.count(1)] for players in movers])
        return int((count[self.form.places[:, BUNDLE]] * self.widths).sum())

    @property
    def sequences(self) -> int:
        """The sequences of both players together, the two empty ones included."""
        return sum(self.store) + 2

    @property
    def largest_payoff(self) -> float:
        """The largest amount that changes hands."""
        return max(end.amount for betting in self.rounds for end in betting.ends)


def shares(mass: Floats) -> Floats:
    """The strategy of a decision whose actions have these masses, hand by hand; uniform where there are none.

    >>> shares(np.array([[3.0, 0.0], [1.0, 0.0]])).tolist()
    [[0.75, 0.5], [0.25, 0.5]]
    """
    mass = mass.astype(np.float64)
    total = mass.sum(axis=0)
    return np.asarray(np.where(total > 0, mass / np.where(total > 0, total, 1.0), 1.0 / len(mass)))


def disjoint(one: Integers, two: Integers) -> NDArray[np.bool_]:
    """Which pairs of hands share no card."""
    shared = np.zeros((len(one), len(two)), dtype=bool)
    for a in range(one.shape[1]):
        for b in range(two.shape[1]):
            shared |= (one[:, a, None] == two[None, :, b]) & (one[:, a, None] != NO_CARD)
    return ~shared
