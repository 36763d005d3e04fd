"""The public form of a card game: its betting lines once, hands as vectors, the payoff never written out.

Betting is public and does not depend on the cards, so it is a small tree: a *round*. An action of a player in a round
is a *row*, a vector over that player's hands: row 0 is how the player came into the round, and every decision with A
actions has A further rows. A *board* says which hands the public cards leave, in which order they are stored and, at
the end, how they compare. A *place* is the unit of work: a board with a *bundle* of rounds that may be played on it.
It leads to further places by the deals of its rounds and the cards that may come.

The form is also a pair of treeplexes, each decision of a place being one block: A actions wide, W hands long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import PublicTables
from zerosum.engine.forms.public.extents import Extents, Level, collect_bundles, compute_extents
from zerosum.engine.forms.public.rounds import Board, Bundle, Round, find_disjoint_hands
from zerosum.engine.forms.public.tables import build_tables
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property


class PublicDecision(NamedTuple):
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
        """Return the same game with every payoff times a positive number."""
        return self if times == 1.0 else replace(self, first=self.first.scaled(times))

    @cached_property
    def total_weight(self) -> float:
        """The sum of the products of weights over all pairs of hands that can be dealt together."""
        first, second = self.weights
        return float(first @ (find_disjoint_hands(self.board.cards[0], self.board.cards[1]) @ second))

    @cached_property
    def rounds(self) -> list[Round]:
        """Every round once, earlier ones first."""
        rounds = [self.first]
        for betting in rounds:
            for end in betting.deals:
                if end.next_round is not None and end.next_round not in rounds:
                    rounds.append(end.next_round)
        return rounds

    @cached_property
    def bundles(self) -> list[Bundle]:
        """Every bundle once, earlier ones first."""
        return collect_bundles(self.first, max(len(hands) for hands in self.board.hands))

    @cached_property
    def boards(self) -> list[Board]:
        """Every board, the children of a board side by side."""
        boards = [self.board]
        for board in boards:
            boards += board.children
        return boards

    @cached_property
    def extents(self) -> Extents:
        """The maximal sizes of its places."""
        levels, boards = list[Level](), [self.board]
        while boards:
            first, second = (max(len(board.hands[player]) for board in boards) for player in (0, 1))
            levels.append(Level((first, second), [len(board.children) for board in boards]))
            boards = [child for board in boards for child in board.children]
        return compute_extents(self.bundles, levels)

    @cached_property
    def tables(self) -> PublicTables:
        """The tables for the kernels."""
        return build_tables(self)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the order in which the tree is stored."""
        tables = self.tables
        digest = hashlib.sha256()
        for table in (tables.choices, tables.bundles, tables.places, tables.boards, tables.cards):
            digest.update(np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()[:16]

    @property
    def infosets(self) -> int:
        """The infosets of both players together."""
        movers = [[mover for mover, _, _, _ in bundle.decisions] for bundle in self.bundles]
        counts = np.array([[players.count(0), players.count(1)] for players in movers])
        return int((counts[self.tables.places[:, columns.BUNDLE]] * self.widths).sum())

    @property
    def sequences(self) -> int:
        """The sequences of both players together, the two empty ones included."""
        return sum(self.store_sizes) + 2

    @property
    def largest_payoff(self) -> float:
        """The largest amount that a player wins or loses."""
        return max(end.amount + end.rake for betting in self.rounds for end in betting.ends)

    @property
    def has_rake(self) -> bool:
        """Whether the house takes a rake, so that the game is not zero-sum."""
        return bool(self.tables.rake.any())

    @property
    def has_shared_boards(self) -> bool:
        """Whether a board may stand for others that only differ by interchangeable suits."""
        return any(len(board.names) > 1 for board in self.boards)

    # Hands.

    def slice_hands(self, board: int, player: int) -> slice:
        """Return the part of the hands of all boards that a board leaves to a player."""
        start, width = self.tables.boards[board, [columns.FIRST_HAND + 2 * player, columns.WIDTH + 2 * player]]
        return slice(int(start), int(start + width))

    def slice_hands_at(self, place: int, player: int) -> slice:
        """Return the part of the hands of all boards that the board of a place leaves to a player."""
        return self.slice_hands(int(self.tables.places[place, columns.BOARD]), player)

    @cached_property
    def hand_weights(self) -> tuple[Floats, Floats]:
        """For each player, the weight of each hand of each board, in the order of the tables; zero for the other's."""
        weights = np.zeros(len(self.tables.cards)), np.zeros(len(self.tables.cards))
        by_board = {id(self.board): self.weights}
        for number, board in enumerate(self.boards):
            both = by_board.pop(id(board))
            for player in (0, 1):
                weights[player][self.slice_hands(number, player)] = both[player]
            for child in board.children:
                first, second = child.sources[0]
                by_board[id(child)] = both[0][first], both[1][second]
        return weights

    # Places. A player's store holds a row of hands for each action, place by place.

    def get_bundle(self, place: int) -> Bundle:
        """Return the rounds of a place."""
        return self.bundles[int(self.tables.places[place, columns.BUNDLE])]

    def get_board(self, place: int) -> Board:
        """Return the board of a place."""
        return self.boards[int(self.tables.places[place, columns.BOARD])]

    @cached_property
    def row_counts(self) -> Integers:
        """The number of rows for each place and player, the entering ones included."""
        return np.asarray(self.tables.bundles[self.tables.places[:, columns.BUNDLE], columns.ROWS : columns.ROWS + 2])

    @cached_property
    def entry_counts(self) -> Integers:
        """The number of entering rows for each place."""
        return np.asarray(self.tables.bundles[self.tables.places[:, columns.BUNDLE], columns.ENTRIES])

    @cached_property
    def widths(self) -> Integers:
        """The number of hands for each place and player."""
        boards = self.tables.boards[self.tables.places[:, columns.BOARD]]
        return np.asarray(boards[:, [columns.WIDTH, columns.WIDTH + 2]])

    @cached_property
    def place_store_sizes(self) -> Integers:
        """The number of stored numbers for each place and player: actions times hands."""
        return (self.row_counts - self.entry_counts[:, None]) * self.widths

    @cached_property
    def store_sizes(self) -> tuple[int, int]:
        """The sequences of each player that need storing: actions times hands, over all places."""
        first, second = self.place_store_sizes.sum(axis=0)
        return int(first), int(second)

    def get_shape(self, place: int, player: int) -> tuple[int, int]:
        """Return the number of rows, the entering ones included, and of hands that a player has at a place."""
        return int(self.row_counts[place, player]), int(self.widths[place, player])

    def slice_place(self, place: int, player: int) -> slice:
        """Return the part of a player's store that belongs to a place."""
        start = int(self.tables.places[place, columns.START + player])
        return slice(start, start + int(self.place_store_sizes[place, player]))

    def slice_decision(self, place: int, player: int, first: int, actions: int) -> slice:
        """Return the part of the store of a decision of a place; `first` is the row of its first action."""
        width = int(self.widths[place, player])
        start = int(self.tables.places[place, columns.START + player]) + (first - int(self.entry_counts[place])) * width
        return slice(start, start + actions * width)

    # The places that follow others. A deal is a place that follows the first one.

    @cached_property
    def follower_counts(self) -> Integers:
        """The number of places that follow each place: cards times groups of deals."""
        cards: Integers = self.tables.boards[self.tables.places[:, columns.BOARD], columns.CHILDREN]
        groups: Integers = self.tables.bundles[self.tables.places[:, columns.BUNDLE], columns.GROUPS]
        return cards * groups

    def find_next_place(self, place: int, card: int, group: int) -> int:
        """Return the place that a group of deals leads to when a card comes."""
        groups = int(self.tables.bundles[self.tables.places[place, columns.BUNDLE], columns.GROUPS])
        return int(self.tables.places[place, columns.FIRST_PLACE]) + card * groups + group

    @property
    def deal_count(self) -> int:
        """The number of places that follow the first one."""
        return int(self.follower_counts[0])

    @property
    def deal_places(self) -> slice:
        """The places that follow the first one, deal by deal."""
        first = int(self.tables.places[0, columns.FIRST_PLACE])
        return slice(first, first + self.deal_count)

    def slice_deal(self, deal: int, player: int, rows: bool = False) -> slice:
        """Return the part of a player's store that belongs to a deal and to all places that follow it.

        With `rows`, return the part of all rows, the entering ones included.
        """
        starts = self.tables.places[:, (columns.START_OF_ROWS if rows else columns.START) + player]
        whole = int((self.row_counts * self.widths)[:, player].sum()) if rows else self.store_sizes[player]
        first = self.deal_places.start + deal
        return slice(int(starts[first]), whole if deal + 1 == self.deal_count else int(starts[first + 1]))

    def count_entering_numbers(self, player: int) -> int:
        """Return the most numbers of a player that enter a deal."""
        after = self.deal_places
        return int((self.entry_counts[after] * self.widths[after, player]).max(initial=0))

    @cached_property
    def deal_by_place(self) -> Integers:
        """For each place the deal that leads to it; -1 for the first place."""
        deals = np.full(len(self.tables.places), -1)
        deals[self.deal_places] = np.arange(self.deal_count)
        for place in range(1, len(deals)):
            first = int(self.tables.places[place, columns.FIRST_PLACE])
            deals[first : first + int(self.follower_counts[place])] = deals[place]
        return deals

    # Decisions.

    def expand_to_decisions(self, numbers: Sequence[Sequence[float]]) -> Floats:
        """Return a number for each decision of each place, from those of the decisions of each bundle."""
        bundles = self.tables.places[:, columns.BUNDLE]
        return np.concatenate([np.array(numbers[bundle], dtype=float) for bundle in bundles])

    def iterate_decisions(self) -> Iterator[PublicDecision]:
        """Yield every decision of every place, in the order of the tables."""
        for place in range(len(self.tables.places)):
            yield from self.iterate_decisions_at(place)

    def iterate_decisions_at(self, place: int) -> Iterator[PublicDecision]:
        """Yield the decisions of a place."""
        first_number = int(self.tables.places[place, columns.FIRST_DECISION])
        for number, (player, first, actions, _) in enumerate(self.get_bundle(place).decisions, first_number):
            yield PublicDecision(
                number, place, player, first, actions, self.slice_decision(place, player, first, actions)
            )

    def find_decision(self, place: int, player: int, first: int) -> PublicDecision:
        """Return the decision of a place whose first action is a given row of a player."""
        for decision in self.iterate_decisions_at(place) if 0 <= place < len(self.tables.places) else ():
            if (decision.player, decision.first) == (player, first):
                return decision
        raise ZerosumError(f"{self.name}: at place {place}, no decision of player {player + 1} begins with row {first}")

    @property
    def decision_count(self) -> int:
        """The number of decisions, over all places."""
        return int(self.tables.places[-1, columns.FIRST_DECISION]) + len(self.get_bundle(-1).decisions)

    def describe_decision_at(self, player: int, index: int) -> str:
        """Describe the decision that an index of a player's store belongs to."""
        starts = self.tables.places[:, columns.START + player]
        place = int(np.argmax((starts <= index) & (index < starts + self.place_store_sizes[:, player])))
        bundle, board = self.get_bundle(place), self.get_board(place)
        row = (index - int(starts[place])) // max(1, len(board.hands[player])) + bundle.entries
        lines = [
            " ".join(choice.line)
            for member, betting in enumerate(bundle.rounds)
            for choice in betting.choices
            if choice.player == player and 0 <= row - bundle.map_row(member, player, choice.first) < len(choice.actions)
        ]
        line = (lines or [""])[0] or "nothing"
        return f"{board.label or 'the start'}, after {line}, player {player + 1}"


def normalize_columns(mass: Floats) -> Floats:
    """Return the strategy of a decision whose actions have these masses, hand by hand; uniform where all are zero.

    >>> normalize_columns(np.array([[3.0, 0.0], [1.0, 0.0]])).tolist()
    [[0.75, 0.5], [0.25, 0.5]]
    """
    mass = mass.astype(np.float64)
    total = mass.sum(axis=0)
    return np.asarray(np.where(total > 0, mass / np.where(total > 0, total, 1.0), 1.0 / len(mass)))
