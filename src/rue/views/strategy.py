"""The strategy of a solved game as data: the infosets that filters leave."""

from __future__ import annotations

import re
import warnings
from dataclasses import asdict, dataclass
from typing import Any

from rue.errors import RueError
from rue.results.game import GameResult
from rue.results.result import Decision


@dataclass(frozen=True)
class Filters:
    """Which infosets are shown: a player's, those that a regular expression finds, those reached at least so often."""

    player: int | None = None
    infoset: str | None = None
    min_reach: float = 0.0
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.player not in (None, 1, 2):
            raise RueError(f"--player must be 1 or 2, not {self.player}")
        if not 0 <= self.min_reach <= 1:
            raise RueError(f"--min-reach must be a probability, not {self.min_reach:g}")
        if self.limit is not None and self.limit < 1:
            raise RueError(f"--limit must be at least 1, not {self.limit}")
        pattern(self.infoset)

    @property
    def any(self) -> bool:
        """Whether any is given that goes with infosets alone."""
        return self.player is not None or self.infoset is not None or bool(self.min_reach)


def pattern(text: str | None) -> re.Pattern[str] | None:
    """A regular expression, if it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what a later Python may read differently
            return None if text is None else re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise RueError(f"cannot read the regular expression {text!r}: {error}") from None


@dataclass(frozen=True)
class StrategyView:
    """The infosets shown, how many the filters leave and how many there are."""

    decisions: tuple[Decision, ...]
    found: int
    infosets: int

    @staticmethod
    def of(result: GameResult, filters: Filters) -> StrategyView:
        """The infosets of a result that filters leave."""
        wanted = pattern(filters.infoset)
        found = [
            decision
            for decision in result.decisions
            if filters.player in (None, decision.player)
            and decision.reach >= filters.min_reach
            and (wanted is None or wanted.search(decision.infoset))
        ]
        shown = found if filters.limit is None else found[: filters.limit]
        return StrategyView(tuple(shown), len(found), len(result.decisions))

    def shown(self) -> dict[str, Any]:
        """What is told of it beside the numbers of its result."""
        return self.content()

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        left_out = self.infosets - len(self.decisions)
        return {"left_out": left_out, "decisions": [asdict(decision) for decision in self.decisions]}
