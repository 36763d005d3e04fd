"""Charts of games that name their infosets by a class of hands (push-fold), as tables over the 169 classes."""

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
        """Return the chart with its player and its line, ready for JSON."""
        about = {"player": self.player, "line": self.line, "actions": list(self.actions)}
        return {**about, "frequencies": self.frequencies, "columns": self.to_json()}


def build_charts(decisions: Iterable[Decision]) -> tuple[HandChart, ...]:
    """Return the charts of infosets that are named by a class of hands, such as `AKs|fold` with a line after the bar.

    >>> best, worst = {"fold": 0.0, "push": 1.0}, {"fold": 1.0, "push": 0.0}
    >>> decisions = [Decision(1, "AKs", 1.0, best), Decision(1, "32o", 1.0, worst)]
    >>> [chart.frequencies["push"] for chart in build_charts(decisions)]
    [0.25]
    >>> build_charts([Decision(1, "K|bet", 1.0, {"fold": 0.5, "call": 0.5})])
    ()
    """
    by_line: dict[tuple[int, str, tuple[str, ...]], dict[int, Decision]] = {}
    for decision in decisions:
        name, _, line = decision.infoset.partition("|")
        if name in class_places():
            by_line.setdefault((decision.player, line, tuple(decision.actions)), {})[class_places()[name]] = decision
    class_names = tuple(class_places())
    charts = []
    for (player, line, actions), cells in by_line.items():
        places = sorted(cells)
        names = tuple(class_names[place] for place in places)
        chart = HandChart(
            player=player,
            line=line,
            actions=actions,
            group=np.array(places),
            name=names,
            combos=np.array([float(class_size(name)) for name in names]),
            start_share=np.ones(len(places)),
            frequency=np.array([[cells[place].actions[action] for place in places] for action in actions]),
        )
        charts.append(chart)
    return tuple(charts)
