"""A solved spot, viewed from any point of the hand.

A point is named by its line of actions and cards: `check`, `bet 250`, `call`, `4d`. Boards that only differ by
interchangeable suits are stored once; here every card is shown as itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.lines import FixedDecisions, TreePosition, deal_card
from zerosum.engine.forms.public.rounds import BettingDecision, Board, Round, RoundEnd, disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.betting.tree import RIVER, Street
from zerosum.holdem.cards.cards import HAND_COUNT, card_name, parse_cards
from zerosum.holdem.cards.suits import IDENTITY, SuitPermutation, card_orbit, invert, permute_card
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.range_table import RangeMatchup, match_up
from zerosum.holdem.spots.line import find_decision, follow_line
from zerosum.holdem.spots.spot import Spot
from zerosum.support.thread_safety import FairLock

MAX_DECISIONS, MAX_ROWS = 256, 128
"""Decisions, and streets of a player after a line, that are kept in memory."""


class Slot:
    """A place for a value that is computed once for its key, in an LRU cache that holds no reference to its owner."""

    def __init__(self, *_key: Hashable) -> None:
        self.value: Any = None


@dataclass
class Cursor:
    """The position of a line that is followed step by step."""

    place: int
    member: int
    betting: Round
    board: Board
    actual: tuple[Integers, Integers]
    """The hands of the board as they are held, which isomorphism may store as others."""
    entering: tuple[Floats, Floats]
    reach: tuple[Floats, Floats]
    tree: Street
    cards: str
    street: tuple[str, ...] = ()
    suits: SuitPermutation = IDENTITY
    """The permutation from the suits of the stored board to those of the line."""

    @property
    def position(self) -> TreePosition:
        """The position in the tree, without reaches."""
        return TreePosition(self.place, self.member, self.board, self.cards, self.actual)

    @property
    def coming(self) -> Iterator[str]:
        """Every card that may come next."""
        names = (name for child in self.board.children for name in child.names)
        return (card_name(permute_card(card, self.suits)) for name in names for card in parse_cards(name))

    @property
    def number(self) -> int:
        """The street: 0 for a flop."""
        return len(self.cards) // 2 - 3

    @property
    def pot(self) -> float:
        """The chips in the middle before the player acts."""
        return self.tree.by_line[self.street].pot

    @property
    def ranges(self) -> tuple[Floats, Floats]:
        """The reaches of both players, 1,326 numbers each."""
        oop, ip = np.zeros((2, HAND_COUNT))
        oop[self.actual[0]], ip[self.actual[1]] = self.reach
        return oop, ip


class AverageStrategy(Protocol):
    """A source of average strategies: a solver of the public form, or the saved averages of one."""

    form: PublicTree
    iteration: int
    lock: FairLock
    """Held by the one thread that may read or advance."""
    fixed: FixedDecisions
    """The strategies that are fixed instead of learned."""

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """Return the average strategy of a decision of a place."""

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """Return the value of every row of a player at a place."""

    def weights_at(self, place: int, player: int) -> Floats:
        """Return the weight of each of a player's hands at a place."""

    def averages(self) -> tuple[Any, Any]:
        """Return the accumulated averages of both players."""


class Solution:
    """The current average strategies of a solver on a spot; any thread may read them, also while the solver runs."""

    def __init__(self, spot: Spot, solver: AverageStrategy) -> None:
        self.spot = spot
        self.solver = solver
        self.tree: PublicTree = solver.form
        self._decisions = lru_cache(maxsize=MAX_DECISIONS)(Slot)
        """The decisions by iteration and line."""
        self._latest_board: Board | None = None
        self._disjoint: dict[int, NDArray[np.bool_]] = {}
        self._rows = lru_cache(maxsize=MAX_ROWS)(Slot)
        """The values of the rows of a player at a place: those of all decisions of a street are computed together."""

    def at(self, line: str | Sequence[str] = (), with_ev: bool = True) -> DecisionTable:
        """Return the decision that a line leads to: actions and cards, as in `check bet 250 call 4d`.

        with_ev: whether to compute EVs and equities too, which is slow on early streets.
        """
        return self._decision_at(find_decision(self.spot, line).line, with_ev)

    def _decision_at(self, words: tuple[str, ...], with_ev: bool) -> DecisionTable:
        with self.solver.lock:
            slot = self._decisions(self.solver.iteration, words)
            table: DecisionTable | None = slot.value
            if table is None or (with_ev and not table.has_ev):
                cursor = self.start()
                for word in words:
                    self.step(cursor, word)
                choice = self.choice(cursor)
                assert choice is not None
                table = slot.value = self.decision(cursor, choice, words, with_ev)
            return table

    def ranges_at(self, line: str | Sequence[str] = ()) -> RangeMatchup:
        """Return both ranges after a line, against each other, also where nobody decides.

        >>> import zerosum
        >>> ranges = zerosum.solve("spot:river", iterations=10).solution.ranges_at("check check")
        >>> round(sum(table.range_equity for table in ranges), 9)
        1.0
        """
        position = follow_line(self.spot, line)
        ranges = self.reaches_at(position.line)
        return match_up(position.line, position.board, position.pot, ranges, self.spot.weights)

    def reaches_at(self, line: str | Sequence[str] = ()) -> tuple[Floats, Floats]:
        """Return the reaches of both players after a line, 1,326 numbers each, also where nobody decides."""
        position = follow_line(self.spot, line)
        words = position.line
        if position.node is not None:
            return self.at(words, with_ev=False).ranges
        table = self.at(words[:-1], with_ev=False)
        ranges = [reach.copy() for reach in table.ranges]
        ranges[table.player][table.hand] *= table.frequency[table.actions.index(words[-1])]
        return ranges[0], ranges[1]

    def start(self) -> Cursor:
        """Return a cursor at the beginning of every line."""
        board = self.tree.board
        weights = self.tree.weights
        return Cursor(0, 0, self.tree.first, board, board.hands, weights, weights, self.spot.tree, board.label)

    def choice(self, cursor: Cursor) -> BettingDecision | None:
        """Return the decision at a cursor; None where a card comes or the hand is over."""
        return next((c for c in cursor.betting.choices if c.line == cursor.street), None)

    def step(self, cursor: Cursor, word: str) -> None:
        """Advance a cursor by an action or a card."""
        choice = self.choice(cursor)
        if choice is None:
            self.deal(cursor, next(end for end in cursor.betting.ends if end.line == cursor.street), word)
            return
        action = choice.actions.index(word)
        sigma = self.strategy(cursor, choice)
        reach = list(cursor.reach)
        reach[choice.player] = reach[choice.player] * sigma[action]
        cursor.reach = reach[0], reach[1]
        cursor.street = (*cursor.street, word)

    def strategy(self, cursor: Cursor, choice: BettingDecision) -> Floats:
        """Return the strategy of a decision: a row for each action, a column for each hand."""
        row = self._row(cursor, choice)
        return self.solver.strategy(cursor.place, choice.player, row, len(choice.actions))

    def _row(self, cursor: Cursor, choice: BettingDecision) -> int:
        bundle = self.tree.bundle_at(cursor.place)
        return bundle.row(cursor.member, choice.player, choice.first)

    def deal(self, cursor: Cursor, end: RoundEnd, word: str) -> None:
        """Advance a cursor by a card."""
        (card,) = (permute_card(card, invert(cursor.suits)) for card in parse_cards(word))
        after = deal_card(self.tree, cursor.position, end, card_name(card))
        assert after.sources is not None
        oop, ip = after.sources
        cursor.place, cursor.member, cursor.board, cursor.actual = after.place, after.member, after.board, after.actual
        cursor.betting = self.tree.bundle_at(after.place).rounds[after.member]
        cursor.reach = cursor.entering = cursor.reach[0][oop], cursor.reach[1][ip]
        cursor.tree = next(leaf.next_round for leaf in cursor.tree.ends if leaf.line == end.line and leaf.next_round)
        cursor.street, cursor.cards = (), cursor.cards + word
        *before, first = parse_cards(after.board.label)[len(self.spot.board) :]
        isomorphic = [
            suits for suits in self.tree.suits if all(permute_card(public, suits) == public for public in before)
        ]
        cursor.suits = tuple(cursor.suits[suit] for suit in card_orbit(first, isomorphic)[card])

    @property
    def last(self) -> int:
        """The last street whose strategies are kept: 2 for the river."""
        return RIVER

    def decision(self, cursor: Cursor, choice: BettingDecision, line: tuple[str, ...], with_ev: bool) -> DecisionTable:
        """Return the decision where a cursor stands, after a line."""
        player, opponent = choice.player, 1 - choice.player
        opposing = self._disjoint_hands(cursor.board, player) @ cursor.reach[opponent]
        node = cursor.tree.by_line[cursor.street]
        invested = cursor.tree.pot / 2 + node.paid[player]
        locked_strategy = self.solver.fixed.get((cursor.place, player, self._row(cursor, choice)))
        locked = None if locked_strategy is None else ~np.isnan(locked_strategy[0])
        ranges = cursor.ranges
        deals = ranges[player][cursor.actual[player]] * opposing
        return DecisionTable(
            line=line,
            board=cursor.cards,
            player=player,
            pot=cursor.pot,
            hand=cursor.actual[player],
            weight=deals / deals.sum() if deals.any() else deals,
            opposing_reach=opposing,
            ranges=ranges,
            start=self.spot.weights[player],
            known_equity=_board_equity(cursor, player, opposing),
            invested=invested,
            actions=choice.actions,
            pot_shares=node.pot_shares,
            labels=node.labels,
            frequency=self.strategy(cursor, choice),
            action_ev=self._evs(cursor, choice, opposing, invested) if with_ev else None,
            locked=locked,
            note="" if locked is None else _lock_note(locked),
            iteration=self.solver.iteration,
        )

    def _disjoint_hands(self, board: Board, player: int) -> NDArray[np.bool_]:
        """Return which of the opponent's hands share no card with each hand of a player; kept for the latest board."""
        if self._latest_board is not board:
            self._latest_board, self._disjoint = board, {}
        if player not in self._disjoint:  # not the transpose of the other: that would add in another order
            self._disjoint[player] = disjoint_hands(board.cards[player], board.cards[1 - player])
        return self._disjoint[player]

    def _evs(self, cursor: Cursor, choice: BettingDecision, opposing: Floats, invested: float) -> Floats:
        """Return the EV of each action with each hand."""
        player = choice.player
        row, count = self._row(cursor, choice), len(choice.actions)
        rows = self._worth(cursor, player)[row : row + count]
        share = self.solver.weights_at(cursor.place, player) * opposing
        evs = np.where(share > 0, rows / np.where(share > 0, share, 1.0) + invested, 0.0)
        if "fold" in choice.actions:
            evs[choice.actions.index("fold")] = 0.0  # the exact value: the sum is rounded
        return evs

    def range_evs(self, line: str | Sequence[str] = ()) -> tuple[float, float]:
        """Return the EVs of both ranges from a decision on, averaged over the deals; nan if no deal gets there."""
        table = self.at(line)
        if not table.deals.any():
            return math.nan, math.nan
        with self.solver.lock:
            waiting = self._waiting_ev(table.line, 1 - table.player)
        return (table.range_ev, waiting) if table.player == 0 else (waiting, table.range_ev)

    def _waiting_ev(self, words: tuple[str, ...], player: int) -> float:
        """Return the EV of the range of the player who is not to act, from the row of that player's last action."""
        cursor = self.start()
        for word in words:
            self.step(cursor, word)
        row, before = 0, cursor.street[:-1]
        if cursor.street:
            last = next(choice for choice in cursor.betting.choices if choice.line == before)
            row = last.first + last.actions.index(cursor.street[-1])
        number = self.tree.bundle_at(cursor.place).row(cursor.member, player, row)
        rows = self._worth(cursor, player)[number]
        cards = cursor.board.cards
        against = disjoint_hands(cards[player], cards[1 - player]) @ cursor.reach[1 - player]
        reach, weights = cursor.reach[player], self.solver.weights_at(cursor.place, player)
        net = float((np.divide(reach, weights, out=np.zeros_like(reach), where=weights > 0) * rows).sum())
        return net / float(reach @ against) + cursor.tree.pot / 2 + cursor.tree.node(*cursor.street).paid[player]

    def _worth(self, cursor: Cursor, player: int) -> Floats:
        """Return the value of every row of a player at the place of a cursor."""
        reach = cursor.entering[1 - player]
        entering = np.zeros((self.tree.bundle_at(cursor.place).entries, len(reach)))
        entering[cursor.member] = reach
        slot = self._rows(self.solver.iteration, cursor.place, player, entering.tobytes())
        if slot.value is None:
            slot.value = self.solver.rows(cursor.place, entering, player)
        return np.asarray(slot.value)


def _lock_note(locked: NDArray[np.bool_]) -> str:
    """Return a note on the number of locked hands at a decision."""
    if locked.all():
        return "locked: every hand plays what a lock says"
    return f"locked: {np.count_nonzero(locked)} of {len(locked)} hands play what a lock says"


def _board_equity(cursor: Cursor, player: int, opposing: Floats) -> Floats | None:
    """Return the equities at a decision from those of the board, P(oop wins) - P(ip wins) for each pair of hands."""
    if cursor.board.equity is None:
        return None
    ahead = cursor.board.equity if player == 0 else -cursor.board.equity.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(0.5 + 0.5 * (ahead @ cursor.reach[1 - player]) / opposing)
