"""A decision that is edited before it is locked: the whole range, classes, single hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import Line
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.cards.cards import HAND_COUNT
from zerosum.holdem.cards.suits import SuitPermutation, permute_hands
from zerosum.holdem.problem.frequency_locks import find_closest_strategy
from zerosum.holdem.problem.locks import SpotLocks, average_over_suits
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.strategy import NodeStrategy, SpotStrategy
from zerosum.problems.locks import LockPart, parse_lock
from zerosum.support.errors import ZerosumError

KEEP_REST = "the others as they were solved"


class HandEdit(NamedTuple):
    """The mix that some hands play: `hands` as in a lock, empty for every hand, `overall` for the range as a whole."""

    hands: str
    mix: Mapping[str, float]


@dataclass(frozen=True)
class LockDraft:
    """A decision with the strategies that are locked there, hand by hand: nan where a hand learns.

    >>> import zerosum
    >>> river = zerosum.solve("spot:river", iterations=50)
    >>> draft = draft_lock(river, "check bet33", [HandEdit("", {"fold": 1.0}), HandEdit("KQs", {"call": 1.0})])
    >>> draft.text, draft.table.frequencies["fold"] < 1
    ('check bet 858: @fold 100%; KQs: call 100%', True)
    """

    before: DecisionTable
    strategy: Floats
    """The locked strategies, shape (actions, hands)."""
    edits: tuple[HandEdit, ...]
    keep: bool = False

    @property
    def table(self) -> DecisionTable:
        """The decision as the lock makes it; elsewhere both play on as before, so the EVs stay."""
        frequency = np.where(np.isnan(self.strategy), self.before.frequency, self.strategy)
        return replace(self.before, frequency=frequency, locked=~np.isnan(self.strategy[0]))

    @property
    def ev_cost(self) -> float:
        """What the range loses by the lock at this decision on average, as long as nobody adapts."""
        return self.before.range_ev - self.table.range_ev if self.before.deals.any() else 0.0

    @property
    def source(self) -> str:
        texts = [LockPart(edit.hands, edit.mix).text for edit in self.edits]
        return "; ".join([*texts, KEEP_REST] if self.keep else texts)

    @property
    def text(self) -> str:
        return f"{' '.join(self.before.line) or 'start'}: @{self.source}"

    @property
    def lock(self) -> dict[str, SpotStrategy]:
        """The lock for `zerosum.solve(spot, locks=...)`."""
        before = self.before
        nodes: dict[Line, NodeStrategy] = {before.line: NodeStrategy(before.actions, before.hand, self.strategy)}
        return {" ".join(before.line) or "start": SpotStrategy(self.source, nodes)}


def draft_lock(
    result: SpotResult, line: str | Sequence[str], edits: Sequence[HandEdit], keep: bool = False
) -> LockDraft:
    """Return the decision that a line leads to after some edits, of which later ones prevail.

    keep: lock the hands that no edit is about as they were solved; otherwise they learn.
    """
    if result.locks:
        raise ZerosumError(f"{result.game} has locks: lock decisions of the solution without them")
    before = result.at(line)
    strategy = np.full(before.frequency.shape, np.nan)
    for edit in edits:
        strategy = _apply_edit(result, before, strategy, edit)
    keep = keep and bool(np.isnan(strategy).any())
    if keep:
        strategy = np.where(np.isnan(strategy), before.frequency, strategy)
    if np.isnan(strategy).all():
        raise ZerosumError("nothing is locked: let some hands play something, or keep them as they were solved")
    return LockDraft(before, strategy, tuple(edits), keep)


def _apply_edit(result: SpotResult, before: DecisionTable, strategy: Floats, edit: HandEdit) -> Floats:
    place = " ".join(before.line) or "start"
    mixes = dict(edit.mix) if not edit.hands else {edit.hands: dict(edit.mix)}
    (mix,) = SpotLocks(result.spot, (parse_lock(place, mixes),)).locks[0].mixes
    chances = np.array(mix.chances)
    if not mix.is_overall:
        return np.where(mix.find_hands(before.cards)[before.hand], chances[:, None], strategy)
    # Hands of earlier edits stay as they are, and suits that are interchangeable until then stay so.
    invariant = [suits for suits in result.solution.tree.suits if _is_invariant(strategy, before, suits)]
    assert before.action_ev is not None
    locked = find_closest_strategy(before.frequency, before.deals, before.action_ev, chances, strategy)
    return average_over_suits(locked, before.line, before.hand, invariant)


def _is_invariant(strategy: Floats, before: DecisionTable, suits: SuitPermutation) -> bool:
    dense = np.full((len(strategy), HAND_COUNT), np.nan)
    dense[:, before.hand] = strategy
    return np.array_equal(dense, dense[:, permute_hands(suits)], equal_nan=True)
