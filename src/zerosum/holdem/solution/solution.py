"""A solved spot, viewed from any point of the hand.

A point is named by its line of actions and cards: `check`, `bet 250`, `call`, `4d`. Boards that only differ by
interchangeable suits are stored once; here every card is shown as itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.lines import TreePosition, deal_card
from zerosum.engine.forms.public.rounds import DEAL, BettingDecision, Board, Round, RoundEnd, find_disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.betting.tree import RIVER, Street
from zerosum.holdem.cards.cards import HAND_COUNT, HANDS, card_name, find_unblocked_hands, format_cards, parse_cards
from zerosum.holdem.cards.suits import IDENTITY, SuitPermutation, find_card_orbit, invert_permutation, permute_card
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.hand_table import HandTable, RangeMatchup
from zerosum.holdem.spots.line import find_decision, follow_line
from zerosum.holdem.spots.spot import Spot

if TYPE_CHECKING:
    from zerosum.engine.public.solver import PublicSolver
    from zerosum.holdem.solution.partial_solution import SavedStreets

MAX_DECISIONS, MAX_ROWS = 256, 128
"""Decisions, and streets of a player after a line, that are kept in memory."""


class Slot:
    """A value that is computed once for its key, in an LRU cache that holds no reference to its owner."""

    def __init__(self, *_key: Hashable) -> None:
        self.value: Any = None


@dataclass(frozen=True, eq=False)
class Cursor:
    """A point of the hand, reached by following a line word by word."""

    stored: TreePosition
    """The position in the tree, where isomorphism may have given the board and the hands other suits."""
    betting: Round
    street: Street
    reach: tuple[Floats, Floats]
    entering: tuple[Floats, Floats]
    """The reaches at the start of the street."""
    board: str
    line: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    """The actions on this street."""
    suits: SuitPermutation = IDENTITY
    """The permutation from the suits of the stored board to those of the line."""

    @property
    def street_number(self) -> int:
        """The street: 0 for a flop."""
        return len(self.board) // 2 - 3

    @property
    def ranges(self) -> tuple[Floats, Floats]:
        """The reaches of both players, 1,326 numbers each."""
        oop, ip = np.zeros((2, HAND_COUNT))
        oop[self.stored.actual[0]], ip[self.stored.actual[1]] = self.reach
        return oop, ip

    @property
    def choice(self) -> BettingDecision | None:
        """The decision here; None where a card comes or the hand is over."""
        return next((choice for choice in self.betting.choices if choice.line == self.actions), None)

    @property
    def end(self) -> RoundEnd:
        """The end of the street's betting, which is here."""
        return next(end for end in self.betting.ends if end.line == self.actions)

    @property
    def next_street(self) -> Street:
        """The betting of the street that begins with the next card."""
        return next(leaf.next_round for leaf in self.street.ends if leaf.line == self.actions and leaf.next_round)

    def list_next_words(self, last_street: int) -> list[str]:
        """Return the actions after which the hand continues, or the cards that come up to a street; none at the end."""
        if self.choice is not None:
            return [action for action in self.choice.actions if action != "fold"]
        if self.end.kind != DEAL or self.street_number >= last_street:
            return []
        cards = [card for child in self.stored.board.children for name in child.names for card in parse_cards(name)]
        return [card_name(permute_card(card, self.suits)) for card in cards]


class Solution:
    """The current average strategies of a solver on a spot; any thread may read them, also while the solver runs."""

    def __init__(self, spot: Spot, solver: PublicSolver | SavedStreets) -> None:
        self.spot = spot
        self.solver = solver
        self.tree: PublicTree = solver.form
        self.last_street = RIVER
        """The last street whose strategies are stored."""
        self._decisions = lru_cache(maxsize=MAX_DECISIONS)(Slot)
        """The decisions by iteration and line."""
        self._rows = lru_cache(maxsize=MAX_ROWS)(Slot)
        """The values of the rows of a player at a place: those of all decisions of a street are computed together."""
        self._latest_board: Board | None = None
        self._disjoint: dict[int, NDArray[np.bool_]] = {}

    def read_decision(self, line: str | Sequence[str] = (), with_ev: bool = True) -> DecisionTable:
        """Return the decision that a line leads to: actions and cards, as in `check bet 250 call 4d`.

        with_ev: whether to compute EVs and equities too, which is slow on early streets.
        """
        words = find_decision(self.spot, line).line
        with self.solver.lock:
            slot = self._decisions(self.solver.iteration, words)
            table: DecisionTable | None = slot.value
            if table is None or (with_ev and not table.has_ev):
                table = slot.value = self.build_decision(self.follow_line(words), with_ev)
            return table

    def match_ranges(self, line: str | Sequence[str] = ()) -> RangeMatchup:
        """Return both ranges after a line, against each other, also where nobody decides.

        >>> import zerosum
        >>> ranges = zerosum.solve("spot:river", iterations=10).solution.match_ranges("check check")
        >>> round(sum(table.range_equity for table in ranges), 9)
        1.0
        """
        position = follow_line(self.spot, line)
        ranges, hands = self.compute_reaches(position.line), np.flatnonzero(find_unblocked_hands(position.board))
        disjoint, tables = find_disjoint_hands(HANDS[hands], HANDS[hands]), []
        for player in (0, 1):
            opposing = disjoint @ ranges[1 - player][hands]
            deals = ranges[player][hands] * opposing
            table = HandTable(
                line=position.line,
                board=format_cards(position.board),
                player=player,
                pot=position.pot,
                hand=hands,
                weight=deals / deals.sum() if deals.any() else deals,
                opposing_reach=opposing,
                ranges=ranges,
                start=self.spot.weights[player],
            )
            tables.append(table)
        return RangeMatchup(*tables)

    def compute_reaches(self, line: str | Sequence[str] = ()) -> tuple[Floats, Floats]:
        """Return the reaches of both players after a line, 1,326 numbers each, also where nobody decides."""
        position = follow_line(self.spot, line)
        words = position.line
        if position.node is not None:
            return self.read_decision(words, with_ev=False).ranges
        table = self.read_decision(words[:-1], with_ev=False)
        reaches = [reach.copy() for reach in table.ranges]
        reaches[table.player][table.hand] *= table.frequency[table.actions.index(words[-1])]
        return reaches[0], reaches[1]

    def compute_range_evs(self, line: str | Sequence[str] = ()) -> tuple[float, float]:
        """Return the EVs of both ranges from a decision on, averaged over the deals; nan if no deal gets there."""
        table = self.read_decision(line)
        if not table.deals.any():
            return math.nan, math.nan
        with self.solver.lock:
            waiting_ev = self._compute_waiting_ev(table.line, 1 - table.player)
        return (table.range_ev, waiting_ev) if table.player == 0 else (waiting_ev, table.range_ev)

    def follow_line(self, words: Sequence[str]) -> Cursor:
        """Return a cursor at the end of a line."""
        board, weights = self.tree.board, self.tree.weights
        start = TreePosition(0, 0, board, board.label, board.hands)
        cursor = Cursor(start, self.tree.first, self.spot.tree, weights, weights, board.label)
        for word in words:
            cursor = self.advance_cursor(cursor, word)
        return cursor

    def advance_cursor(self, cursor: Cursor, word: str) -> Cursor:
        """Return a cursor after one more action or card."""
        choice = cursor.choice
        if choice is None:
            return self._deal_card(cursor, word)
        reach = list(cursor.reach)
        reach[choice.player] = reach[choice.player] * self._read_strategy(cursor, choice)[choice.actions.index(word)]
        return replace(cursor, reach=(reach[0], reach[1]), line=(*cursor.line, word), actions=(*cursor.actions, word))

    def _deal_card(self, cursor: Cursor, word: str) -> Cursor:
        (card,) = (permute_card(card, invert_permutation(cursor.suits)) for card in parse_cards(word))
        stored = deal_card(self.tree, cursor.stored, cursor.end, card_name(card))
        assert stored.sources is not None
        oop, ip = stored.sources
        reach = cursor.reach[0][oop], cursor.reach[1][ip]
        betting = self.tree.get_bundle(stored.place).rounds[stored.member]
        *earlier, latest = parse_cards(stored.board.label)[len(self.spot.board) :]
        isomorphic = [
            suits for suits in self.tree.suits if all(permute_card(public, suits) == public for public in earlier)
        ]
        suits = tuple(cursor.suits[suit] for suit in find_card_orbit(latest, isomorphic)[card])
        board, line = cursor.board + word, (*cursor.line, word)
        return Cursor(stored, betting, cursor.next_street, reach, reach, board, line, suits=suits)

    def _read_strategy(self, cursor: Cursor, choice: BettingDecision) -> Floats:
        """Return the strategy of a decision: a row for each action, a column for each hand."""
        row = self._find_place_row(cursor, choice.player, choice.first)
        return self.solver.strategy(cursor.stored.place, choice.player, row, len(choice.actions))

    def _find_place_row(self, cursor: Cursor, player: int, row: int) -> int:
        """Return where a row of a round stands among all rows of its place."""
        return self.tree.get_bundle(cursor.stored.place).map_row(cursor.stored.member, player, row)

    def build_decision(self, cursor: Cursor, with_ev: bool) -> DecisionTable:
        """Return the decision where a cursor stands."""
        choice, stored = cursor.choice, cursor.stored
        assert choice is not None
        player, node = choice.player, cursor.street.nodes_by_line[cursor.actions]
        opposing = self._find_disjoint_hands(stored.board, player) @ cursor.reach[1 - player]
        invested = cursor.street.pot / 2 + node.paid[player]
        locked_strategy = self.solver.fixed.get(
            (stored.place, player, self._find_place_row(cursor, player, choice.first))
        )
        locked = None if locked_strategy is None else ~np.isnan(locked_strategy[0])
        ranges, hands = cursor.ranges, stored.actual[player]
        deals = ranges[player][hands] * opposing
        return DecisionTable(
            line=cursor.line,
            board=cursor.board,
            player=player,
            pot=node.pot,
            hand=hands,
            weight=deals / deals.sum() if deals.any() else deals,
            opposing_reach=opposing,
            ranges=ranges,
            start=self.spot.weights[player],
            known_equity=_compute_equity(cursor, player, opposing),
            invested=invested,
            actions=choice.actions,
            pot_shares=node.pot_shares,
            labels=node.labels,
            frequency=self._read_strategy(cursor, choice),
            action_ev=self._compute_action_evs(cursor, choice, opposing, invested) if with_ev else None,
            locked=locked,
            note="" if locked is None else _describe_locks(locked),
            iteration=self.solver.iteration,
        )

    def _find_disjoint_hands(self, board: Board, player: int) -> NDArray[np.bool_]:
        """Return which of the opponent's hands share no card with each hand of a player; kept for the latest board."""
        if self._latest_board is not board:
            self._latest_board, self._disjoint = board, {}
        if player not in self._disjoint:  # not the transpose of the other: that would add in another order
            self._disjoint[player] = find_disjoint_hands(board.cards[player], board.cards[1 - player])
        return self._disjoint[player]

    def _compute_action_evs(self, cursor: Cursor, choice: BettingDecision, opposing: Floats, invested: float) -> Floats:
        """Return the EV of each action with each hand, from the values of the rows that follow the actions.

        A row counts net chips times the weight of the hand and the opponent's reach against it.
        """
        row = self._find_place_row(cursor, choice.player, choice.first)
        rows = self._compute_row_values(cursor, choice.player)[row : row + len(choice.actions)]
        share = self.solver.weights_at(cursor.stored.place, choice.player) * opposing
        evs = np.where(share > 0, rows / np.where(share > 0, share, 1.0) + invested, 0.0)
        if "fold" in choice.actions:
            evs[choice.actions.index("fold")] = 0.0  # the exact value: the sum is rounded
        return evs

    def _compute_waiting_ev(self, words: tuple[str, ...], player: int) -> float:
        """Return the EV of the range of the player who is not to act, from the row of that player's last action."""
        cursor = self.follow_line(words)
        row = 0
        if cursor.actions:
            last = next(choice for choice in cursor.betting.choices if choice.line == cursor.actions[:-1])
            row = last.first + last.actions.index(cursor.actions[-1])
        values = self._compute_row_values(cursor, player)[self._find_place_row(cursor, player, row)]
        against = self._find_disjoint_hands(cursor.stored.board, player) @ cursor.reach[1 - player]
        reach, weights = cursor.reach[player], self.solver.weights_at(cursor.stored.place, player)
        net = float((np.divide(reach, weights, out=np.zeros_like(reach), where=weights > 0) * values).sum())
        paid = cursor.street.nodes_by_line[cursor.actions].paid[player]
        return net / float(reach @ against) + cursor.street.pot / 2 + paid

    def _compute_row_values(self, cursor: Cursor, player: int) -> Floats:
        """Return the value of every row of a player at the place of a cursor."""
        reach = cursor.entering[1 - player]
        entering = np.zeros((self.tree.get_bundle(cursor.stored.place).entries, len(reach)))
        entering[cursor.stored.member] = reach
        slot = self._rows(self.solver.iteration, cursor.stored.place, player, entering.tobytes())
        if slot.value is None:
            slot.value = self.solver.compute_row_values(cursor.stored.place, entering, player)
        return np.asarray(slot.value)


def _describe_locks(locked: NDArray[np.bool_]) -> str:
    """Return a note on the number of locked hands at a decision."""
    if locked.all():
        return "locked: every hand plays what a lock says"
    return f"locked: {np.count_nonzero(locked)} of {len(locked)} hands play what a lock says"


def _compute_equity(cursor: Cursor, player: int, opposing: Floats) -> Floats | None:
    """Return the equities at a decision from those of the board, P(oop wins) - P(ip wins) for each pair of hands."""
    if cursor.stored.board.equity is None:
        return None
    ahead = cursor.stored.board.equity if player == 0 else -cursor.stored.board.equity.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(0.5 + 0.5 * (ahead @ cursor.reach[1 - player]) / opposing)
