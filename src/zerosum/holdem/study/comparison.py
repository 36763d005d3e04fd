"""Two solutions of a spot at the same decision, such as without locks and with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.hand_groups import group_by_class
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import find_decision
from zerosum.results.table import Column, Table


@dataclass(frozen=True, eq=False)
class ClassChanges(Table):
    """The change of strategy of each class of hands, a row per class that both solutions have at the decision."""

    table_name: ClassVar[str] = "changes"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("group", "Place", "count", "the place of the class in the grid"),
        Column("name", "Class", "text"),
        Column("strategy_change", "Plays otherwise", "share", "the probability that goes to other actions"),
    )

    group: Integers
    name: tuple[str, ...]
    strategy_change: Floats


class ComparedSolution(NamedTuple):
    """One of the two solutions: what both players win in all, and the decision.

    EVs are chips from the first decision on; `range_evs` are those of both players from the compared decision on. The
    table is None if no hand gets there, `range_evs` if no deal does.
    """

    ev_oop: float
    ev_ip: float
    exploitability: float
    """As a share of the pot."""
    table: DecisionTable | None
    range_evs: tuple[float, float] | None


class Comparison(NamedTuple):
    """A decision before and after."""

    line: tuple[str, ...]
    before: ComparedSolution
    after: ComparedSolution
    changes: ClassChanges


def compare_decision(before: SpotResult, after: SpotResult, line: str | Sequence[str] = "") -> Comparison:
    """Compare two results of the same spot at a decision.

    >>> import zerosum
    >>> before = zerosum.solve("spot:river", iterations=50)
    >>> after = zerosum.solve("spot:river", iterations=50, locks="check: check 100%")
    >>> comparison = compare_decision(before, after, "check")
    >>> round(comparison.after.table.frequencies["check"], 9), comparison.after.ev_ip < comparison.before.ev_ip
    (1.0, True)
    """
    before.spot.check_same_game(after.spot)
    words = find_decision(before.spot, line).line
    sides = _read_solution(before, words), _read_solution(after, words)
    return Comparison(words, *sides, _compute_changes(sides[0].table, sides[1].table))


def _read_solution(result: SpotResult, line: tuple[str, ...]) -> ComparedSolution:
    with result.solution.solver.lock:
        table = result.at(line)
        return ComparedSolution(
            ev_oop=result.ev_oop,
            ev_ip=result.ev_ip,
            exploitability=result.exploitability_pot,
            table=table if table.reach.any() else None,
            range_evs=result.solution.compute_range_evs(line) if table.deals.any() else None,
        )


def _compute_changes(before: DecisionTable | None, after: DecisionTable | None) -> ClassChanges:
    if before is None or after is None:
        return ClassChanges(np.zeros(0, dtype=np.int64), (), np.zeros(0))
    first, second = before.aggregate(group_by_class()), after.aggregate(group_by_class())
    places, rows, others = np.intersect1d(first.group, second.group, assume_unique=True, return_indices=True)
    assert first.frequency is not None
    assert second.frequency is not None
    change = np.abs(second.frequency[:, others] - first.frequency[:, rows]).sum(axis=0) / 2
    return ClassChanges(places, tuple(group_by_class().names[place] for place in places), change)
