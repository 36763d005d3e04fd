"""Parse the locks of a hold'em spot, and compute the strategies that they fix at the decisions of a tree.

In a line, `*` stands for any card: `check check *: bet50 100%` is a lock for every turn. Boards that only differ by
suits are stored once as far as the locks treat them alike.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from zerosum.engine.forms.public.lines import Line, StoredDecision, find_decisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.betting.action_names import find_action, split_line
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import CARDS, HANDS, card_name, find_unblocked_hands, hand_name, parse_cards, parse_hand
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.suits import SuitPermutation, permute_card, permute_hands
from zerosum.holdem.problem.frequency_locks import find_closest_strategy
from zerosum.holdem.problem.strategy_fit import LockSource, open_lock_source
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy import check_locked_once, permute_word
from zerosum.holdem.spots.line import DecisionPosition, find_decision, follow_line
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.locks import TOLERANCE, Lock, LockPart
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

ANY_CARD = "*"
START = ("", "start")
"""Names of the first decision."""
ONWARDS = "..."
"""At the end of a line: this decision and all that follow it."""
SEATS = {"oop": 0, "ip": 1}
"""Seats that stand for all decisions of a player."""
_HAND = re.compile(r"\b(?:[2-9TJQKA][shdc]){2}\b", re.IGNORECASE)


@dataclass(frozen=True)
class LinePattern:
    """Decisions of a spot: those that a line leads to, perhaps with any card on the way, or that follow it."""

    line: Line
    onwards: bool = False
    player: int | None = None

    def may_match_below(self, line: Line) -> bool:
        """Return whether a decision that begins with a line may match."""
        fits = all(ours in (ANY_CARD, theirs) for ours, theirs in zip(self.line, line, strict=False))
        return fits and (self.onwards or len(line) <= len(self.line))

    def matches(self, decision: StoredDecision) -> bool:
        length = len(decision.line)
        is_complete = length >= len(self.line) if self.onwards else length == len(self.line)
        return is_complete and self.may_match_below(decision.line) and self.player in (None, decision.choice.player)


@dataclass(frozen=True)
class HandMix:
    """The strategy of some hands at a decision: probabilities of its actions, nan where the lock has none."""

    hands: str
    chances: tuple[float, ...]
    is_overall: bool

    def find_hands(self, board: Sequence[int]) -> Any:
        """Return which of the 1,326 hands it locks on a board."""
        return select_hands(self.hands, board) if self.hands else find_unblocked_hands(tuple(board))

    @cached_property
    def named_hands(self) -> frozenset[int]:
        """The hands that are named by their cards."""
        return frozenset(map(parse_hand, _HAND.findall(self.hands)))

    def is_unchanged_by(self, suits: SuitPermutation) -> bool:
        """Return whether exchanging suits leaves it unchanged: only hands named by their cards may differ."""
        exchanged = permute_hands(suits)
        return frozenset(int(exchanged[hand]) for hand in self.named_hands) == self.named_hands


@dataclass(frozen=True)
class SpotLock:
    """A lock on a spot: its decisions and the strategies there."""

    lock: Lock
    pattern: LinePattern
    mixes: tuple[HandMix, ...]
    source: LockSource | None = field(default=None, compare=False)

    def may_match_below(self, line: Line) -> bool:
        """Return whether a decision that begins with a line may be locked."""
        return self.pattern.may_match_below(line) and (self.source is None or self.source.may_match_below(line))

    def is_unchanged_by(self, suits: SuitPermutation, locks: Container[Any]) -> bool:
        """Return whether exchanging suits turns it into one of the locks, given as pairs of pattern and mixes."""
        if self.source is not None and not self.source.is_unchanged_by(suits):
            return False
        line = tuple(permute_word(word, suits) for word in self.pattern.line)
        permuted = replace(self.pattern, line=line), self.mixes
        return all(mix.is_unchanged_by(suits) for mix in self.mixes) and permuted in locks

    def fill_block(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Copy the strategies into a block of a decision; return whether there was one for any of its hands."""
        if self.source is not None:
            return self.source.fill_block(block, decision, tree)
        is_filled = False
        for mix in self.mixes:
            if not mix.is_overall:
                columns = np.flatnonzero(mix.find_hands(parse_cards(decision.board))[decision.hands])
                check_locked_once(block, decision, columns)
                block[:, columns] = np.array(mix.chances)[:, None]
                is_filled |= columns.size > 0
        return is_filled


def average_over_suits(block: Floats, line: Line, hands: Integers, suits: Sequence[SuitPermutation]) -> Floats:
    """Return the mean of a strategy over the exchanges of suits that leave the cards of its line as they are."""
    cards = [card for word in line for card in _find_cards(word)]
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
    >>> locks.locks[0].pattern.line, locks.locks[0].mixes[0].chances
    (('check', 'bet 858'), (0.4, 0.6, 0.0, 0.0))
    """

    def __init__(self, spot: Spot, locks: Iterable[Lock]) -> None:
        self.spot = spot
        self.locks = tuple(self._parse_lock(lock) for lock in locks)

    def find_invariant_suits(self, permutations: Sequence[SuitPermutation]) -> list[SuitPermutation]:
        """Return the permutations of suits under which the locks stay the same."""
        locks = {(lock.pattern, lock.mixes) for lock in self.locks}
        return [suits for suits in permutations if all(lock.is_unchanged_by(suits, locks) for lock in self.locks)]

    def compute_strategies(
        self, tree: PublicTree, unlocked: SpotResult | None = None
    ) -> dict[tuple[int, int, int], Floats]:
        """Return the locked strategies at the decisions of a tree, hand by hand: nan where hands learn.

        `unlocked` is the solution without locks; overall frequencies stay as close to it as possible.
        """
        fixed: dict[tuple[int, int, int], Floats] = {}
        is_used = [False] * len(self.locks)
        for decision in find_decisions(tree, lambda line: any(lock.may_match_below(line) for lock in self.locks)):
            block = np.full((len(decision.choice.actions), len(decision.hands)), np.nan)
            overall: list[tuple[Lock, HandMix]] = []
            for number, lock in enumerate(self.locks):
                if lock.pattern.matches(decision):
                    is_used[number] |= lock.fill_block(block, decision, tree) or lock.lock.is_overall
                    overall += [(lock.lock, mix) for mix in lock.mixes if mix.is_overall]
            if len(overall) > 1:
                raise overall[1][0].make_error("overall frequencies are requested twice: drop one of the locks")
            if overall:
                assert unlocked is not None
                table, (mixed_lock, mix) = unlocked.at(decision.line), overall[0]
                assert table.action_ev is not None
                columns = np.array([table.find_row(hand) for hand in decision.hands.tolist()])
                before = table.frequency[:, columns], table.deals[columns], table.action_ev[:, columns]
                try:
                    block = find_closest_strategy(*before, np.array(mix.chances), block)
                except ZerosumError as error:
                    raise mixed_lock.make_error(error) from None
                block = average_over_suits(block, decision.line, decision.hands, tree.suits)
            if not np.isnan(block).all():
                fixed[decision.key] = block
        for lock, used in zip(self.locks, is_used, strict=True):
            if not used:
                raise lock.lock.make_error("none of its hands is in the range there")
        return fixed

    def _parse_lock(self, lock: Lock) -> SpotLock:
        try:
            pattern, end = _parse_pattern(self.spot, lock)
            mixes = tuple(_parse_mix(part, end) for part in lock.parts) if end is not None else ()
            if end is not None:
                self._check_hands(mixes, end, ANY_CARD not in pattern.line)
            source = None if lock.source is None else open_lock_source(self.spot, lock.source)
        except ZerosumError as error:
            hint = f"; {lock.where} are hands: write 'start: {lock.text}'" if self._names_hands(lock.where) else ""
            raise lock.make_error(f"{error}{hint}") from None
        return SpotLock(lock, pattern, mixes, source)

    def _names_hands(self, text: str) -> bool:
        try:
            return bool(text) and bool(select_hands(text, self.spot.board).any())
        except ZerosumError:
            return False

    def _check_hands(self, mixes: tuple[HandMix, ...], end: DecisionPosition, is_board_known: bool) -> None:
        """Refuse names of hands that nobody has there, and hands that two parts name, if the cards are known."""
        player = end.node.player
        in_range = (self.spot.weights[player] > 0) & find_unblocked_hands(end.board)
        taken = np.zeros(len(HANDS), dtype=bool)
        for mix in mixes:
            hands = mix.find_hands(end.board)
            if mix.is_overall or not is_board_known:
                continue
            if not (hands & in_range).any():
                raise ZerosumError(f"no hand of {mix.hands or 'all'} is in the range {PLAYER_NAMES[player]} there")
            twice = np.flatnonzero(hands & in_range & taken)
            if twice.size:
                raise ZerosumError(f"{hand_name(int(twice[0]))} is named twice")
            taken |= hands


def _parse_pattern(spot: Spot, lock: Lock) -> tuple[LinePattern, DecisionPosition | None]:
    """Return the decisions that the place of a lock names, and the betting there if it is a single line."""
    words = split_line(lock.where)
    onwards = bool(words and words[-1] == ONWARDS)
    if onwards:
        words = words[:-1]
    player = SEATS.get(words[0].lower()) if len(words) == 1 else None
    if player is not None or " ".join(words).lower() in START:
        words = []
    has_many = onwards or player is not None
    if has_many and lock.source is None:
        raise ZerosumError(
            "a lock on many decisions takes its strategy from a file: write 'ip: @run/', or name one line"
        )
    line, example = _follow_pattern(spot, words)
    return LinePattern(line, has_many, player), None if has_many else find_decision(spot, example)


def _follow_pattern(spot: Spot, words: Sequence[str]) -> tuple[Line, Line]:
    """Return a line in the tree's words, once with `*` and once with cards in its place.

    Any cards do, because the betting does not depend on them.
    """
    named = {card for word in words for card in _find_cards(word)} | set(spot.board)
    free = (card for card in range(CARDS) if card not in named)
    example = [card_name(next(free)) if word == ANY_CARD else word for word in words]
    wild = {card for card, word in zip(example, words, strict=True) if word == ANY_CARD}
    try:
        line = follow_line(spot, example[0] if len(example) == 1 else example).line
    except ZerosumError as error:
        raise ZerosumError(re.sub("|".join(map(repr, wild)), repr(ANY_CARD), str(error)) if wild else error) from None
    return tuple(ANY_CARD if word in wild else word for word in line), line


def _find_cards(word: str) -> tuple[int, ...]:
    try:
        return tuple(parse_cards(word))
    except ZerosumError:
        return ()


def _parse_mix(part: LockPart, end: DecisionPosition) -> HandMix:
    """Return the probabilities of a part of a lock by the actions of a decision."""
    node = end.node
    chances = np.full(len(node.actions), np.nan if part.is_overall else 0.0)
    for word, chance in part.mix.items():
        action = find_action(word, node)
        if chances[action] > 0.0:
            raise ZerosumError(f"{node.actions[action]} is named twice")
        chances[action] = chance
    total = float(np.nansum(chances))
    if not part.is_overall:
        chances /= total
    elif not np.isnan(chances).any() and abs(total - 1.0) > TOLERANCE:
        raise ZerosumError(f"its frequencies sum to {100 * total:.6g}%, not to 100%")
    return HandMix("" if part.is_overall else part.hands, tuple(chances.tolist()), part.is_overall)
