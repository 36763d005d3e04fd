"""Charts of games whose infosets are named by a class of hands (push-fold), as tables over the 169 classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hole_cards import class_places, class_size
from zerosum.results.result import Decision
from zerosum.results.table import Column, Table


@dataclass(frozen=True, eq=False)
class HandChart(Table):
    """What a player does with each class of hands after a line, a row per class in the order of the grid."""

    table_name: ClassVar[str] = "chart"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("group", "Place", "count", "the place of the class in the grid"),
        Column("name", "Class", "text"),
        Column("combos", "Combos", "combos", "how many hands are in the class"),
        Column("start_share", "Left", "share", "how much of the class at the start is left"),
        Column("frequency", "Plays", "share", "how often the action is taken", per_action="{action}"),
    )

    player: int
    line: str
    actions: tuple[str, ...]
    group: NDArray[np.int64]
    name: tuple[str, ...]
    combos: NDArray[np.float64]
    start_share: NDArray[np.float64]
    frequency: NDArray[np.float64]

    @property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken, over all hands of the chart."""
        shares = self.frequency @ self.combos / self.combos.sum()
        return dict(zip(self.actions, shares.tolist(), strict=True))

    def content(self) -> dict[str, Any]:
        """Return the chart with what it is of, ready for JSON."""
        about = {"player": self.player, "line": self.line, "actions": list(self.actions)}
        return {**about, "frequencies": self.frequencies, "columns": self.to_json()}


def charts(decisions: Iterable[Decision]) -> tuple[HandChart, ...]:
    """Return the charts of infosets that are named by a class of hands, with what happened before behind a bar.

    >>> best, worst = {"fold": 0.0, "push": 1.0}, {"fold": 1.0, "push": 0.0}
    >>> [chart.frequencies["push"] for chart in charts([Decision(1, "AKs", 1.0, best), Decision(1, "32o", 1.0, worst)])]
    [0.25]
    >>> charts([Decision(1, "K|bet", 1.0, {"fold": 0.5, "call": 0.5})])
    ()
    """
    by_line: dict[tuple[int, str, tuple[str, ...]], dict[int, Decision]] = {}
    for decision in decisions:
        name, _, line = decision.infoset.partition("|")
        if name in class_places():
            by_line.setdefault((decision.player, line, tuple(decision.actions)), {})[class_places()[name]] = decision
    return tuple(_chart(*place, cells) for place, cells in by_line.items())


def _chart(player: int, line: str, actions: tuple[str, ...], cells: dict[int, Decision]) -> HandChart:
    group = np.array(sorted(cells))
    names = tuple(class_places())
    return HandChart(
        player=player,
        line=line,
        actions=actions,
        group=group,
        name=tuple(names[place] for place in group),
        combos=np.array([float(class_size(names[place])) for place in group]),
        start_share=np.ones(len(group)),
        frequency=np.array([[cells[place].actions[action] for place in group.tolist()] for action in actions]),
    )
