"""Compare two strategies of a hold'em spot, decision by decision and hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import StoredDecision
from zerosum.engine.forms.public.rounds import BettingDecision
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.engine.public.saved_solution import EVALUATION_ONLY
from zerosum.games.poker.hole_cards import map_hands_to_classes
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import CARDS, HAND_COUNT, HANDS, hand_name
from zerosum.holdem.cards.suits import IDENTITY, find_suit_symmetries
from zerosum.holdem.engine.estimate import Storage, estimate_spot
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.problem.evaluation import build_evaluator
from zerosum.holdem.problem.strategy_fit import SolvedStrategies, build_averages, is_written_strategy
from zerosum.holdem.solution.hand_groups import group_by_class
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.solution import Cursor, Solution
from zerosum.holdem.solution.strategy import PioText, fit_strategy
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.spot import Spot
from zerosum.results.diff import Diff, DiffRow, DiffSettings, average_rows, rank_rows
from zerosum.results.strategy import Strategy
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.thread_safety import cached_property

MIN_REACH = 0.001
"""By default, a decision is compared if at least this share of all deals gets there."""
RANGE = "range"
"""The name of a row that sums up all hands."""
ROUNDING = 1e-12
"""A share of a range below this is a rounding error and counts as 0."""
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


def compare_strategies(
    spot: Spot, first: Any, second: Any, settings: DiffSettings, on_progress: Callable[[int], None] | None = None
) -> SpotDiff:
    """Compare two strategies of a spot, at least one of which is a solved spot; the other may be read from a file.

    settings: where to begin, and how rows are sorted and limited.
    on_progress: called with the number of decisions so far.
    """
    sides = _open_sides(spot, first, second)
    line = find_decision(spot, settings.line).line
    solutions = sides[0].solution, sides[1].solution
    with solutions[0].solver.lock, solutions[1].solver.lock:
        traversal = _PairedTraversal(solutions, line, MIN_REACH if settings.min_reach is None else settings.min_reach)
        decisions: list[DiffRow] = []
        rows: list[DiffRow] = []
        for decision in traversal.align_decisions():
            decisions.append(_build_row(decision, RANGE, np.arange(HAND_COUNT)))
            rows += _build_group_rows(decision, settings)
            if on_progress is not None:
                on_progress(len(decisions))
        values = solutions[0].compute_range_evs(line), solutions[1].compute_range_evs(line)
    notes = [side.note for side in sides if side.note]
    if traversal.left_out:
        share = f"{traversal.min_reach:.2%} of the deals"
        rare = f"fewer than {share} get" if traversal.min_reach else "one of them never gets"
        notes.append(f"decisions to which {rare} are left out ({option_name('min_reach')})")
    return SpotDiff(
        game=f"{spot}, after {' '.join(line)}" if line else str(spot),
        strategy_a=sides[0].name,
        strategy_b=sides[1].name,
        seats=PLAYER_NAMES,
        unit="chips",
        sort=settings.sort,
        values=values,
        moved=average_rows(decisions, "strategy"),
        ev_moved=average_rows(decisions, "ev"),
        rows=rank_rows(rows, settings),
        decisions=rank_rows(decisions, settings),
        notes=tuple(notes),
    )


def _open_sides(spot: Spot, first: Any, second: Any) -> list[DiffSide]:
    runs = [strategy for strategy in (first, second) if not is_written_strategy(strategy)]
    if not runs:
        raise ZerosumError("one of the two must be a run of hold'em: an export does not say what the spot was")
    _check_comparable(runs[0].spot, runs[-1].spot)
    return [
        _open_file_side(spot, strategy, runs[0])
        if is_written_strategy(strategy)
        else DiffSide(strategy.source, strategy.solution)
        for strategy in (first, second)
    ]


def _check_comparable(first: Spot, second: Spot) -> None:
    """Refuse spots that cannot be compared hand by hand; the rakes may differ."""
    differ = [part for part in ("board", "pot", "stack") if getattr(first, part) != getattr(second, part)]
    differ += ["betting tree"] if first.betting != second.betting else []
    for player, weights, others in zip(PLAYER_NAMES, first.weights, second.weights, strict=True):
        differ += [f"range {player}"] if (weights != others).any() else []
    if differ:
        raise ZerosumError(f"{first} and {second} cannot be compared: the {differ[0]} differs")


def _open_file_side(spot: Spot, strategy: Strategy | PioText, other: SpotResult) -> DiffSide:
    """Return a strategy from a file, completed by the other one where it is silent."""
    fitted, solved = fit_strategy(spot, strategy), SolvedStrategies(spot, other)
    is_incomplete = False

    def fill_missing(block: Floats, decision: StoredDecision, tree: PublicTree) -> None:
        nonlocal is_incomplete
        frequencies = np.full(block.shape, np.nan)
        solved.fill_block(frequencies, decision, tree)
        is_incomplete = True
        block[:] = np.where(np.isnan(block), frequencies, block)

    suits = [
        suits
        for suits in find_suit_symmetries(spot.board, spot.weights)
        if solved.is_unchanged_by(suits) and fitted.is_unchanged_by(suits)
    ] or [IDENTITY]
    estimate_spot(spot, EVALUATION_ONLY, Storage(True, False), suits=suits).check_memory()
    tree = build_public_tree(spot, suits=suits)
    solution = Solution(spot, build_evaluator(tree, build_averages(tree, spot, strategy, fill_missing)))
    note = f"{strategy.source} is incomplete: its gaps are filled from the other strategy" if is_incomplete else ""
    return DiffSide(strategy.source, solution, note)


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
        """The absolute difference of the EVs of each hand."""
        return np.abs(self.evs[0] - self.evs[1])


class _PairedTraversal:
    """The decisions from a line on that enough deals get to in both solutions."""

    def __init__(self, solutions: tuple[Solution, Solution], line: tuple[str, ...], min_reach: float) -> None:
        self.solutions, self.min_reach = solutions, min_reach
        self.last_street = min(solution.last_street for solution in solutions)
        self.left_out = 0
        for number in range(len(line)):
            if not solutions[0].follow_line(line[:number]).list_next_words(self.last_street):
                raise ZerosumError(f"{' '.join(line)} is on a street that one of them did not save: begin earlier")
        self.start = solutions[0].follow_line(line), solutions[1].follow_line(line)
        self.deals = tuple(float(_compute_deal_weights(cursor, 0).sum()) for cursor in self.start)
        if min(self.deals) <= 0:
            raise ZerosumError(f"nobody gets to {' '.join(line)} in one of them: there is nothing to compare")

    def align_decisions(self) -> Iterator[AlignedDecision]:
        """Yield the decisions in the order of the tree."""
        pending = [(self.start, 1.0)]
        while pending:
            cursors, cards = pending.pop()
            choice = cursors[0].choice
            if choice is None:
                cards *= CARDS - len(cursors[0].board) // 2 - 4
            else:
                weights = [
                    _compute_deal_weights(cursor, choice.player) / deals / cards
                    for cursor, deals in zip(cursors, self.deals, strict=True)
                ]
                both = np.minimum(*weights)
                if both.sum() < self.min_reach or not both.any():
                    self.left_out += 1
                    continue
                yield self._align_decision(cursors, choice, both)
            first, second = self.solutions
            for word in reversed(cursors[0].list_next_words(self.last_street)):
                after = first.advance_cursor(cursors[0], word), second.advance_cursor(cursors[1], word)
                pending.append((after, cards))

    def _align_decision(self, cursors: Cursors, choice: BettingDecision, weights: Floats) -> AlignedDecision:
        chances, evs = np.zeros((2, len(choice.actions), HAND_COUNT)), np.zeros((2, HAND_COUNT))
        for side, (solution, cursor) in enumerate(zip(self.solutions, cursors, strict=True)):
            table = solution.build_decision(cursor, True)
            chances[side][:, table.hand] = table.frequency
            evs[side][table.hand] = table.ev
        return AlignedDecision(cursors[0].line, choice, weights, (chances[0], chances[1]), (evs[0], evs[1]))


def _compute_deal_weights(cursor: Cursor, player: int) -> Floats:
    """Return the probability of each of a player's 1,326 hands at a cursor, up to a factor.

    It is the reach of the hand times that of the opponent's hands that share no card with it, by inclusion-exclusion.
    """
    reach, opposing = cursor.ranges if player == 0 else cursor.ranges[::-1]
    by_card = np.bincount(HANDS.ravel(), np.repeat(opposing, 2), CARDS)
    against = opposing.sum() - by_card[HANDS].sum(axis=1) + opposing
    return np.asarray(reach * np.where(against > ROUNDING * opposing.sum(), against, 0.0))


def _build_group_rows(decision: AlignedDecision, settings: DiffSettings) -> list[DiffRow]:
    """Return the rows of the classes of hands, or single hands, that differ most."""
    held = np.flatnonzero(decision.weights)
    codes = map_hands_to_classes() if settings.by == "class" else np.arange(HAND_COUNT)
    count = int(codes.max()) + 1
    reach = np.bincount(codes[held], decision.weights[held], count)
    change = decision.strategy_change if settings.sort == "strategy" else decision.ev_change
    weight = np.bincount(codes[held], (decision.weights * change)[held], count)
    order = np.lexsort((-reach, -weight))[: np.count_nonzero(reach)][: settings.top].tolist()
    name = group_by_class().names.__getitem__ if settings.by == "class" else hand_name
    return [_build_row(decision, name(group), np.flatnonzero(codes == group)) for group in order]


def _build_row(decision: AlignedDecision, name: str, hands: Integers) -> DiffRow:
    """Return the row of some hands, each weighted by its mean probability in both strategies."""
    weights = decision.weights[hands]
    reach = float(weights.sum())
    shares = weights / reach
    mixes = [(chances[:, hands] @ shares).tolist() for chances in decision.chances]
    evs = [float(ev[hands] @ shares) for ev in decision.evs]
    return DiffRow(
        player=decision.choice.player + 1,
        place={"after": " ".join(decision.line), "hand": name},
        reach=reach,
        moved=float(decision.strategy_change[hands] @ shares),
        mix_a=dict(zip(decision.choice.actions, mixes[0], strict=True)),
        mix_b=dict(zip(decision.choice.actions, mixes[1], strict=True)),
        ev_a=evs[0],
        ev_b=evs[1],
        ev_moved=float(decision.ev_change[hands] @ shares),
    )
