"""What a run leaves, whatever was solved: numbers, the curve that led to them, decisions to look at."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rue import __version__
from rue.records import dataclass
from rue.results.points import Point, X
from rue.results.price import LockPrice
from rue.results.unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = ("player", "infoset", "reach", "action", "probability")
"""Of a strategy as a table, a row an action."""
UNKNOWN = ("exploitability", "nash_conv", "value")
"""What is null in a file when nothing could be said about it."""

LOCKED_AT = ", locked at "
"""Stands between the name of a game and the place of its locks."""


@dataclass(frozen=True)
class Decision:
    """What a player does at one infoset, and how likely the player's own actions lead there.

    >>> import rue
    >>> rue.solve("coin-toss", "lp").decisions[-1]
    Decision(player=2, infoset='guess', reach=1.0, actions={'heads': 0.25, 'tails': 0.75})
    """

    player: int
    infoset: str
    reach: float
    actions: Mapping[str, float]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """A row an action, with the values of the columns of its result."""
        for action, probability in self.actions.items():
            yield self.player, self.infoset, self.reach, action, probability


@dataclass(frozen=True, kw_only=True, repr=False)
class Numbers:
    """What a run has reached in numbers, or many seeds of it in the mean.

    >>> import rue
    >>> rue.solve("matrix([[1, -1], [-1, 1]])", iterations=10)
    GameResult(matrix([[1, -1], [-1, 1]]), dcfr: 10 iterations, exploitability 0, value 0, stopped: iterations)
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    """The mean of what the players could gain by a best response."""
    nash_conv: float
    value: float
    """What the first player wins."""
    infosets: int
    sequences: int
    curve: tuple[Point, ...]
    stopped: str = "iterations"
    """Why the run ended: iterations, nodes, until, seconds, memory, interrupted or exact; running if it did not."""
    rue: str = __version__
    nodes: int | None = None
    """The nodes touched, where they are counted."""
    unit: Unit = field(default=Unit(), repr=False)
    """What its payoffs are measured in."""

    def summary(self) -> dict[str, Any]:
        """The numbers and the curve, without the strategy, ready for JSON, which has no nan."""
        numbers = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        numbers["curve"] = [asdict(point) for point in self.curve]
        return numbers | {name: None for name in UNKNOWN if math.isnan(numbers[name])}

    @property
    def title(self) -> str:
        """What a picture of its curve is called."""
        return f"{self.game}, {self.algorithm}"

    @property
    def across(self) -> X:
        """What its curve is best shown along."""
        return "nodes"

    def plot(self, ax: Axes | None = None, x: X | None = None) -> Axes:
        """Draw its curve with matplotlib, on axes of one's own or on a new figure; returns the axes. See `rue.plot`."""
        from rue.results.drawing import plot

        return plot(self, ax, x)

    def curve_frame(self) -> Any:
        """Its curve as a pandas table, a row a point; see `rue.curve_frame`."""
        from rue.results.tables import curve_frame

        return curve_frame(self)

    def to_latex(self) -> str:
        """Its numbers as a LaTeX table; see `rue.to_latex`."""
        from rue.results.tables import to_latex

        return to_latex(self)

    def _repr_html_(self) -> str:
        from rue.results.tables import html

        return html(self)

    def __repr__(self) -> str:
        """On one line."""
        from rue.results.tables import brief

        return brief(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Numbers, ABC):
    """What a run has reached: its numbers and its curve.

    >>> import rue
    >>> result = rue.solve("kuhn", "cfr+", iterations=200)
    >>> result.game, result.algorithm, result.iterations, result.infosets
    ('kuhn', 'cfr+', 200, 12)
    >>> result.exploitability < 0.005, round(result.value, 2)
    (True, -0.06)
    """

    columns: ClassVar[tuple[str, ...]] = COLUMNS
    """Of the strategy as a table, a row an action."""

    seed: int | None = None
    """Of a sampled run: the same seed, the same run."""
    bytes: int | None = None
    """Memory of what the run has learnt and of what it walks on, where it is counted."""
    locks: tuple[str, ...] = ()
    """What was fixed instead of learnt, in words: value and exploitability are those of the locked game."""
    price: LockPrice | None = None
    """What the locks cost, if the solution without them was known."""

    @property
    def bare_game(self) -> str:
        """What was solved, without its locks."""
        return self.game.partition(LOCKED_AT)[0] if self.locks else self.game

    def summary(self) -> dict[str, Any]:
        price = None if self.price is None else self.price.content()
        return {**super().summary(), "locks": list(self.locks), "price": price}

    @abstractmethod
    def each_decision(self, streets: str | Sequence[str] | None = None) -> Iterable[Decision]:
        """What is done at each infoset; of hold'em up to the last of some streets."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the strategy and the numbers to a file that `rue.load` reads."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for each action of each infoset."""
        for decision in self.each_decision():
            for row in decision.rows():
                yield dict(zip(self.columns, row, strict=True))

    def to_frame(self) -> Any:
        """The strategy as a pandas table, a row an action; needs `pip install "rue[pandas]"`.

        >>> import rue
        >>> rue.solve("kuhn", iterations=10).to_frame().columns.tolist()
        ['player', 'infoset', 'reach', 'action', 'probability']
        """
        from rue.results.tables import frame

        return frame(list(self.rows()), self.columns)

    @property
    def across(self) -> X:
        return "iterations" if self.seed is None else "nodes"
