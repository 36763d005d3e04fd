"""Two strategies of a hold'em spot compared, decision by decision and hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import StoredDecision
from zerosum.engine.forms.public.rounds import DEAL, BettingDecision
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.engine.public.saved_solution import EVALUATION_ONLY
from zerosum.games.poker.hole_cards import class_of_hand
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import CARDS, HAND_COUNT, HANDS, hand_name
from zerosum.holdem.cards.suits import IDENTITY, suit_symmetries
from zerosum.holdem.engine.estimate import Storage, estimate_spot
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.problem.evaluation import build_evaluator
from zerosum.holdem.problem.strategy_fit import ListedStrategies, SolvedStrategies, build_averages, is_written_strategy
from zerosum.holdem.solution.hand_groups import group_by_class
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.solution import Cursor, Solution
from zerosum.holdem.solution.strategy import PioText, fit_strategy
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.spot import Spot
from zerosum.results.diff import Diff, DiffRow, DiffSettings, mean, rank_rows
from zerosum.results.strategy import Strategy
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.thread_safety import cached_property

MIN_REACH = 0.001
"""The share of all deals that must get to a decision for it to be compared, unless something else is asked for."""
RANGE = "range"
"""What stands in place of hands where all of them are meant."""
ROUNDING = 1e-12
"""The share of a range below which what is left of it is none."""
Cursors = tuple[Cursor, Cursor]


class SpotDiff(Diff):
    """Two strategies of a spot compared."""

    seat_labels = "oop", "ip"
    row_noun = "hands"


class DiffSide(NamedTuple):
    """A strategy to compare."""

    name: str
    solution: Solution
    note: str = ""


def diff_sides(spot: Spot, first: Any, second: Any) -> tuple[DiffSide, DiffSide]:
    """Return two strategies of a spot, at least one of which is a solved spot; the other may be read from a file."""
    runs = [strategy for strategy in (first, second) if not is_written_strategy(strategy)]
    if not runs:
        raise ZerosumError("one of the two must be a run of hold'em: an export does not say what the spot was")
    _check_comparable(runs[0].spot, runs[-1].spot)
    sides = [
        _side_from_file(spot, strategy, runs[0])
        if is_written_strategy(strategy)
        else DiffSide(f"{strategy.algorithm} on {strategy.game}", strategy.solution)
        for strategy in (first, second)
    ]
    return sides[0], sides[1]


def _check_comparable(first: Spot, second: Spot) -> None:
    """Refuse spots that cannot be compared hand by hand; the rakes may differ."""
    differ = [part for part in ("board", "pot", "stack") if getattr(first, part) != getattr(second, part)]
    differ += ["betting tree"] if first.betting != second.betting else []
    for player, weights, others in zip(PLAYER_NAMES, first.weights, second.weights, strict=True):
        differ += [f"range {player}"] if (weights != others).any() else []
    if differ:
        raise ZerosumError(f"{first} and {second} cannot be compared: the {differ[0]} differs")


def _side_from_file(spot: Spot, strategy: Strategy | PioText, other: SpotResult) -> DiffSide:
    """Return a strategy from a file, completed by the other one where it is silent."""
    source, fill = ListedStrategies(fit_strategy(spot, strategy)), _FillFromOther(SolvedStrategies(spot, other))
    both = [
        suits
        for suits in suit_symmetries(spot.board, spot.weights)
        if fill.source.is_unchanged_by(suits) and source.is_unchanged_by(suits)
    ]
    suits = both or [IDENTITY]
    estimate_spot(spot, EVALUATION_ONLY, Storage(True, False), suits=suits).check()
    tree = build_public_tree(spot, suits=suits)
    solution = Solution(spot, build_evaluator(tree, build_averages(tree, spot, strategy, fill)))
    note = f"{strategy.source} is incomplete: elsewhere it plays like the other" if fill.was_used else ""
    return DiffSide(strategy.source, solution, note)


class _FillFromOther:
    """Fills in what a strategy lacks from another one, and remembers whether it was used."""

    def __init__(self, source: SolvedStrategies) -> None:
        self.source, self.was_used = source, False

    def __call__(self, block: Floats, decision: StoredDecision, tree: PublicTree) -> None:
        frequencies = np.full(block.shape, np.nan)
        self.source.fill_block(frequencies, decision, tree)
        self.was_used = True
        block[:] = np.where(np.isnan(block), frequencies, block)


@dataclass(frozen=True, eq=False)
class AlignedDecision:
    """A decision in two solutions: frequencies and EVs of the 1,326 hands in both, and how often each gets there."""

    line: tuple[str, ...]
    choice: BettingDecision
    weights: Floats
    chances: tuple[Floats, Floats]
    evs: tuple[Floats, Floats]

    @cached_property
    def strategy_change(self) -> Floats:
        """The share of probability that goes to other actions, hand by hand."""
        return np.asarray(np.abs(self.chances[0] - self.chances[1]).sum(axis=0) / 2)

    @cached_property
    def ev_change(self) -> Floats:
        """How far apart the EVs of each hand are."""
        return np.abs(self.evs[0] - self.evs[1])


def spot_diff(
    spot: Spot, sides: tuple[DiffSide, DiffSide], how: DiffSettings, on_progress: Callable[[int], None] | None = None
) -> Diff:
    """Compare two strategies of a spot from a line on; `on_progress` is called with the number of decisions so far."""
    line = find_decision(spot, how.line).line
    solutions = sides[0].solution, sides[1].solution
    with solutions[0].solver.lock, solutions[1].solver.lock:
        traversal = _PairedTraversal(solutions, line, MIN_REACH if how.min_reach is None else how.min_reach)
        decisions: list[DiffRow] = []
        rows: list[DiffRow] = []
        for hands in traversal.hands():
            decisions.append(_row(hands, RANGE, np.arange(HAND_COUNT)))
            rows += _group_rows(hands, how)
            if on_progress is not None:
                on_progress(len(decisions))
        values = solutions[0].compute_range_evs(line), solutions[1].compute_range_evs(line)
    notes = [side.note for side in sides if side.note]
    if traversal.left_out:
        rare = (
            f"fewer than {traversal.min_reach:.2%} of the deals get"
            if traversal.min_reach
            else "one of them never gets"
        )
        notes.append(f"decisions to which {rare} are left out ({option_name('min_reach')})")
    return SpotDiff(
        game=f"{spot}, after {' '.join(line)}" if line else str(spot),
        strategy_a=sides[0].name,
        strategy_b=sides[1].name,
        seats=PLAYER_NAMES,
        unit="chips",
        sort=how.sort,
        values=values,
        moved=mean(decisions, "strategy"),
        ev_moved=mean(decisions, "ev"),
        rows=rank_rows(rows, how),
        decisions=rank_rows(decisions, how),
        notes=tuple(notes),
    )


class _PairedTraversal:
    """The decisions from a line on that enough deals get to in both solutions."""

    def __init__(self, solutions: tuple[Solution, Solution], line: tuple[str, ...], min_reach: float) -> None:
        self.solutions, self.line, self.min_reach = solutions, line, min_reach
        self.last = min(solution.last_street for solution in solutions)
        self.left_out = 0
        if any(self._over(self._at(line[:number])) for number in range(len(line))):
            raise ZerosumError(f"{' '.join(line)} is on a street that one of them has not kept: begin earlier")
        self.deals = tuple(float(_deal_weights(cursor, 0).sum()) for cursor in self._at(line))
        if min(self.deals) <= 0:
            raise ZerosumError(f"nobody gets to {' '.join(line)} in one of them: there is nothing to compare")

    def _at(self, line: tuple[str, ...]) -> Cursors:
        cursors = tuple(solution.follow(()) for solution in self.solutions)
        for word in line:
            for solution, cursor in zip(self.solutions, cursors, strict=True):
                solution.advance(cursor, word)
        return cursors[0], cursors[1]

    def _over(self, cursors: Cursors) -> bool:
        """Whether the hand is over, or goes on in a street that was not kept."""
        cursor = cursors[0]
        if cursor.find_choice() is not None:
            return False
        return cursor.find_end().kind != DEAL or cursor.street_number >= self.last

    def hands(self) -> Iterator[AlignedDecision]:
        """What hands do, decision by decision, in the order of the tree."""
        pending = [(self._at(self.line), self.line, 1.0)]
        while pending:
            cursors, line, cards = pending.pop()
            words: list[str] = []
            choice = cursors[0].find_choice()
            if choice is None:
                if self._over(cursors):
                    continue
                words = list(cursors[0].next_cards)
                cards *= CARDS - len(cursors[0].cards) // 2 - 4
            else:
                weights = [
                    _deal_weights(cursor, choice.player) / deals / cards
                    for cursor, deals in zip(cursors, self.deals, strict=True)
                ]
                both = np.minimum(*weights)
                if both.sum() < self.min_reach or not both.any():
                    self.left_out += 1
                    continue
                yield self._hands(cursors, line, both)
                words = [action for action in choice.actions if action != "fold"]
            for word in reversed(words):
                pending.append((self._stepped(cursors, word), (*line, word), cards))

    def _stepped(self, cursors: Cursors, word: str) -> Cursors:
        after = replace(cursors[0]), replace(cursors[1])
        for solution, cursor in zip(self.solutions, after, strict=True):
            solution.advance(cursor, word)
        return after

    def _hands(self, cursors: Cursors, line: tuple[str, ...], weights: Floats) -> AlignedDecision:
        chances, evs, choices = [], [], []
        for solution, cursor in zip(self.solutions, cursors, strict=True):
            choice = cursor.find_choice()
            assert choice is not None
            table = solution.build_decision(cursor, line, True)
            chances.append(np.zeros((len(table.actions), HAND_COUNT)))
            chances[-1][:, table.hand] = table.frequency
            evs.append(np.zeros(HAND_COUNT))
            assert table.ev is not None
            evs[-1][table.hand] = table.ev
            choices.append(choice)
        return AlignedDecision(line, choices[0], weights, (chances[0], chances[1]), (evs[0], evs[1]))


def _deal_weights(cursor: Cursor, player: int) -> Floats:
    """Return the probability of each of a player's 1,326 hands at a cursor, up to a factor.

    It is the reach of the hand times that of the opponent's hands that share no card with it, by inclusion-exclusion.
    """
    reach, opposing = cursor.ranges if player == 0 else cursor.ranges[::-1]
    by_card = np.bincount(HANDS.ravel(), np.repeat(opposing, 2), CARDS)
    against = opposing.sum() - by_card[HANDS].sum(axis=1) + opposing
    return np.asarray(reach * np.where(against > ROUNDING * opposing.sum(), against, 0.0))


def _group_rows(decision: AlignedDecision, how: DiffSettings) -> list[DiffRow]:
    """Return the classes of hands, or single hands, that differ most."""
    held = np.flatnonzero(decision.weights)
    codes = class_of_hand() if how.by == "class" else np.arange(HAND_COUNT)
    count = int(codes.max()) + 1
    reach = np.bincount(codes[held], decision.weights[held], count)
    change = decision.strategy_change if how.sort == "strategy" else decision.ev_change
    weight = np.bincount(codes[held], (decision.weights * change)[held], count)
    order = np.lexsort((-reach, -weight))[: np.count_nonzero(reach)][: how.top].tolist()
    name = group_by_class().names.__getitem__ if how.by == "class" else hand_name
    return [_row(decision, name(group), np.flatnonzero(codes == group)) for group in order]


def _row(hands: AlignedDecision, name: str, numbers: Integers) -> DiffRow:
    """Return the row of some hands, each weighted by its mean probability in both strategies."""
    weights = hands.weights[numbers]
    reach = float(weights.sum())
    shares = weights / reach
    mixes = [(chances[:, numbers] @ shares).tolist() for chances in hands.chances]
    evs = [float(ev[numbers] @ shares) for ev in hands.evs]
    return DiffRow(
        player=hands.choice.player + 1,
        place={"after": " ".join(hands.line), "hand": name},
        reach=reach,
        moved=float(hands.strategy_change[numbers] @ shares),
        mix_a=dict(zip(hands.choice.actions, mixes[0], strict=True)),
        mix_b=dict(zip(hands.choice.actions, mixes[1], strict=True)),
        ev_a=evs[0],
        ev_b=evs[1],
        ev_moved=float(hands.ev_change[numbers] @ shares),
    )
