"""The result of a run on any problem: numbers, the curve and the decisions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from zerosum import __version__
from zerosum.results.curve import Point, X
from zerosum.results.payoff_unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zerosum.results.blocks import Block
    from zerosum.results.lock_cost import LockPrice
    from zerosum.results.strategy_view import Look

COLUMNS = ("player", "infoset", "reach", "action", "probability")
"""Of a strategy as a table, a row an action."""
UNKNOWN = ("exploitability", "nash_conv", "value")
"""What is null in a file when nothing could be said about it."""

LOCKED_AT = ", locked at "
"""Stands between the name of a game and the place of its locks."""


@dataclass(frozen=True)
class Decision:
    """What a player does at one infoset, and how likely the player's own actions lead there.

    >>> import zerosum
    >>> zerosum.solve("coin-toss", "lp").decisions[-1]
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

    >>> import zerosum
    >>> zerosum.solve("matrix([[1, -1], [-1, 1]])", iterations=10)
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
    zerosum: str = __version__
    nodes: int | None = None
    """The nodes touched, where they are counted."""
    unit: Unit = field(default=Unit(), repr=False)
    """What its payoffs are measured in."""

    def summary(self) -> dict[str, Any]:
        """The numbers and the curve, without the strategy, ready for JSON, which has no nan."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.repr}
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

    def view(self, look: Look | None = None) -> Any:
        """Return the part of the strategy that a look selects; its `to_json()` is ready for JSON."""
        raise NotImplementedError

    def summary_blocks(self, look: Look) -> list[Block]:
        """Return what is shown after a run: its numbers, then its curve or the decision that `look` asks for."""
        raise NotImplementedError

    def plot(self, ax: Axes | None = None, x: X | None = None) -> Axes:
        """Draw its curve with matplotlib, on the given axes or on a new figure; return the axes. See `zerosum.plot`."""
        from zerosum.results.display.curve_plot import plot

        return plot(self, ax, x)

    def curve_frame(self) -> Any:
        """Its curve as a pandas table, a row a point; see `zerosum.curve_frame`."""
        from zerosum.results.display.tables import curve_frame

        return curve_frame(self)

    def to_latex(self) -> str:
        """Its numbers as a LaTeX table; see `zerosum.to_latex`."""
        from zerosum.results.display.tables import to_latex

        return to_latex(self)

    def _repr_html_(self) -> str:
        from zerosum.results.display.tables import html

        return html(self)

    def __repr__(self) -> str:
        """On one line."""
        from zerosum.results.display.tables import brief

        return brief(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Numbers, ABC):
    """What a run has reached: its numbers and its curve.

    >>> import zerosum
    >>> result = zerosum.solve("kuhn", "cfr+", iterations=200)
    >>> result.game, result.algorithm, result.iterations, result.infosets
    ('kuhn', 'cfr+', 200, 12)
    >>> result.exploitability < 0.005, round(result.value, 2)
    (True, -0.06)
    """

    problem_kind: ClassVar[str] = "game"
    """The kind of problem that was solved; see `zerosum.problems.kinds`."""
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
    def unlocked_game(self) -> str:
        """What was solved, without its locks."""
        return self.game.partition(LOCKED_AT)[0] if self.locks else self.game

    @property
    def problem_source(self) -> Any:
        """What was solved, without its locks, as `zerosum.problem` takes it."""
        return self.unlocked_game

    @property
    def source(self) -> str:
        """Where the strategy comes from, for messages."""
        return f"{self.algorithm} on {self.game}"

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""
        return self.game, self.algorithm, self.iterations, self.seed, self.value, self.exploitability

    def summary(self) -> dict[str, Any]:
        price = None if self.price is None else self.price.content()
        return {**super().summary(), "locks": list(self.locks), "price": price}

    @abstractmethod
    def view_blocks(self, look: Look) -> list[Block]:
        """Return what `zerosum show` prints of it."""

    @abstractmethod
    def iterate_infosets(self, streets: str | Sequence[str] | None = None) -> Iterable[Decision]:
        """What is done at each infoset; of hold'em up to the last of some streets."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the strategy and the numbers to a file that `zerosum.load` reads."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for each action of each infoset."""
        for decision in self.iterate_infosets():
            for row in decision.rows():
                yield dict(zip(self.columns, row, strict=True))

    def to_frame(self) -> Any:
        """The strategy as a pandas table, a row an action; needs pandas.

        >>> import zerosum
        >>> zerosum.solve("kuhn", iterations=10).to_frame().columns.tolist()
        ['player', 'infoset', 'reach', 'action', 'probability']
        """
        from zerosum.results.display.tables import frame

        return frame(list(self.rows()), self.columns)

    @property
    def across(self) -> X:
        return "iterations" if self.seed is None else "nodes"
