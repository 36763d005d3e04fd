"""Filter the infosets of a result for display; those named by classes of hold'em hands (push-fold) as charts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from zerosum.results.result import Decision
from zerosum.results.table import Column, Table
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name

if TYPE_CHECKING:
    from zerosum.results.game_result import GameResult

CLASS_PATTERN = re.compile(r"[2-9TJQKA]{2}[so]?(?:\||$)")
"""Matches the text of an infoset that may be named by a class of hands."""
BY = ("made", "class", "hand")
"""The rows of the table of a decision: made hands and draws, classes like AKs, or single hands."""


@dataclass(frozen=True)
class Selection:
    """The part of a result to display.

    player, infoset, min_reach: the infosets of a game: of a player, that a regular expression matches, with at least
    this reach. line, hand, unit, by: a decision of a spot, hands there, the unit of EVs, and the rows of its table.
    limit: the maximum number of rows.
    """

    player: int | None = None
    infoset: str | None = None
    min_reach: float = 0.0
    limit: int | None = None
    line: str | None = None
    hand: str | None = None
    unit: str | None = None
    by: str | None = None

    def __post_init__(self) -> None:
        if self.player not in (None, 1, 2):
            raise ZerosumError(f"player must be 1 or 2, not {self.player}")
        if not 0 <= self.min_reach <= 1:
            raise ZerosumError(f"{option_name('min_reach')} must be a probability, not {self.min_reach:g}")
        if self.limit is not None and self.limit < 1:
            raise ZerosumError(f"limit must be at least 1, not {self.limit}")
        if self.by not in (None, *BY):
            raise ZerosumError(f"by must be one of {', '.join(BY)}, not {self.by!r}")
        compile_pattern(self.infoset or "")

    @property
    def is_in_spot(self) -> bool:
        """Whether it selects a decision of a spot."""
        return any(part is not None for part in (self.line, self.hand, self.unit, self.by))


def compile_pattern(text: str) -> re.Pattern[str]:
    """Compile a regular expression; raise a `ZerosumError` if it is invalid."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a later Python may read some patterns differently
            return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise ZerosumError(f"cannot read the regular expression {text!r}: {error}") from None


@dataclass(frozen=True, eq=False)
class HandChart(Table):
    """A player's strategy with each class of hands after a line, one row per class in the order of the grid."""

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


@dataclass(frozen=True)
class StrategyView:
    """The selected infosets, the number that match the filters, the number of all, and charts of classes of hands."""

    decisions: tuple[Decision, ...]
    matches: int
    infosets: int
    charts: tuple[HandChart, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the view, ready for JSON."""
        left_out = self.infosets - len(self.decisions)
        drawn = {"charts": [chart.content() for chart in self.charts]} if self.charts else {}
        return {"left_out": left_out, "decisions": [asdict(decision) for decision in self.decisions], **drawn}


def filter_strategy(result: GameResult, selection: Selection) -> StrategyView:
    """Return the infosets of a game that a selection chooses."""
    if selection.is_in_spot:
        raise ZerosumError(
            f"line, hands, unit and by are options of spots, and {result.game} is a game: use {option_name('infoset')}"
        )
    pattern = compile_pattern(selection.infoset or "")
    decisions = [
        decision
        for decision in result.decisions
        if selection.player in (None, decision.player)
        and decision.reach >= selection.min_reach
        and pattern.search(decision.infoset)
    ]
    charts: tuple[HandChart, ...] = ()
    if result.decisions and CLASS_PATTERN.match(result.decisions[0].infoset):
        from zerosum.games.poker.hole_cards import are_named_by_class

        if are_named_by_class(decision.infoset for decision in result.decisions):
            charts = build_charts(decisions)
    return StrategyView(tuple(decisions[: selection.limit]), len(decisions), len(result.decisions), charts)


def build_charts(decisions: Iterable[Decision]) -> tuple[HandChart, ...]:
    """Return the charts of infosets named by a class of hands, like `AKs|fold` with the line after the bar.

    >>> best, worst = {"fold": 0.0, "push": 1.0}, {"fold": 1.0, "push": 0.0}
    >>> charts = build_charts([Decision(1, "AKs", 1.0, best), Decision(1, "32o", 1.0, worst)])
    >>> [chart.frequencies["push"] for chart in charts]
    [0.25]
    """
    from zerosum.games.poker.hole_cards import count_class_hands, list_class_places

    place_by_name = list_class_places()
    by_line: dict[tuple[int, str, tuple[str, ...]], dict[str, Decision]] = {}
    for decision in decisions:
        name, _, line = decision.infoset.partition("|")
        by_line.setdefault((decision.player, line, tuple(decision.actions)), {})[name] = decision
    charts = []
    for (player, line, actions), cells in by_line.items():
        names = tuple(sorted(cells, key=place_by_name.__getitem__))
        chart = HandChart(
            player=player,
            line=line,
            actions=actions,
            group=np.array([place_by_name[name] for name in names]),
            name=names,
            combos=np.array([float(count_class_hands(name)) for name in names]),
            start_share=np.ones(len(names)),
            frequency=np.array([[cells[name].actions[action] for name in names] for action in actions]),
        )
        charts.append(chart)
    return tuple(charts)
