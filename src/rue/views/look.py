"""Looking at a result: what is to be seen of it, as data, whatever was solved."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from rue.errors import RueError
from rue.results.game import GameResult
from rue.results.result import Result
from rue.results.spot import SpotResult
from rue.views.decision import DecisionView
from rue.views.strategy import Filters, StrategyView


@dataclass(frozen=True)
class Look:
    """What to look at: of games the infosets that filters leave, of hold'em a line, and single hands there."""

    filters: Filters = field(default_factory=Filters)
    line: str | None = None
    hand: str | None = None


View = StrategyView | DecisionView


@singledispatch
def view(result: Result, look: Look | None = None) -> Any:
    """What a look at a result shows; every view has a `content()` ready for JSON.

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
    if look.line is not None or look.hand is not None:
        raise RueError(f"--line and --hand go with hold'em results, and {result.game} is none: use --infoset")
    return StrategyView.of(result, look.filters)


@view.register
def _spot(result: SpotResult, look: Look | None = None) -> DecisionView:
    look = look or Look()
    if look.filters.any:
        raise RueError("--player, --infoset and --min-reach do not go with hold'em: use --line and --hand")
    return DecisionView.of(result, look.line or "", look.hand)
