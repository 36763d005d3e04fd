"""A solved spot, looked at from any point of the hand.

A point is named by what happened: `check`, `bet 250`, `call`, and the cards that came: `4d`. Boards that only differ by
interchangeable suits are stored once; here every card is shown as itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rue.forms.lines import Given, Position, dealt
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import Board, Choice, End, Round, disjoint
from rue.forms.treeplex import Floats, Integers
from rue.holdem.bets import rounded
from rue.holdem.cards import HAND_COUNT, card_name, parse_cards
from rue.holdem.form import AS_THEY_ARE, Suits, inverse, orbit_of, renamed
from rue.holdem.labels import shares_of_pot
from rue.holdem.line import follow
from rue.holdem.spots import Spot
from rue.holdem.tree import RIVER, Street
from rue.results.range_decision import RangeDecision
from rue.results.recent import Recent
from rue.turns import Turns

SEEN, ROWS = 256, 128
"""How many decisions, and how many streets of one player after one line, are remembered."""


@dataclass
class Cursor:
    """Where a line has led so far."""

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
    suits: Suits = AS_THEY_ARE
    """How the suits of the board, as it is stored, are to be read here."""

    @property
    def position(self) -> Position:
        """The same without what got there."""
        return Position(self.place, self.member, self.board, self.cards, self.actual)

    @property
    def coming(self) -> Iterator[str]:
        """Every card that may come next."""
        names = (name for child in self.board.children for name in child.names)
        return (card_name(renamed(card, self.suits)) for name in names for card in parse_cards(name))

    @property
    def number(self) -> int:
        """The street: 0 for a flop."""
        return len(self.cards) // 2 - 3

    @property
    def pot(self) -> float:
        """The chips in the middle before the player acts."""
        return rounded(self.tree.pot + sum(self.tree.node(*self.street).paid))

    @property
    def ranges(self) -> tuple[Floats, Floats]:
        """The reaches of both players, 1,326 numbers each."""
        one, two = np.zeros((2, HAND_COUNT))
        one[self.actual[0]], two[self.actual[1]] = self.reach
        return one, two


class Looked(Protocol):
    """What strategies are read from: a solver of the public form, or what was saved of one."""

    form: PublicTree
    iteration: int
    turns: Turns
    """Whose turn it is: nobody looks while somebody else does, or while a run goes on."""
    given: Given
    """The strategies that are given instead of learned."""

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """The average strategy of a decision of a place."""

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """What every row of a player at a place is worth."""

    def own(self, place: int, player: int) -> Floats:
        """The weight of each of a player's hands at a place."""

    def averages(self) -> tuple[Any, Any]:
        """The accumulated averages of both players."""


class Solution:
    """The strategies that a solver has reached on a spot; any thread may look at them, also while the solver runs."""

    def __init__(self, spot: Spot, solver: Looked) -> None:
        self.spot = spot
        self.solver = solver
        self.tree: PublicTree = solver.form
        self._seen: Recent[RangeDecision] = Recent(SEEN)
        """What was looked at, after how many iterations."""
        self._rows: Recent[Floats] = Recent(ROWS)
        """What the rows of a player at a place are worth: those of all decisions of a street are found together."""

    def at(self, line: str | Sequence[str] = ()) -> RangeDecision:
        """The decision that a line leads to: actions and cards, as in `check bet 250 call 4d`."""
        return self._look(follow(self.spot, line).line, True)

    def glance(self, line: str | Sequence[str] = ()) -> RangeDecision:
        """The same without what the hands earn, which takes long on early streets: `evs` are nan."""
        return self._look(follow(self.spot, line).line, False)

    def _look(self, words: tuple[str, ...], evs: bool) -> RangeDecision:
        with self.solver.turns:
            now = self.solver.iteration

            def seen() -> RangeDecision:
                cursor = self.start()
                for word in words:
                    self.step(cursor, word)
                choice = self.choice(cursor)
                assert choice is not None
                return self.decision(cursor, choice, words, evs)

            if not evs and (whole := self._seen.get((now, words, True))) is not None:
                return whole
            return self._seen.found((now, words, evs), seen)

    def start(self) -> Cursor:
        """Where every line begins."""
        board = self.tree.board
        weights = self.tree.weights
        return Cursor(0, 0, self.tree.first, board, board.hands, weights, weights, self.spot.tree, board.label)

    def choice(self, cursor: Cursor) -> Choice | None:
        """The decision there; None where a card comes or the hand is over."""
        return next((c for c in cursor.betting.choices if c.line == cursor.street), None)

    def step(self, cursor: Cursor, word: str) -> None:
        """Go on by an action or a card."""
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

    def strategy(self, cursor: Cursor, choice: Choice) -> Floats:
        """What the hands do at a decision, a row an action."""
        row = self._row(cursor, choice)
        return self.solver.strategy(cursor.place, choice.player, row, len(choice.actions))

    def _row(self, cursor: Cursor, choice: Choice) -> int:
        bundle = self.tree.bundle_at(cursor.place)
        return bundle.row(cursor.member, choice.player, choice.first)

    def deal(self, cursor: Cursor, end: End, word: str) -> None:
        """Go on by a card."""
        (card,) = (renamed(card, inverse(cursor.suits)) for card in parse_cards(word))
        after = dealt(self.tree, cursor.position, end, card_name(card))
        assert after.sources is not None
        one, two = after.sources
        cursor.place, cursor.member, cursor.board, cursor.actual = after.place, after.member, after.board, after.actual
        cursor.betting = self.tree.bundle_at(after.place).rounds[after.member]
        cursor.reach = cursor.entering = cursor.reach[0][one], cursor.reach[1][two]
        cursor.tree = next(leaf.following for leaf in cursor.tree.ends if leaf.line == end.line and leaf.following)
        cursor.street, cursor.cards = (), cursor.cards + word
        *before, first = parse_cards(after.board.label)[len(self.spot.board) :]
        alike = [suits for suits in self.tree.suits if all(renamed(own, suits) == own for own in before)]
        cursor.suits = tuple(cursor.suits[suit] for suit in orbit_of(first, alike)[card])

    @property
    def last(self) -> int:
        """The last street whose strategies are kept: 2 for the river."""
        return RIVER

    def decision(self, cursor: Cursor, choice: Choice, line: tuple[str, ...], evs: bool) -> RangeDecision:
        """The decision where a cursor stands, after a line; with `evs` also what the hands earn."""
        player, other = choice.player, 1 - choice.player
        against = disjoint(cursor.board.cards[player], cursor.board.cards[other]) @ cursor.reach[other]
        strategy, here = self.strategy(cursor, choice), cursor.tree.node(*cursor.street)
        paid = cursor.tree.pot / 2 + here.paid[player]
        given = self.solver.given.get((cursor.place, player, self._row(cursor, choice)))
        locked = None if given is None else ~np.isnan(given[0])
        return RangeDecision(
            line=line,
            board=cursor.cards,
            player=player,
            pot=cursor.pot,
            paid=paid,
            actions=choice.actions,
            sizes=shares_of_pot(here, cursor.pot),
            hands=cursor.actual[player],
            strategy=strategy,
            evs=self._evs(cursor, choice, against, paid) if evs else np.full(strategy.shape, np.nan),
            ranges=cursor.ranges,
            against=against,
            note="" if locked is None else _locked_told(locked),
            locked=locked,
            counted=_counted(cursor, player, against),
        )

    def _evs(self, cursor: Cursor, choice: Choice, against: Floats, paid: float) -> Floats:
        """What each action earns with each hand."""
        player = choice.player
        row, count = self._row(cursor, choice), len(choice.actions)
        rows = self._worth(cursor, player)[row : row + count]
        share = self.solver.own(cursor.place, player) * against
        evs = np.where(share > 0, rows / np.where(share > 0, share, 1.0) + paid, 0.0)
        if "fold" in choice.actions:
            evs[choice.actions.index("fold")] = 0.0  # what the sum is but for rounding
        return evs

    def earned(self, line: str | Sequence[str] = ()) -> tuple[float, float]:
        """What both ranges earn from a decision on, on average over the deals that get there; nan if none does."""
        point = self.at(line)
        total = float(point.likelihood.sum())
        if not total > 0:
            return math.nan, math.nan
        own = float(point.ev @ point.likelihood) / total
        with self.solver.turns:
            other = self._waiting(point.line, 1 - point.player)
        return (own, other) if point.player == 0 else (other, own)

    def _waiting(self, words: tuple[str, ...], player: int) -> float:
        """What the range of the player earns who is not to act: by the row of what that player did last."""
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
        against = disjoint(cards[player], cards[1 - player]) @ cursor.reach[1 - player]
        reach, own = cursor.reach[player], self.solver.own(cursor.place, player)
        net = float((np.divide(reach, own, out=np.zeros_like(reach), where=own > 0) * rows).sum())
        return net / float(reach @ against) + cursor.tree.pot / 2 + cursor.tree.node(*cursor.street).paid[player]

    def _worth(self, cursor: Cursor, player: int) -> Floats:
        """What every row of a player is worth at the place of a cursor."""
        reach = cursor.entering[1 - player]
        entering = np.zeros((self.tree.bundle_at(cursor.place).entries, len(reach)))
        entering[cursor.member] = reach
        key = self.solver.iteration, cursor.place, player, entering.tobytes()
        return self._rows.found(key, lambda: self.solver.rows(cursor.place, entering, player))


def _locked_told(locked: NDArray[np.bool_]) -> str:
    """How many hands are locked at a decision, in words."""
    if locked.all():
        return "locked: every hand plays what a lock says"
    return f"locked: {np.count_nonzero(locked)} of {len(locked)} hands play what a lock says"


def _counted(cursor: Cursor, player: int, against: Floats) -> Floats | None:
    """The equities at a decision from those of the board, P(one wins) - P(two wins) for each pair of hands."""
    if cursor.board.equity is None:
        return None
    ahead = cursor.board.equity if player == 0 else -cursor.board.equity.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(0.5 + 0.5 * (ahead @ cursor.reach[1 - player]) / against)
