"""The locks of a hold'em spot: lines, what hands play there, and where that is stored.

A line may name any card with `*`: `check check *: bet50 100%` is a lock for every turn. Boards that only differ by
suits are stored once as far as the locks treat them alike.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np

from rue.errors import RueError
from rue.forms.lines import Line, StoredDecision, stored_decisions
from rue.forms.public_tree import PublicTree
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import CARDS, HANDS, allowed_hands, card_name, hand_name, parse_cards
from rue.holdem.form import Suits, renamed, renamed_hands
from rue.holdem.hands_named import hands_named
from rue.holdem.line import LineEnd, follow, trace
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.holdem.words import matching, words
from rue.once import cached_property
from rue.problems.frequencies import closest
from rue.problems.locks import TOLERANCE, Lock, Part
from rue.problems.spot_sources import SourceOf, locked_twice, renamed_word, source_of
from rue.records import dataclass
from rue.results.range_decision import PLAYERS, RangeDecision
from rue.results.spot import SpotResult

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
    """What some hands play at a decision: the chances of its actions, not a number where nothing is said."""

    hands: str
    chances: tuple[float, ...]
    overall: bool

    def mask(self, board: Sequence[int]) -> Any:
        """Which of the 1,326 hands it is about."""
        return hands_named(self.hands, board) if self.hands else allowed_hands(tuple(board))

    @cached_property
    def single(self) -> frozenset[int]:
        """The hands that are named by their cards."""
        named = _HAND.findall(self.hands)
        return frozenset(int(hand) for text in named for hand in np.flatnonzero(Range.parse(text).weights))

    def kept_by(self, suits: Suits) -> bool:
        """Whether it means the same when suits are exchanged: only hands that are named by their cards may not."""
        exchanged = renamed_hands(suits)
        return frozenset(int(exchanged[hand]) for hand in self.single) == self.single


@dataclass(frozen=True)
class SpotLock:
    """A lock on a spot: where, and what is played there."""

    lock: Lock
    at: Spread
    mixes: tuple[Mix, ...]
    source: SourceOf | None = field(default=None, compare=False)

    def kept_by(self, suits: Suits, among: Container[Any]) -> bool:
        """Whether it means the same when suits are exchanged, among locks as `renamed` has them."""
        if self.source is not None and not self.source.kept_by(suits):
            return False
        return all(mix.kept_by(suits) for mix in self.mixes) and self.renamed(suits) in among

    def leads(self, line: Line) -> bool:
        """Whether a line may still lead to its decisions."""
        return self.at.leads(line) and (self.source is None or self.source.leads(line))

    def fill(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> bool:
        """Put what hands play into the chances of a decision; whether that was said of any of its hands."""
        if self.source is not None:
            return self.source.fill(block, decision, tree)
        found = False
        for mix in self.mixes:
            if mix.overall:
                continue
            here = np.flatnonzero(mix.mask(parse_cards(decision.board))[decision.hands])
            twice = here[~np.isnan(block[0, here])]
            if twice.size:
                raise locked_twice(decision, int(twice[0]))
            block[:, here] = np.array(mix.chances)[:, None]
            found |= here.size > 0
        return found

    def renamed(self, suits: Suits) -> tuple[Spread, tuple[Mix, ...]]:
        """The lock after suits are exchanged, as far as its line tells."""
        line = tuple(renamed_word(word, suits) for word in self.at.line)
        return Spread(line, self.at.onwards, self.at.player), self.mixes


def _closest(block: Floats, decision: StoredDecision, mix: Mix, before: RangeDecision) -> Floats:
    """The chances of a decision with the frequencies that are asked for, close to what was done without locks."""
    column = {int(hand): number for number, hand in enumerate(before.hands)}
    order = np.array([column[int(hand)] for hand in decision.hands])
    likely = before.likelihood[order]
    return closest(before.strategy[:, order], likely, before.evs[:, order], np.array(mix.chances), block)


def alike(block: Floats, line: Line, hands: Integers, suits: Sequence[Suits]) -> Floats:
    """The mean of chances of a decision over the exchanges of suits that leave the cards of its line as they are."""
    cards = [card for word in line for card in _cards(word)]
    dense = np.full((len(block), len(HANDS)), np.nan)
    dense[:, hands] = block
    kept = [each for each in suits if all(renamed(card, each) == card for card in cards)]
    mean = np.mean([dense[:, renamed_hands(each)] for each in kept], axis=0)
    return np.asarray(mean[:, hands])


class SpotLocks:
    """The locks of a spot, checked against its betting and its ranges; nothing is built for that.

    >>> from rue.holdem.files import load_spot
    >>> from rue.problems.locks import locks_of, split
    >>> found = SpotLocks(load_spot("river"), locks_of("check bet33: fold 40%, call 60%", split))
    >>> found.locks[0].at.line, found.locks[0].mixes[0].chances
    (('check', 'bet 858'), (0.4, 0.6, 0.0, 0.0))
    """

    def __init__(self, spot: Spot, locks: Iterable[Lock]) -> None:
        self.spot = spot
        self.locks = tuple(self._placed(lock) for lock in locks)

    @property
    def told(self) -> tuple[str, ...]:
        """The locks in words."""
        return tuple(lock.lock.told for lock in self.locks)

    @property
    def overall(self) -> bool:
        """Whether the unlocked solution has to be known."""
        return any(lock.lock.overall for lock in self.locks)

    def suits(self, among: Sequence[Suits]) -> list[Suits]:
        """The permutations of suits under which the locks stay the same."""
        meant = {(lock.at, lock.mixes) for lock in self.locks}
        return [suits for suits in among if all(lock.kept_by(suits, meant) for lock in self.locks)]

    def given_on(self, tree: PublicTree, before: SpotResult | None = None) -> dict[tuple[int, int, int], Floats]:
        """What is given at the decisions of a tree, hand by hand: not a number where it is learned.

        `before` is the solution without locks, which frequencies of whole ranges stay close to.
        """
        found: dict[tuple[int, int, int], Floats] = {}
        said = [False] * len(self.locks)
        for decision in self.decisions(tree):
            block = np.full((len(decision.choice.actions), len(decision.hands)), np.nan)
            for number, lock in enumerate(self.locks):
                if lock.at.holds(decision):
                    said[number] |= lock.fill(block, decision, tree) or lock.lock.overall
            asked = [(lock, mix) for lock in self.locks if lock.at.holds(decision) for mix in lock.mixes if mix.overall]
            if len(asked) > 1:
                raise asked[1][0].lock.wrong("the frequencies of a range are asked for twice")
            for lock, mix in asked:
                assert before is not None
                try:
                    block = _closest(block, decision, mix, before.at(decision.line))
                except RueError as error:
                    raise lock.lock.wrong(error) from None
                block = alike(block, decision.line, decision.hands, tree.suits)
            if not np.isnan(block).all():
                found[decision.key] = block
        for lock, anything in zip(self.locks, said, strict=True):
            if not anything:
                raise lock.lock.wrong("none of its hands is in the range there")
        return found

    def decisions(self, tree: PublicTree) -> Iterator[StoredDecision]:
        """The decisions that locks are about, as a tree stores them."""
        for decision in stored_decisions(tree, lambda line: any(lock.leads(line) for lock in self.locks)):
            if any(lock.at.holds(decision) for lock in self.locks):
                yield decision

    def _placed(self, lock: Lock) -> SpotLock:
        try:
            at, end = _place(self.spot, lock)
            mixes = tuple(_mix(part, end) for part in lock.parts) if end is not None else ()
            if end is not None and lock.parts:
                self._check_hands(mixes, at, end)
            source = None if lock.source is None else source_of(self.spot, lock.source)
        except RueError as error:
            hint = f"; {lock.where} are hands: write 'start: {lock.told}'" if self._are_hands(lock.where) else ""
            raise lock.wrong(f"{error}{hint}") from None
        return SpotLock(lock, at, mixes, source)

    def _are_hands(self, text: str) -> bool:
        """Whether hands stand where a line should."""
        try:
            return bool(text) and bool(hands_named(text, self.spot.board).any())
        except RueError:
            return False

    def _check_hands(self, mixes: tuple[Mix, ...], at: Spread, end: LineEnd) -> None:
        """Refuse names of hands that nobody has there, as far as the cards are known, and hands that two parts name."""
        player = end.node.player
        there = (self.spot.weights[player] > 0) & allowed_hands(end.board)
        taken = np.zeros(len(HANDS), dtype=bool)
        for mix in mixes:
            mask = mix.mask(end.board)
            if mix.overall or ANY in at.line:
                continue
            if not (mask & there).any():
                raise RueError(f"no hand of {mix.hands or 'all'} is in the range {PLAYERS[player]} there")
            twice = np.flatnonzero(mask & there & taken)
            if twice.size:
                raise RueError(f"{hand_name(int(twice[0]))} is named twice")
            taken |= mask


def _place(spot: Spot, lock: Lock) -> tuple[Spread, LineEnd | None]:
    """The decisions that the place of a lock means, and the betting there if it is a single line."""
    tokens = words(lock.where)
    onwards = bool(tokens and tokens[-1] == ONWARDS)
    if onwards:
        tokens = tokens[:-1]
    player = SEATS.get(tokens[0].lower()) if len(tokens) == 1 else None
    if player is not None:
        tokens = []
    many = onwards or player is not None
    if many and lock.source is None:
        raise RueError("what many decisions play comes from a file: write 'ip: @run/', or name one line")
    if tokens and " ".join(tokens).lower() in START:
        tokens = []
    line = _followed(spot, tokens)
    return Spread(line.words, many, player), None if many else follow(spot, line.stand_in)


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
        line = trace(spot, stand_in[0] if len(stand_in) == 1 else stand_in).line
    except RueError as error:
        raise RueError(re.sub("|".join(map(repr, wild)), repr(ANY), str(error)) if wild else error) from None
    return _Followed(tuple(ANY if word in wild else word for word in line), line)


def _cards(word: str) -> tuple[int, ...]:
    try:
        return tuple(parse_cards(word))
    except RueError:
        return ()


def _mix(part: Part, end: LineEnd) -> Mix:
    """What a part of a lock says about the actions of a decision."""
    node, pot = end.node, end.pot
    chances = np.full(len(node.actions), np.nan if part.overall else 0.0)
    for word, chance in part.mix.items():
        action = matching(word, node, pot)
        if chances[action] > 0.0:
            raise RueError(f"{node.actions[action]} is named twice")
        chances[action] = chance
    total = float(np.nansum(chances))
    if not part.overall:
        chances /= total
    elif not np.isnan(chances).any() and abs(total - 1.0) > TOLERANCE:
        raise RueError(f"its frequencies sum to {100 * total:.6g}%, not to 100%")
    return Mix("" if part.overall else part.hands, tuple(chances.tolist()), part.overall)
