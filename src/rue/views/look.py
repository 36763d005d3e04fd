"""Looking at a result: what is to be seen of it, as data, whatever was solved."""

from __future__ import annotations

import re
import warnings
from dataclasses import asdict
from functools import singledispatch
from typing import Any

from rue.errors import RueError
from rue.records import dataclass
from rue.results.game import GameResult
from rue.results.result import Decision, Numbers
from rue.results.spot import SpotResult
from rue.views.charts import ChartView, called_by_hands, charts
from rue.views.decision import DecisionView
from rue.views.money import UNITS

BY = ("made", "class", "hand")
"""What a table of a decision of hold'em lists: made hands and draws, classes like AKs, or hands one by one."""


@dataclass(frozen=True)
class Look:
    """What to look at: of games a player's infosets, those that a regular expression finds, those reached at least so
    often; of hold'em a line, hands there, a unit of earnings and what is listed in the terminal."""

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
            raise RueError(f"player must be 1 or 2, not {self.player}")
        if not 0 <= self.min_reach <= 1:
            raise RueError(f"min_reach (--min-reach) must be a probability, not {self.min_reach:g}")
        if self.limit is not None and self.limit < 1:
            raise RueError(f"limit must be at least 1, not {self.limit}")
        if self.unit not in (None, *UNITS):
            raise RueError(f"unit must be one of {', '.join(UNITS)}, not {self.unit!r}")
        if self.by not in (None, *BY):
            raise RueError(f"by must be one of {', '.join(BY)}, not {self.by!r}")
        pattern(self.infoset or "")

    @property
    def inside(self) -> bool:
        """Whether a decision of hold'em is asked for."""
        return any(part is not None for part in (self.line, self.hand, self.unit, self.by))


def pattern(text: str) -> re.Pattern[str]:
    """A regular expression, if it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what a later Python may read differently
            return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise RueError(f"cannot read the regular expression {text!r}: {error}") from None


@dataclass(frozen=True)
class StrategyView:
    """The infosets shown, how many the filters leave and how many there are; of classes of hands also charts."""

    decisions: tuple[Decision, ...]
    found: int
    infosets: int
    charts: tuple[ChartView, ...] = ()

    def shown(self) -> dict[str, Any]:
        """What is told of it beside the numbers of its result, ready for JSON."""
        left_out = self.infosets - len(self.decisions)
        drawn = {"charts": [asdict(chart) for chart in self.charts]} if self.charts else {}
        return {"left_out": left_out, "decisions": [asdict(decision) for decision in self.decisions], **drawn}


@singledispatch
def view(result: Numbers, look: Look | None = None) -> Any:
    """What a look at a result shows; every view tells it by `shown()`, ready for JSON.

    >>> import rue
    >>> view(rue.solve("coin-toss", "lp")).decisions[-1].actions
    {'heads': 0.25, 'tails': 0.75}
    >>> river = rue.solve("spot:river", iterations=10)
    >>> view(river, Look(line="check bet33", hand="KQs")).player
    'out of position'
    """
    raise TypeError(f"nothing shows a {type(result).__name__}")


@view.register
def _game(result: GameResult, look: Look | None = None) -> StrategyView:
    look = look or Look()
    if look.inside:
        raise RueError(
            f"line, hands, unit and by go with hold'em results, and {result.game} is none: use infoset (--infoset)"
        )
    wanted = pattern(look.infoset or "")
    found = [
        decision
        for decision in result.decisions
        if look.player in (None, decision.player)
        and decision.reach >= look.min_reach
        and wanted.search(decision.infoset)
    ]
    drawn = charts(found) if called_by_hands(result.decisions) else ()
    return StrategyView(tuple(found[: look.limit]), len(found), len(result.decisions), drawn)


@view.register
def _spot(result: SpotResult, look: Look | None = None) -> DecisionView:
    look = look or Look()
    if look.player is not None or look.infoset is not None or look.min_reach:
        raise RueError("player, infoset and min_reach do not go with hold'em: use line and hands (--line, --hands)")
    return DecisionView.of(result, look.line or "", look.hand, look.unit or UNITS[0])
