"""A decision of a solved spot as somebody edits it before it is locked: the whole range, classes, single hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rue.errors import RueError
from rue.forms.lines import Line
from rue.forms.treeplex import Floats
from rue.holdem.cards import HAND_COUNT, parse_board
from rue.holdem.form import Suits, renamed_hands
from rue.problems.frequencies import closest
from rue.problems.locks import Part, lock_of
from rue.problems.spot_locks import Mix, SpotLocks, alike
from rue.records import dataclass
from rue.results.range_decision import RangeDecision
from rue.results.said import NodeStrategy, SpotStrategy
from rue.results.spot import SpotResult

KEPT = "the others as they were solved"


@dataclass(frozen=True)
class Edit:
    """What some hands are to play: `hands` as in a lock, nothing for every hand, `overall` for the range as a whole."""

    hands: str
    mix: Mapping[str, float]


@dataclass(frozen=True)
class EditedDecision:
    """A decision with what is given there, hand by hand: not a number where a hand learns.

    >>> import rue
    >>> river = rue.solve("spot:river", iterations=50)
    >>> edited = EditedDecision.of(river, "check bet33", [Edit("", {"fold": 1.0}), Edit("KQs", {"call": 1.0})])
    >>> edited.told, edited.point.frequencies["fold"] < 1
    ('check bet 858: @fold 100%; KQs: call 100%', True)
    """

    before: RangeDecision
    chances: Floats
    edits: tuple[Edit, ...]
    keep: bool = False

    @staticmethod
    def of(result: SpotResult, line: str | Sequence[str], edits: Sequence[Edit], keep: bool = False) -> EditedDecision:
        """The decision that a line leads to after some edits, of which later ones prevail.

        keep: hands that no edit is about are given as they were solved; otherwise they learn.
        """
        if result.locks:
            raise RueError(f"{result.game} has locks: lock decisions of the solution without them")
        before = result.at(line)
        chances = np.full(before.strategy.shape, np.nan)
        for edit in edits:
            chances = _edited(result, before, chances, edit)
        keep = keep and bool(np.isnan(chances).any())
        if keep:
            chances = np.where(np.isnan(chances), before.strategy, chances)
        if np.isnan(chances).all():
            raise RueError("nothing is locked: let some hands play something, or keep them as they were solved")
        return EditedDecision(before, chances, tuple(edits), keep)

    @property
    def locked(self) -> Floats:
        """Which of the hands do not learn."""
        return np.asarray(~np.isnan(self.chances[0]))

    @property
    def point(self) -> RangeDecision:
        """The decision with what is given; elsewhere both play on as before, so what each action earns stays."""
        return replace(self.before, strategy=np.where(np.isnan(self.chances), self.before.strategy, self.chances))

    @property
    def costs(self) -> float:
        """What the range loses by it at this decision on average, as long as nobody adapts."""
        likely = self.before.likelihood
        total = float(likely.sum())
        return float((self.before.ev - self.point.ev) @ likely) / total if total > 0 else 0.0

    @property
    def source(self) -> str:
        """The edits in words."""
        told = [Part(edit.hands, edit.mix).told for edit in self.edits]
        return "; ".join([*told, KEPT] if self.keep else told)

    @property
    def told(self) -> str:
        """The lock in words."""
        return f"{' '.join(self.before.line) or 'start'}: @{self.source}"

    @property
    def lock(self) -> dict[str, SpotStrategy]:
        """The same for `rue.solve(spot, locks=...)`."""
        before = self.before
        nodes: dict[Line, NodeStrategy] = {before.line: NodeStrategy(before.actions, before.hands, self.chances)}
        return {" ".join(before.line) or "start": SpotStrategy(self.source, nodes)}


def _edited(result: SpotResult, before: RangeDecision, chances: Floats, edit: Edit) -> Floats:
    """What is given after one more edit."""
    where = " ".join(before.line) or "start"
    what = dict(edit.mix) if not edit.hands else {edit.hands: dict(edit.mix)}
    (mix,) = SpotLocks(result.spot, (lock_of(where, what),)).locks[0].mixes
    if mix.overall:
        return _overall(before, chances, mix, result.solution.tree.suits)
    here = mix.mask(parse_board(before.board))[before.hands]
    return np.where(here, np.array(mix.chances)[:, None], chances)


def _overall(before: RangeDecision, chances: Floats, mix: Mix, suits: Sequence[Suits]) -> Floats:
    """The range takes actions so often; hands of earlier edits stay, and suits that are alike until then stay alike."""
    kept = [each for each in suits if _same(chances, before, each)]
    found = closest(before.strategy, before.likelihood, before.evs, np.array(mix.chances), chances)
    return alike(found, before.line, before.hands, kept)


def _same(chances: Floats, before: RangeDecision, suits: Suits) -> bool:
    dense = np.full((len(chances), HAND_COUNT), np.nan)
    dense[:, before.hands] = chances
    return np.array_equal(dense, dense[:, renamed_hands(suits)], equal_nan=True)
