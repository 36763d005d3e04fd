"""The locks of a hold'em spot: lines, what hands play there, and where that is stored.

A line may name any card with `*`: `check check *: bet50 100%` is a lock for every turn. Boards that only differ by
suits are stored once as far as the locks treat them alike.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import Line, StoredDecision, find_decisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.betting.action_names import find_action, split_line
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import CARDS, HANDS, card_name, hand_name, parse_cards, unblocked_hands
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.cards.suits import SuitPermutation, permute_card, permute_hands
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy_source import LockSource, lock_source, locked_twice, permute_word
from zerosum.holdem.spots.line import DecisionPosition, find_decision, follow_line
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.locks import TOLERANCE, Lock, LockPart
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

ANY = "*"
"""Any card, in a line."""
START = ("", "start")
"""How the first decision is called."""
ONWARDS = "..."
"""At the end of a line: this decision and all that follow it."""
SEATS = {"oop": 0, "ip": 1}
"""Whose decisions are meant, before a line."""
_HAND = re.compile(r"\b(?:[2-9TJQKA][shdc]){2}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spread:
    """Decisions of a spot: those that a line leads to, perhaps with any card on the way, or that follow it."""

    line: Line
    onwards: bool = False
    player: int | None = None

    def leads(self, line: Line) -> bool:
        """Whether a line may still lead to them."""
        fits = all(ours in (ANY, theirs) for ours, theirs in zip(self.line, line, strict=False))
        return fits and (self.onwards or len(line) <= len(self.line))

    def holds(self, decision: StoredDecision) -> bool:
        """Whether a decision is one of them."""
        enough = len(decision.line) >= len(self.line) if self.onwards else len(decision.line) == len(self.line)
        return enough and self.leads(decision.line) and self.player in (None, decision.choice.player)


@dataclass(frozen=True)
class Mix:
    """The strategy of some hands at a decision: probabilities of its actions, nan where the lock has none."""

    hands: str
    chances: tuple[float, ...]
    overall: bool

    def mask(self, board: Sequence[int]) -> Any:
        """Return which of the 1,326 hands it locks."""
        return select_hands(self.hands, board) if self.hands else unblocked_hands(tuple(board))

    @cached_property
    def single(self) -> frozenset[int]:
        """The hands that are named by their cards."""
        named = _HAND.findall(self.hands)
        return frozenset(int(hand) for text in named for hand in np.flatnonzero(Range.parse(text).weights))

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        """Return whether exchanging suits leaves it unchanged: only hands named by their cards may differ."""
        exchanged = permute_hands(suits)
        return frozenset(int(exchanged[hand]) for hand in self.single) == self.single


@dataclass(frozen=True)
class SpotLock:
    """A lock on a spot: its decisions and the strategies there."""

    lock: Lock
    at: Spread
    mixes: tuple[Mix, ...]
    source: LockSource | None = field(default=None, compare=False)

    def is_unchanged_by(self, suits: SuitPermutation, among: Container[Any]) -> bool:
        """Return whether exchanging suits leaves it unchanged, among locks as `renamed` returns them."""
        if self.source is not None and not self.source.is_unchanged_by(suits):
            return False
        return all(mix.is_unchanged_by(suits) for mix in self.mixes) and self.renamed(suits) in among

    def leads(self, line: Line) -> bool:
        """Return whether a line may still lead to its decisions."""
        return self.at.leads(line) and (self.source is None or self.source.leads(line))

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Copy the strategies into a block of a decision; return whether there was one for any of its hands."""
        if self.source is not None:
            return self.source.fill(block, decision, tree)
        is_filled = False
        for mix in self.mixes:
            if mix.overall:
                continue
            columns = np.flatnonzero(mix.mask(parse_cards(decision.board))[decision.hands])
            twice = columns[~np.isnan(block[0, columns])]
            if twice.size:
                raise locked_twice(decision, int(twice[0]))
            block[:, columns] = np.array(mix.chances)[:, None]
            is_filled |= columns.size > 0
        return is_filled

    def renamed(self, suits: SuitPermutation) -> tuple[Spread, tuple[Mix, ...]]:
        """Return the decisions and strategies of the lock after the suits in its line are exchanged."""
        line = tuple(permute_word(word, suits) for word in self.at.line)
        return Spread(line, self.at.onwards, self.at.player), self.mixes


def _closest(block: Floats, decision: StoredDecision, mix: Mix, before: DecisionTable) -> Floats:
    """Return the strategy of a decision with requested frequencies that is closest to the one without locks."""
    row = {int(hand): number for number, hand in enumerate(before.hand)}
    order = np.array([row[int(hand)] for hand in decision.hands])
    assert before.action_ev is not None
    frequencies = np.array(mix.chances)
    from zerosum.holdem.problem.frequency_locks import closest

    return closest(before.frequency[:, order], before.deals[order], before.action_ev[:, order], frequencies, block)


def average_over_suits(block: Floats, line: Line, hands: Integers, suits: Sequence[SuitPermutation]) -> Floats:
    """Return the mean of a strategy over the exchanges of suits that leave the cards of its line as they are."""
    cards = [card for word in line for card in _cards(word)]
    dense = np.full((len(block), len(HANDS)), np.nan)
    dense[:, hands] = block
    stabilizers = [suit for suit in suits if all(permute_card(card, suit) == card for card in cards)]
    mean = np.mean([dense[:, permute_hands(suit)] for suit in stabilizers], axis=0)
    return np.asarray(mean[:, hands])


class SpotLocks:
    """The locks of a spot, checked against its betting and its ranges; nothing is built for that.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> from zerosum.problems.locks import parse_locks, split_lock
    >>> locks = SpotLocks(load_spot("river"), parse_locks("check bet33: fold 40%, call 60%", split_lock))
    >>> locks.locks[0].at.line, locks.locks[0].mixes[0].chances
    (('check', 'bet 858'), (0.4, 0.6, 0.0, 0.0))
    """

    def __init__(self, spot: Spot, locks: Iterable[Lock]) -> None:
        self.spot = spot
        self.locks = tuple(self._placed(lock) for lock in locks)

    @property
    def texts(self) -> tuple[str, ...]:
        """The locks in words."""
        return tuple(lock.lock.text for lock in self.locks)

    @property
    def overall(self) -> bool:
        """Whether the solution without locks is needed."""
        return any(lock.lock.overall for lock in self.locks)

    def suits(self, among: Sequence[SuitPermutation]) -> list[SuitPermutation]:
        """Return the permutations of suits under which the locks stay the same."""
        meant = {(lock.at, lock.mixes) for lock in self.locks}
        return [suits for suits in among if all(lock.is_unchanged_by(suits, meant) for lock in self.locks)]

    def fixed_decisions(self, tree: PublicTree, before: SpotResult | None = None) -> dict[tuple[int, int, int], Floats]:
        """Return the locked strategies at the decisions of a tree, hand by hand: nan where hands learn.

        `before` is the solution without locks; overall frequencies stay as close to it as possible.
        """
        fixed: dict[tuple[int, int, int], Floats] = {}
        is_used = [False] * len(self.locks)
        for decision in self.decisions(tree):
            block = np.full((len(decision.choice.actions), len(decision.hands)), np.nan)
            for number, lock in enumerate(self.locks):
                if lock.at.holds(decision):
                    is_used[number] |= lock.fill(block, decision, tree) or lock.lock.overall
            overall = [
                (lock, mix) for lock in self.locks if lock.at.holds(decision) for mix in lock.mixes if mix.overall
            ]
            if len(overall) > 1:
                raise overall[1][0].lock.error("overall frequencies are requested twice: drop one of the locks")
            for lock, mix in overall:
                assert before is not None
                try:
                    block = _closest(block, decision, mix, before.at(decision.line))
                except ZerosumError as error:
                    raise lock.lock.error(error) from None
                block = average_over_suits(block, decision.line, decision.hands, tree.suits)
            if not np.isnan(block).all():
                fixed[decision.key] = block
        for lock, used in zip(self.locks, is_used, strict=True):
            if not used:
                raise lock.lock.error("none of its hands is in the range there")
        return fixed

    def decisions(self, tree: PublicTree) -> Iterator[StoredDecision]:
        """Yield the locked decisions, as a tree stores them."""
        for decision in find_decisions(tree, lambda line: any(lock.leads(line) for lock in self.locks)):
            if any(lock.at.holds(decision) for lock in self.locks):
                yield decision

    def _placed(self, lock: Lock) -> SpotLock:
        try:
            at, end = _place(self.spot, lock)
            mixes = tuple(_mix(part, end) for part in lock.parts) if end is not None else ()
            if end is not None and lock.parts:
                self._check_hands(mixes, at, end)
            source = None if lock.source is None else lock_source(self.spot, lock.source)
        except ZerosumError as error:
            hint = f"; {lock.where} are hands: write 'start: {lock.text}'" if self._are_hands(lock.where) else ""
            raise lock.error(f"{error}{hint}") from None
        return SpotLock(lock, at, mixes, source)

    def _are_hands(self, text: str) -> bool:
        """Return whether a text names hands where a line should stand."""
        try:
            return bool(text) and bool(select_hands(text, self.spot.board).any())
        except ZerosumError:
            return False

    def _check_hands(self, mixes: tuple[Mix, ...], at: Spread, end: DecisionPosition) -> None:
        """Refuse names of hands that nobody has there, as far as the cards are known, and hands that two parts name."""
        player = end.node.player
        there = (self.spot.weights[player] > 0) & unblocked_hands(end.board)
        taken = np.zeros(len(HANDS), dtype=bool)
        for mix in mixes:
            mask = mix.mask(end.board)
            if mix.overall or ANY in at.line:
                continue
            if not (mask & there).any():
                raise ZerosumError(f"no hand of {mix.hands or 'all'} is in the range {PLAYER_NAMES[player]} there")
            twice = np.flatnonzero(mask & there & taken)
            if twice.size:
                raise ZerosumError(f"{hand_name(int(twice[0]))} is named twice")
            taken |= mask


def _place(spot: Spot, lock: Lock) -> tuple[Spread, DecisionPosition | None]:
    """The decisions that the place of a lock means, and the betting there if it is a single line."""
    tokens = split_line(lock.where)
    onwards = bool(tokens and tokens[-1] == ONWARDS)
    if onwards:
        tokens = tokens[:-1]
    player = SEATS.get(tokens[0].lower()) if len(tokens) == 1 else None
    if player is not None:
        tokens = []
    many = onwards or player is not None
    if many and lock.source is None:
        raise ZerosumError("what many decisions play comes from a file: write 'ip: @run/', or name one line")
    if tokens and " ".join(tokens).lower() in START:
        tokens = []
    line = _followed(spot, tokens)
    return Spread(line.words, many, player), None if many else find_decision(spot, line.stand_in)


class _Followed(NamedTuple):
    """A line as the tree has it, with `*` and with the cards that stand in for it."""

    words: Line
    stand_in: Line


def _followed(spot: Spot, tokens: Sequence[str]) -> _Followed:
    """Where a line leads; cards stand in for `*`, since the betting does not depend on them."""
    named = {card for token in tokens for card in _cards(token)} | set(spot.board)
    free = (card for card in range(CARDS) if card not in named)
    stand_in = [card_name(next(free)) if token == ANY else token for token in tokens]
    wild = {word for word, token in zip(stand_in, tokens, strict=True) if token == ANY}
    try:
        line = follow_line(spot, stand_in[0] if len(stand_in) == 1 else stand_in).line
    except ZerosumError as error:
        raise ZerosumError(re.sub("|".join(map(repr, wild)), repr(ANY), str(error)) if wild else error) from None
    return _Followed(tuple(ANY if word in wild else word for word in line), line)


def _cards(word: str) -> tuple[int, ...]:
    try:
        return tuple(parse_cards(word))
    except ZerosumError:
        return ()


def _mix(part: LockPart, end: DecisionPosition) -> Mix:
    """What a part of a lock says about the actions of a decision."""
    node, pot = end.node, end.pot
    chances = np.full(len(node.actions), np.nan if part.overall else 0.0)
    for word, chance in part.mix.items():
        action = find_action(word, node, pot)
        if chances[action] > 0.0:
            raise ZerosumError(f"{node.actions[action]} is named twice")
        chances[action] = chance
    total = float(np.nansum(chances))
    if not part.overall:
        chances /= total
    elif not np.isnan(chances).any() and abs(total - 1.0) > TOLERANCE:
        raise ZerosumError(f"its frequencies sum to {100 * total:.6g}%, not to 100%")
    return Mix("" if part.overall else part.hands, tuple(chances.tolist()), part.overall)
