"""The public form of a card game: its betting lines once, hands as vectors, the payoff never written out.

Betting is public and does not depend on the cards, so it is a small tree: a *round*. What a player did in a round is
a *row*, a vector over that player's hands: row 0 is how the player came into the round, and every decision with A
actions has A further rows. A *board* says which hands the public cards leave, in which order they are stored and, at
the end, how they compare. A *place* is what is worked on at a time: a board with a *bundle* of rounds that may be
played on it. It leads to further places by the deals of its rounds and the cards that may come.

The form is also a pair of treeplexes, each decision of a place being one block: A actions wide, W hands long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FOLD, SHOWDOWN, ALLIN, DEAL = 0, 1, 2, 3
NO_CARD = 52
"""The second card of a hand that has only one; its sum is kept at zero."""
LANES = 16
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

    def lanes(self, player: int) -> tuple[list[int], int, int]:
        """The opponent's rows that `player` needs at the ends, ordered for the sweep.

        Rows that end in a showdown come first and rows that end in a fold last: returns the rows, the number of
        the former and the place where the latter begin.
        """
        ends = self.ends()
        shown = {rows[1 - player] for end, rows in ends if end.kind == SHOWDOWN}
        folded = {rows[1 - player] for end, rows in ends if end.kind == FOLD}
        rows = sorted(shown - folded) + sorted(shown & folded) + sorted(folded - shown)
        return rows, len(shown), len(shown - folded)

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


class Form(NamedTuple):
    """The tables of a public form as the compiled kernels see them."""

    choices: Integers
    """player, first row, actions, parent row."""
    ends: Integers
    """kind, row of one, row of two, folder, lane of the opponent's row for one, the same for two."""
    amounts: Floats
    bundles: Integers
    """rows of one, rows of two, first and last choice, first and last end, followers, the first of them, entries."""
    followers: Integers
    """For each group of deals: first and last entry in `deals`."""
    deals: Integers
    """The ends whose rows enter the bundle that follows, in the order of its entries."""
    lanes: Integers
    """For each bundle and player: first entry in `lane_rows`, lanes, lanes shown, first lane folded."""
    lane_rows: Integers
    boards: Integers
    """For each board: start and width of one, of two, first child, children, first source, sources, equity."""
    chance: Floats
    cards: NDArray[np.uint8]
    """Card and second card of each hand of each board of each player."""
    compare: NDArray[np.int16]
    """For each of these: opponent's hands that are weaker, weaker or equal, and the same hand (-1: none)."""
    sources: Integers
    """For each source and player its start in `source`."""
    source: NDArray[np.int32]
    equity: NDArray[np.float32]
    places: Integers
    """bundle, board, start in the store of one, of two, first child place, then the place of its first decision, of its
    first row of one and of two among those of all places."""


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
        return _Tables(self).form()

    @cached_property
    def store(self) -> tuple[int, int]:
        """The sequences of each player that need storing: actions times hands, over all places."""
        form = self.form
        rows = form.bundles[form.places[:, 0]][:, :2] - form.bundles[form.places[:, 0]][:, 8:]
        one, two = (rows * form.boards[form.places[:, 1]][:, [1, 3]]).sum(axis=0)
        return int(one), int(two)

    @property
    def infosets(self) -> int:
        """The infosets of both players together."""
        form = self.form
        movers = [[choice[0] for choice in bundle.choices()] for bundle in self.bundles]
        count = np.array([[players.count(0), players.count(1)] for players in movers])
        return int((count[form.places[:, 0]] * form.boards[form.places[:, 1]][:, [1, 3]]).sum())

    @property
    def sequences(self) -> int:
        """The sequences of both players together, the two empty ones included."""
        return sum(self.store) + 2

    @property
    def largest_payoff(self) -> float:
        """The largest amount that changes hands."""
        return max(end.amount for betting in self.rounds for end in betting.ends)


def disjoint(one: Integers, two: Integers) -> NDArray[np.bool_]:
    """Which pairs of hands share no card."""
    shared = np.zeros((len(one), len(two)), dtype=bool)
    for a in range(one.shape[1]):
        for b in range(two.shape[1]):
            shared |= (one[:, a, None] == two[None, :, b]) & (one[:, a, None] != NO_CARD)
    return ~shared


class _Tables:
    """Flattens a public tree."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree

    def form(self) -> Form:
        boards, *hands = self._boards()
        chance = np.array([board.chance for board in self.tree.boards])
        return Form._make([*self._bundles(), boards, chance, *hands, self._places(boards)])

    def _bundles(self) -> tuple[Any, ...]:
        choices: list[tuple[int, ...]] = []
        ends: list[tuple[int, ...]] = []
        amounts: list[float] = []
        bundles: list[tuple[int, ...]] = []
        followers: list[tuple[int, int]] = []
        deals: list[int] = []
        lanes: list[tuple[int, ...]] = []
        lane_rows: list[int] = []
        for bundle in self.tree.bundles:
            places: list[dict[int, int]] = []
            for player in (0, 1):
                rows, shown, folded = bundle.lanes(player)
                lanes.append((len(lane_rows), len(rows), shown, folded))
                lane_rows += rows
                places.append({row: lane for lane, row in enumerate(rows)})
            before = len(choices), len(ends), len(followers)
            choices += bundle.choices()
            for end, own in bundle.ends():
                lane = places[0].get(own[1], -1), places[1].get(own[0], -1)
                ends.append((end.kind, *own, end.folder, *lane))
                amounts.append(end.amount)
            for numbers, _ in bundle.following():
                followers.append((len(deals), len(deals) + len(numbers)))
                deals += [before[1] + number for number in numbers]
            spans = before[0], len(choices), before[1], len(ends), len(followers) - before[2], before[2]
            bundles.append((*bundle.rows, *spans, bundle.entries))
        return (
            table(choices, 4),
            table(ends, 6),
            np.array(amounts),
            table(bundles, 9),
            table(followers, 2),
            np.array(deals, dtype=np.int64),
            table(lanes, 4),
            np.array(lane_rows, dtype=np.int64),
        )

    def _boards(self) -> tuple[Any, ...]:
        boards: list[tuple[int, ...]] = []
        cards: list[Integers] = []
        compare: list[Integers] = []
        sources: list[tuple[int, int]] = []
        source: list[Integers] = []
        equity: list[NDArray[np.float32]] = []
        hand = move = matrix = 0
        child = 1
        for board in self.tree.boards:
            starts = []
            for player in (0, 1):
                starts += [hand, len(board.hands[player])]
                hand += len(board.hands[player])
                cards.append(board.cards[player])
                compare.append(_comparison(board, player))
            first_source = len(sources)
            for pair in board.sources:
                sources.append((move, move + len(pair[0])))
                source += pair
                move += len(pair[0]) + len(pair[1])
            place = -1
            if board.equity is not None:
                place, matrix = matrix, matrix + board.equity.size
                equity.append(board.equity.ravel())
            boards.append((*starts, child, len(board.children), first_source, len(board.sources), place))
            child += len(board.children)
        return (
            table(boards, 9), np.concatenate(cards).astype(np.uint8), np.concatenate(compare).astype(np.int16),
            table(sources, 2),
            np.concatenate([*source, np.zeros(0)]).astype(np.int32),
            np.concatenate([*equity, np.zeros(0)]).astype(np.float32),
        )  # fmt: skip

    def _places(self, boards: Integers) -> Integers:
        """Depth-first, so that a place and all that follows it lie together in the store."""
        numbers = {bundle.rounds: number for number, bundle in enumerate(self.tree.bundles)}
        followers = [[numbers[rounds] for _, rounds in bundle.following()] for bundle in self.tree.bundles]
        sizes = [tuple(rows - bundle.entries for rows in bundle.rows) for bundle in self.tree.bundles]
        places: list[tuple[int, ...]] = [(0, 0, 0, 0, 0)]
        used = [0, 0]

        def fill(place: int, bundle: int, board: int) -> None:
            start = tuple(used)
            for player in (0, 1):
                used[player] += sizes[bundle][player] * int(boards[board, 1 + 2 * player])
            children = len(places)
            first, count = int(boards[board, 4]), int(boards[board, 5])
            places[place] = (bundle, board, *start, children)
            places.extend([(0, 0, 0, 0, 0)] * (len(followers[bundle]) * count))
            for card in range(count):
                for number, following in enumerate(followers[bundle]):
                    fill(children + card * len(followers[bundle]) + number, following, first + card)

        fill(0, 0, 0)
        decisions = [sum(len(betting.choices) for betting in bundle.rounds) for bundle in self.tree.bundles]
        rows = np.array([[decisions[n], *bundle.rows] for n, bundle in enumerate(self.tree.bundles)])
        done = table(places, 5)
        counts = rows[done[:, 0]]
        counts[:, 1:] *= boards[done[:, 1]][:, [1, 3]]
        return np.column_stack([done, np.cumsum(counts, axis=0) - counts])


def _comparison(board: Board, player: int) -> Integers:
    """For each hand: opponent's hands that are weaker, that are weaker or equal, and the place of the same hand."""
    own, other = board.hands[player], board.hands[1 - player]
    rows = np.zeros((len(own), 3), dtype=np.int64)
    rows[:, 2] = -1
    if board.strengths is not None:
        mine, theirs = board.strengths[player], board.strengths[1 - player]
        rows[:, 0] = np.searchsorted(theirs, mine, "left")
        rows[:, 1] = np.searchsorted(theirs, mine, "right")
    if len(own) and (board.cards[player][:, 1] != NO_CARD).all():
        largest = max(int(own.max(initial=0)), int(other.max(initial=0)))
        where = np.full(largest + 1, -1, dtype=np.int64)
        where[other] = np.arange(len(other))
        rows[:, 2] = where[own]
    return rows


def table(rows: Sequence[Sequence[int]], columns: int) -> Integers:
    """Rows of integers as an array, even when there are none."""
    return np.array(rows, dtype=np.int64).reshape(-1, columns)
