"""The public form of a card game: its betting lines once, hands as vectors, the payoff never written out.

Betting is public and does not depend on the cards, so it is a small tree: a *round*. What a player did in a round is
a *row*, a vector over that player's hands: row 0 is how the player came into the round, and every decision with A
actions has A further rows. A *board* says which hands the public cards leave, in which order they are stored and, at
the end, how they compare. A *place* is what is worked on at a time: a board with a *bundle* of rounds that may be
played on it. It leads to further places by the deals of its rounds and the cards that may come.

The form is also a pair of treeplexes, each decision of a place being one block: A actions wide, W hands long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rue.errors import RueError
from rue.forms.extents import Extents, Level, bundles_of, extents_of
from rue.forms.public_form import (
    BOARD,
    BUNDLE,
    CHILDREN,
    ENTRIES,
    FIRST_DECISION,
    FIRST_HAND,
    FIRST_PLACE,
    GROUPS,
    ROWS,
    START,
    START_OF_ROWS,
    WIDTH,
    Form,
)
from rue.forms.public_tables import tables_of
from rue.forms.rounds import Board, Bundle, Round, disjoint
from rue.forms.treeplex import Floats, Integers
from rue.once import cached_property


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
    suits: tuple[tuple[int, ...], ...] = ()
    """The permutations of the suits that count as interchangeable."""

    def scaled(self, times: float) -> PublicTree:
        """The same game with every payoff times a positive number."""
        return self if times == 1.0 else replace(self, first=self.first.scaled(times))

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
        return bundles_of(self.first, max(len(hands) for hands in self.board.hands))

    @cached_property
    def boards(self) -> list[Board]:
        """Every board, the children of a board side by side."""
        found = [self.board]
        for board in found:
            found += board.children
        return found

    @cached_property
    def extents(self) -> Extents:
        """How large its places are at most."""
        levels, boards = list[Level](), [self.board]
        while boards:
            one, two = (max(len(board.hands[player]) for board in boards) for player in (0, 1))
            levels.append(Level((one, two), [len(board.children) for board in boards]))
            boards = [child for board in boards for child in board.children]
        return extents_of(self.bundles, levels)

    @property
    def levels(self) -> int:
        """How many boards lie on the way from the first to a last one."""
        return self.extents.levels

    @cached_property
    def form(self) -> Form:
        """The tables for the kernels."""
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
    def followers(self) -> Integers:
        """For each place how many places follow it."""
        cards: Integers = self.form.boards[self.form.places[:, BOARD], CHILDREN]
        groups: Integers = self.form.bundles[self.form.places[:, BUNDLE], GROUPS]
        return cards * groups

    @cached_property
    def stored(self) -> Integers:
        """For each place and player how many numbers are stored: actions times hands."""
        return (self.row_counts - self.entries[:, None]) * self.widths

    @cached_property
    def store(self) -> tuple[int, int]:
        """The sequences of each player that need storing: actions times hands, over all places."""
        one, two = self.stored.sum(axis=0)
        return int(one), int(two)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the order in which the tree is stored."""
        form = self.form
        digest = hashlib.sha256()
        for table in (form.choices, form.bundles, form.places, form.boards, form.cards):
            digest.update(np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()[:16]

    @property
    def isomorphic(self) -> bool:
        """Whether a board may stand for others that only differ by interchangeable suits."""
        return any(len(board.names) > 1 for board in self.boards)

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

    def deal_span(self, deal: int, player: int, rows: bool = False) -> slice:
        """The part of a player's store that belongs to a deal of the first place: what follows lies together. With
        `rows` the same among all rows, the entering ones included."""
        starts = self.form.places[:, (START_OF_ROWS if rows else START) + player]
        whole = int((self.row_counts * self.widths)[:, player].sum()) if rows else self.store[player]
        first = int(self.form.places[0, FIRST_PLACE]) + deal
        return slice(int(starts[first]), whole if deal + 1 == self.deals else int(starts[first + 1]))

    @property
    def after_first(self) -> slice:
        """The places that follow the first one, deal by deal."""
        first = int(self.form.places[0, FIRST_PLACE])
        return slice(first, first + self.deals)

    def entering(self, player: int) -> int:
        """The most of a player's numbers that enter one of them."""
        after = self.after_first
        return int((self.entries[after] * self.widths[after, player]).max(initial=0))

    @cached_property
    def place_deals(self) -> Integers:
        """For each place the deal of the first place that leads to it; -1 for the first place."""
        deals = np.full(len(self.form.places), -1)
        deals[self.after_first] = np.arange(self.deals)
        cards, groups = self.form.boards[:, CHILDREN], self.form.bundles[:, GROUPS]
        for place, row in enumerate(self.form.places[1:], start=1):
            count = int(cards[row[BOARD]] * groups[row[BUNDLE]])
            deals[int(row[FIRST_PLACE]) : int(row[FIRST_PLACE]) + count] = deals[place]
        return deals

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
        """The largest amount that a player wins or loses."""
        return max(end.amount + end.due for betting in self.rounds for end in betting.ends)

    @property
    def raked(self) -> bool:
        """Whether the house takes something, so that the game is not zero-sum."""
        return bool(self.form.dues.any())


def shares(mass: Floats) -> Floats:
    """The strategy of a decision whose actions have these masses, hand by hand; uniform where there are none.

    >>> shares(np.array([[3.0, 0.0], [1.0, 0.0]])).tolist()
    [[0.75, 0.5], [0.25, 0.5]]
    """
    mass = mass.astype(np.float64)
    total = mass.sum(axis=0)
    return np.asarray(np.where(total > 0, mass / np.where(total > 0, total, 1.0), 1.0 / len(mass)))
