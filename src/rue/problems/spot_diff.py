"""Two strategies of a hold'em spot compared, decision by decision and hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rue.errors import RueError
from rue.forms.lines import StoredDecision
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import DEAL, Choice
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import CARDS, HAND_COUNT, HANDS, RANKS, hand_name
from rue.holdem.form import AS_THEY_ARE, public_tree, suit_symmetries
from rue.holdem.hand_classes import class_hands
from rue.holdem.line import follow
from rue.holdem.spots import Spot
from rue.once import cached_property
from rue.problems.diff import LEAST, Comparing, Diff, DiffRow, mean, ranked
from rue.problems.spot_estimate import Storage, estimate_spot
from rue.problems.spot_judge import judge_with
from rue.problems.spot_sources import FromResult, FromStrategy
from rue.problems.spot_written import is_written, laid
from rue.records import dataclass
from rue.results.range_decision import PLAYERS
from rue.results.said import PioText
from rue.results.solution import Cursor, Solution
from rue.results.spot import SpotResult
from rue.results.spot_strategy import spot_strategy
from rue.results.strategy import Strategy
from rue.solvers.saved_averages import LOOKING

RANGE = "range"
"""What stands in place of hands where all of them are meant."""
ROUNDING = 1e-12
"""The share of a range below which what is left of it is none."""
Cursors = tuple[Cursor, Cursor]


class Side(NamedTuple):
    """A strategy to compare."""

    told: str
    solution: Solution
    note: str = ""


def sides_of(spot: Spot, one: Any, two: Any) -> tuple[Side, Side]:
    """Two strategies of a spot, at least one of which is a solved spot; the other may be written down."""
    runs = [each for each in (one, two) if not is_written(each)]
    if not runs:
        raise RueError("one of the two must be a run of hold'em: an export does not say what the spot was")
    _check_same(runs[0], runs[-1])
    first, second = (
        _written_side(spot, each, runs[0])
        if is_written(each)
        else Side(f"{each.algorithm} on {each.game}", each.solution)
        for each in (one, two)
    )
    return first, second


def _check_same(one: SpotResult, two: SpotResult) -> None:
    """Refuse spots between which nothing can be compared hand by hand; the house may take another rake."""
    differ = [part for part in ("board", "pot", "stack") if getattr(one.spot, part) != getattr(two.spot, part)]
    differ += ["betting tree"] if one.spot.betting != two.spot.betting else []
    weights = zip(one.spot.weights, two.spot.weights, strict=True)
    differ += [f"range {who}" for who, (own, other) in zip(PLAYERS, weights, strict=True) if (own != other).any()]
    if differ:
        raise RueError(f"{one.spot} and {two.spot} cannot be compared: the {differ[0]} differs")


def _written_side(spot: Spot, given: Strategy | PioText, other: SpotResult) -> Side:
    """A strategy that was written down; what it does not say is taken from the other one."""
    source, beside = FromStrategy(spot_strategy(spot, given)), _Beside(FromResult(spot, other))
    both = [suits for suits in suit_symmetries(spot) if beside.source.kept_by(suits) and source.kept_by(suits)]
    suits = both or [AS_THEY_ARE]
    estimate_spot(spot, LOOKING, Storage(True, False), suits=suits).check()
    tree = public_tree(spot, suits=suits)
    solution = Solution(spot, judge_with(tree, laid(tree, spot, given, beside)))
    note = f"{given.source} does not say everything: elsewhere it plays like the other" if beside.asked else ""
    return Side(given.source, solution, note)


class _Beside:
    """Says what another source does not, and remembers that it was asked."""

    def __init__(self, source: FromResult) -> None:
        self.source, self.asked = source, False

    def __call__(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> None:
        said = np.full(block.shape, np.nan)
        self.source.fill(said, decision, tree)
        self.asked = True
        block[:] = np.where(np.isnan(block), said, block)


@dataclass(frozen=True, eq=False)
class _Hands:
    """What the hands of a decision do with each of two strategies, 1,326 columns each, and how often they are there."""

    line: tuple[str, ...]
    choice: Choice
    weights: Floats
    chances: tuple[Floats, Floats]
    evs: tuple[Floats, Floats]

    @cached_property
    def moved(self) -> Floats:
        """The share of probability that goes to other actions, hand by hand."""
        return np.asarray(np.abs(self.chances[0] - self.chances[1]).sum(axis=0) / 2)

    @cached_property
    def ev_moved(self) -> Floats:
        """How far apart they are in what each hand earns."""
        return np.abs(self.evs[0] - self.evs[1])


def spot_diff(spot: Spot, sides: tuple[Side, Side], how: Comparing, tell: Callable[[int], None] | None = None) -> Diff:
    """Two strategies of a spot, from a line on; `tell` hears how many decisions were compared."""
    line = follow(spot, how.line).line
    solutions = sides[0].solution, sides[1].solution
    with solutions[0].solver.turns, solutions[1].solver.turns:
        walk = _Walk(solutions, line, LEAST if how.min_reach is None else how.min_reach)
        decisions: list[DiffRow] = []
        rows: list[DiffRow] = []
        for hands in walk.hands():
            decisions.append(_row(hands, RANGE, np.arange(HAND_COUNT)))
            rows += _rows(hands, how)
            if tell is not None:
                tell(len(decisions))
        values = solutions[0].earned(line), solutions[1].earned(line)
    notes = [side.note for side in sides if side.note]
    if walk.left_out:
        rare = f"fewer than {walk.least:.2%} of the deals get" if walk.least else "one of them never gets"
        notes.append(f"decisions to which {rare} are left out (--min-reach, min_reach=)")
    return Diff(
        game=f"{spot}, after {' '.join(line)}" if line else str(spot),
        one=sides[0].told,
        two=sides[1].told,
        seats=PLAYERS,
        unit="chips",
        sort=how.sort,
        values=values,
        moved=mean(decisions, "strategy"),
        ev_moved=mean(decisions, "ev"),
        rows=ranked(rows, how),
        decisions=ranked(decisions, how),
        notes=tuple(notes),
    )


class _Walk:
    """The decisions from a line on that enough deals get to in both solutions."""

    def __init__(self, solutions: tuple[Solution, Solution], line: tuple[str, ...], least: float) -> None:
        self.solutions, self.line, self.least = solutions, line, least
        self.last = min(solution.last for solution in solutions)
        self.left_out = 0
        if any(self._over(self._at(line[:number])) for number in range(len(line))):
            raise RueError(f"{' '.join(line)} is on a street that one of them has not kept: begin earlier")
        self.deals = tuple(float(_likely(cursor, 0).sum()) for cursor in self._at(line))
        if min(self.deals) <= 0:
            raise RueError(f"nobody gets to {' '.join(line)} in one of them: there is nothing to compare")

    def _at(self, line: tuple[str, ...]) -> Cursors:
        cursors = tuple(solution.start() for solution in self.solutions)
        for word in line:
            for solution, cursor in zip(self.solutions, cursors, strict=True):
                solution.step(cursor, word)
        return cursors[0], cursors[1]

    def _over(self, cursors: Cursors) -> bool:
        """Whether the hand is over, or goes on in a street that was not kept."""
        cursor = cursors[0]
        if self.solutions[0].choice(cursor) is not None:
            return False
        end = next(end for end in cursor.betting.ends if end.line == cursor.street)
        return end.kind != DEAL or cursor.number >= self.last

    def hands(self) -> Iterator[_Hands]:
        """What hands do, decision by decision, in the order of the tree."""
        pending = [(self._at(self.line), self.line, 1.0)]
        while pending:
            cursors, line, cards = pending.pop()
            words: list[str] = []
            choice = self.solutions[0].choice(cursors[0])
            if choice is None:
                if self._over(cursors):
                    continue
                words = list(cursors[0].coming)
                cards *= CARDS - len(cursors[0].cards) // 2 - 4
            else:
                weights = [
                    _likely(cursor, choice.player) / deals / cards
                    for cursor, deals in zip(cursors, self.deals, strict=True)
                ]
                both = np.minimum(*weights)
                if both.sum() < self.least or not both.any():
                    self.left_out += 1
                    continue
                yield self._hands(cursors, line, both)
                words = [action for action in choice.actions if action != "fold"]
            for word in reversed(words):
                pending.append((self._stepped(cursors, word), (*line, word), cards))

    def _stepped(self, cursors: Cursors, word: str) -> Cursors:
        after = replace(cursors[0]), replace(cursors[1])
        for solution, cursor in zip(self.solutions, after, strict=True):
            solution.step(cursor, word)
        return after

    def _hands(self, cursors: Cursors, line: tuple[str, ...], weights: Floats) -> _Hands:
        chances, evs, choices = [], [], []
        for solution, cursor in zip(self.solutions, cursors, strict=True):
            choice = solution.choice(cursor)
            assert choice is not None
            point = solution.decision(cursor, choice, line, True)
            chances.append(np.zeros((len(point.actions), HAND_COUNT)))
            chances[-1][:, point.hands] = point.strategy
            evs.append(np.zeros(HAND_COUNT))
            evs[-1][point.hands] = point.ev
            choices.append(choice)
        return _Hands(line, choices[0], weights, (chances[0], chances[1]), (evs[0], evs[1]))


def _likely(cursor: Cursor, player: int) -> Floats:
    """How likely each of a player's 1,326 hands is held there, up to a factor: its reach times that of the opponent's
    hands which share no card with it, by inclusion and exclusion."""
    own, other = cursor.ranges if player == 0 else cursor.ranges[::-1]
    by_card = np.bincount(HANDS.ravel(), np.repeat(other, 2), CARDS)
    against = other.sum() - by_card[HANDS].sum(axis=1) + other
    return np.asarray(own * np.where(against > ROUNDING * other.sum(), against, 0.0))


def _rows(hands: _Hands, how: Comparing) -> list[DiffRow]:
    """The classes of hands, or single hands, that differ most."""
    held = np.flatnonzero(hands.weights)
    groups, of = _classes() if how.by == "class" else _single()
    reach = np.bincount(of[held], hands.weights[held], len(groups))
    apart = hands.moved if how.sort == "strategy" else hands.ev_moved
    weight = np.bincount(of[held], (hands.weights * apart)[held], len(groups))
    order = np.lexsort((-reach, -weight))
    return [_row(hands, *groups[number]) for number in order[: np.count_nonzero(reach)][: how.top].tolist()]


def _row(hands: _Hands, name: str, numbers: Integers) -> DiffRow:
    """Some hands together, each as likely as it is there in both."""
    weights = hands.weights[numbers]
    reach = float(weights.sum())
    shares = weights / reach
    one, two = ((each[:, numbers] @ shares).tolist() for each in hands.chances)
    ev_one, ev_two = (float(each[numbers] @ shares) for each in hands.evs)
    return DiffRow(
        player=hands.choice.player + 1,
        place={"after": " ".join(hands.line), "hand": name},
        reach=reach,
        moved=float(hands.moved[numbers] @ shares),
        one=dict(zip(hands.choice.actions, one, strict=True)),
        two=dict(zip(hands.choice.actions, two, strict=True)),
        ev_one=ev_one,
        ev_two=ev_two,
        ev_moved=float(hands.ev_moved[numbers] @ shares),
    )


Groups = tuple[list[tuple[str, Integers]], Integers]
"""Groups of hands with their names, and the group of each hand."""


@cache
def _single() -> Groups:
    """Every hand by itself."""
    return [(hand_name(hand), np.array([hand])) for hand in range(HAND_COUNT)], np.arange(HAND_COUNT)


@cache
def _classes() -> Groups:
    """The 169 classes of hands, like AKs."""
    found: list[tuple[str, Integers]] = []
    of = np.zeros(HAND_COUNT, dtype=np.int64)
    for high in reversed(range(len(RANKS))):
        for low in reversed(range(high + 1)):
            for kind in ("",) if high == low else ("s", "o"):
                hands = class_hands(high, low, kind)
                of[hands] = len(found)
                found.append((RANKS[high] + RANKS[low] + kind, hands))
    return found, of
