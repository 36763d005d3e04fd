"""Strategies over classes of hold'em hands as charts: 13 by 13 cells, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from rue.records import dataclass
from rue.results.result import Decision
from rue.views.decision import SIDE, class_at


@dataclass(frozen=True)
class CellView:
    """What a class of hands like AKs does: `weight` hands are in it, and all of them (`share` 1) are still there."""

    name: str
    row: int
    column: int
    share: float
    weight: float
    strategy: dict[str, float]


@dataclass(frozen=True)
class ChartView:
    """What a player does with each class of hands after a line; `frequencies` are shares of all hands of the chart."""

    player: int
    line: str
    actions: tuple[str, ...]
    frequencies: dict[str, float]
    classes: tuple[CellView, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The actions as people read them."""
        return self.actions


def charts(decisions: Iterable[Decision]) -> tuple[ChartView, ...]:
    """The charts of infosets that are called by a class of hands, with what happened before behind a bar.

    >>> best, worst = {"fold": 0.0, "push": 1.0}, {"fold": 1.0, "push": 0.0}
    >>> [chart.frequencies["push"] for chart in charts([Decision(1, "AKs", 1.0, best), Decision(1, "32o", 1.0, worst)])]
    [0.25]
    >>> charts([Decision(1, "K|bet", 1.0, {"fold": 0.5, "call": 0.5})])
    ()
    """
    found: dict[tuple[int, str, tuple[str, ...]], list[CellView]] = {}
    for decision in decisions:
        name, _, line = decision.infoset.partition("|")
        if name in _places():
            row, column, hands = _places()[name]
            cell = CellView(name, row, column, 1.0, float(hands), dict(decision.actions))
            found.setdefault((decision.player, line, tuple(decision.actions)), []).append(cell)
    return tuple(_chart(*where, cells) for where, cells in found.items())


def _chart(player: int, line: str, actions: tuple[str, ...], cells: list[CellView]) -> ChartView:
    hands = math.fsum(cell.weight for cell in cells)
    often = {action: math.fsum(cell.weight * cell.strategy[action] for cell in cells) / hands for action in actions}
    return ChartView(player, line, actions, often, tuple(sorted(cells, key=lambda cell: (cell.row, cell.column))))


def called_by_hands(decisions: Iterable[Decision]) -> bool:
    """Whether all infosets of a game are called by a class of hands: one that is called 22 alone may be anything.

    >>> called_by_hands([Decision(1, str(number), 1.0, {"stop": 1.0}) for number in range(20, 30)])
    False
    """
    return all(decision.infoset.partition("|")[0] in _places() for decision in decisions)


@cache
def _places() -> dict[str, tuple[int, int, int]]:
    """Row, column and number of hands of each class."""
    places = ((row, column, class_at(row, column)) for row in range(SIDE) for column in range(SIDE))
    return {name: (row, column, len(hands)) for row, column, (name, hands) in places}
