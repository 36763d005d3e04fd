"""The result of a run on any problem: numbers, the curve and the decisions; and the average of many runs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from zerosum import __version__
from zerosum.results.curve import MeanPoint, Point, X
from zerosum.results.payoff_unit import Unit
from zerosum.support.text import format_duration, format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from zerosum.results.blocks import Block
    from zerosum.results.lock_cost import LockPrice
    from zerosum.results.strategy_view import Selection

UNKNOWN = ("exploitability", "nash_conv", "value")
"""The numbers that are null in a file if they could not be computed."""
LOCKED_AT = ", locked at "
"""Separates the name of a game from the places of its locks."""


@dataclass(frozen=True)
class Decision:
    """A player's strategy at one infoset, and the probability that the player's own actions lead there.

    >>> import zerosum
    >>> zerosum.solve("coin-toss", "lp").decisions[-1]
    Decision(player=2, infoset='guess', reach=1.0, actions={'heads': 0.25, 'tails': 0.75})
    """

    player: int
    infoset: str
    reach: float
    actions: Mapping[str, float]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield a row for each action, with the values of `Result.columns`."""
        for action, probability in self.actions.items():
            yield self.player, self.infoset, self.reach, action, probability


@dataclass(frozen=True, kw_only=True, repr=False)
class Numbers:
    """The numbers that a run has reached, or the means of many seeds.

    >>> import zerosum
    >>> zerosum.solve("matrix([[1, -1], [-1, 1]])", iterations=10)
    GameResult(matrix([[1, -1], [-1, 1]]), dcfr: 10 iterations, exploitability 0, value 0, stopped: iterations)
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    """The mean of the players' gains by a best response."""
    nash_conv: float
    value: float
    """The first player's winnings."""
    infosets: int
    sequences: int
    curve: tuple[Point, ...]
    stopped: str = "iterations"
    """Why the run ended: iterations, nodes, until, seconds, memory, interrupted or exact; running if it has not."""
    zerosum: str = __version__
    nodes: int | None = None
    """The nodes touched, where they are counted."""
    unit: Unit = field(default=Unit(), repr=False)
    """The unit of its payoffs."""

    def summary(self) -> dict[str, Any]:
        """Return the numbers and the curve without the strategy, ready for JSON; nan becomes None."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.repr}
        numbers["curve"] = [asdict(point) for point in self.curve]
        return numbers | {name: None for name in UNKNOWN if math.isnan(numbers[name])}

    @property
    def title(self) -> str:
        """The title of a picture of its curve."""
        return f"{self.game}, {self.algorithm}"

    @property
    def default_axis(self) -> X:
        """The horizontal axis that suits its curve."""
        return "nodes"

    def view(self, selection: Selection | None = None) -> Any:
        """Return the selected part of the strategy; its `to_json()` is ready for JSON."""
        raise NotImplementedError

    def summary_blocks(self, selection: Selection) -> list[Block]:
        """Return the blocks shown after a run: its numbers, then its curve or the selected decision."""
        raise NotImplementedError

    def plot(self, ax: Axes | None = None, x: X | None = None) -> Axes:
        """Draw its curve with matplotlib, on the given axes or on a new figure; return the axes. See `zerosum.plot`."""
        from zerosum.results.display.curve_plot import plot

        return plot(self, ax, x)

    def curve_frame(self) -> Any:
        """Return its curve as a pandas table, one row per point; see `zerosum.curve_frame`."""
        from zerosum.results.display.tables import curve_frame

        return curve_frame(self)

    def to_latex(self) -> str:
        """Return its numbers as a LaTeX table; see `zerosum.to_latex`."""
        from zerosum.results.display.tables import to_latex

        return to_latex(self)

    def _repr_html_(self) -> str:
        """Return the numbers and a picture of the curve, for a notebook."""
        from zerosum.results.display.curve_plot import draw_curves
        from zerosum.results.display.drawing import encode_drawing
        from zerosum.results.display.html import DPI, build_image, build_page, build_pairs

        is_evaluated = not math.isnan(self.exploitability)
        numbers = {
            "game": self.game,
            "algorithm": self.algorithm,
            "infosets": f"{self.infosets:,}",
            "iterations": f"{self.iterations:,} in {format_duration(self.seconds)}",
            "exploitability": self.unit.format(self.exploitability) if is_evaluated else "not known",
            "value": f"{format_number(self.value)} {self.unit.name}".rstrip() if is_evaluated else "not known",
            "stopped": self.stopped,
        }
        if sum(point.exploitability > 0 for point in self.curve) < 2:
            return build_page(build_pairs(numbers))
        data = encode_drawing(lambda figure: draw_curves(figure.add_subplot(), [self], self.default_axis), "png", DPI)
        return build_page(build_pairs(numbers), build_image(data, "the curve of its exploitability"))

    def __repr__(self) -> str:
        from zerosum.results.display.html import format_line

        quality = f"exploitability {self.unit.format_short(self.exploitability)}, value {format_number(self.value)}"
        reached = "" if math.isnan(self.exploitability) else f", {quality}"
        text = f"{self.title}: {self.iterations:,} iterations{reached}, stopped: {self.stopped}"
        return format_line(type(self).__name__, text)


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Numbers, ABC):
    """The result of a run: its numbers, its curve and its strategy.

    >>> import zerosum
    >>> result = zerosum.solve("kuhn", "cfr+", iterations=200)
    >>> result.game, result.algorithm, result.iterations, result.infosets
    ('kuhn', 'cfr+', 200, 12)
    >>> result.exploitability < 0.005, round(result.value, 2)
    (True, -0.06)
    """

    problem_kind: ClassVar[str] = "game"
    """The kind of problem that was solved; see `zerosum.problems.kinds`."""
    columns: ClassVar[tuple[str, ...]] = ("player", "infoset", "reach", "action", "probability")
    """The columns of the strategy as a table with one row per action."""

    seed: int | None = None
    """The seed of a sampled run."""
    bytes: int | None = None
    """The memory of the learnt numbers and of the form that the run walks on, where it is counted."""
    locks: tuple[str, ...] = ()
    """The locks as text: value and exploitability are those of the locked game."""
    price: LockPrice | None = None
    """The cost of the locks, if the solution without them was known."""

    @property
    def unlocked_game(self) -> str:
        """The game without its locks."""
        return self.game.partition(LOCKED_AT)[0] if self.locks else self.game

    @property
    def problem_source(self) -> Any:
        """The problem without its locks, as `zerosum.problem` takes it."""
        return self.unlocked_game

    @property
    def source(self) -> str:
        """The origin of the strategy, for messages."""
        return f"{self.algorithm} on {self.game}"

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""
        return self.game, self.algorithm, self.iterations, self.seed, self.value, self.exploitability

    def summary(self) -> dict[str, Any]:
        price = None if self.price is None else self.price.to_json()
        return {**super().summary(), "locks": list(self.locks), "price": price}

    @abstractmethod
    def view_blocks(self, selection: Selection) -> list[Block]:
        """Return the blocks that `zerosum show` prints."""

    @abstractmethod
    def iterate_infosets(self, streets: str | Sequence[str] | None = None) -> Iterable[Decision]:
        """Return the decision at each infoset; of hold'em, up to the last of some streets."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the strategy and the numbers to a file that `zerosum.load` reads."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one flat row for each action of each infoset."""
        for decision in self.iterate_infosets():
            for row in decision.rows():
                yield dict(zip(self.columns, row, strict=True))

    def to_frame(self) -> Any:
        """Return the strategy as a pandas table, one row per action; needs pandas.

        >>> import zerosum
        >>> zerosum.solve("kuhn", iterations=10).to_frame().columns.tolist()
        ['player', 'infoset', 'reach', 'action', 'probability']
        """
        from zerosum.results.display.tables import create_frame

        return create_frame(list(self.rows()), self.columns)

    @property
    def default_axis(self) -> X:
        return "iterations" if self.seed is None else "nodes"


@dataclass(frozen=True, kw_only=True, repr=False)
class SeedAverage(Numbers):
    """The mean of many seeds of one sampled run; see `repeat`. Each number is the mean over the seeds.

    >>> import zerosum
    >>> runs = zerosum.repeat("kuhn", "mccfr", seeds=[3, 5], iterations=100)
    >>> runs.seeds, runs.exploitability == sum(runs.reached) / 2
    ((3, 5), True)
    """

    nodes: int
    seeds: tuple[int, ...]
    low: float
    """The mean exploitability lies between low and high with 95% confidence (Student's t)."""
    high: float
    reached: tuple[float, ...]
    """The exploitability of each seed."""
    curve: tuple[MeanPoint, ...]

    @property
    def title(self) -> str:
        count = len(self.seeds)
        return f"{super().title}, {f'mean of {count} seeds' if count > 1 else f'seed {self.seeds[0]}'}"

    def summary_blocks(self, selection: Selection) -> list[Block]:
        from zerosum.results.result_blocks import build_seed_summary

        return build_seed_summary(self)
