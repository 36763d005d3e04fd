"""What a run leaves: the average strategy, the curve that led to it, and where it came from."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from rue.disk import write_atomically
from rue.errors import RueError

X = Literal["iterations", "seconds", "nodes"]
"""What a curve may run along."""
FORMAT = "rue-result"
FORMAT_VERSION = 1
UNKNOWN = ("exploitability", "nash_conv", "value")
"""What is null in a file when a game was not enumerated."""
LATER = ("nodes", "seed", "bytes")
"""Fields that files of this version may lack."""


@dataclass(frozen=True)
class Point:
    """The quality of the average strategy after some iterations.

    >>> import rue
    >>> [point.iteration for point in rue.solve("kuhn", iterations=5).curve]
    [1, 2, 3, 4, 5]
    """

    iteration: int
    seconds: float
    exploitability: float
    nash_conv: float
    value: float
    nodes: int | None = None
    """The nodes touched, where they are counted: chance moves and ends included, for both players' walks together."""

    def along(self, x: X) -> float | None:
        """Where the point lies on an axis; None where its nodes were not counted."""
        return {"iterations": self.iteration, "seconds": self.seconds, "nodes": self.nodes}[x]


@dataclass(frozen=True)
class MeanPoint(Point):
    """The mean of many seeds; the mean exploitability lies between `low` and `high` with 95% confidence.

    >>> import rue
    >>> point = rue.repeat("kuhn", "mccfr", seeds=4, nodes=10_000).curve[-1]
    >>> point.low < point.exploitability < point.high
    True
    """

    low: float = 0.0
    high: float = 0.0


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


def told_apart(infoset: str, player: int, number: int, taken: set[str]) -> str:
    """What an infoset is called where no two may be called the same; `taken` are the names so far.

    >>> taken = {"guess"}
    >>> told_apart("guess", 2, 7, taken), told_apart("guess", 2, 8, taken)
    ('player 2: guess', 'player 2: guess #8')
    """
    text = infoset
    if text in taken:
        text = f"player {player}: {infoset}"
    if text in taken:
        text = f"{text} #{number}"
    taken.add(text)
    return text


@dataclass(frozen=True)
class Result:
    """A solved game: numbers, curve and strategy.

    A run by rules alone knows a part of the game only: `infosets`, `sequences` and the decisions are those that it met,
    and exploitability, NashConv and value are nan (null in files), because nothing can be said about them.

    >>> import rue
    >>> result = rue.solve("kuhn", "cfr+", iterations=200)
    >>> result.game, result.algorithm, result.iterations, result.infosets
    ('kuhn', 'cfr+', 200, 12)
    >>> result.exploitability < 0.005, round(result.value, 2)
    (True, -0.06)
    >>> sorted(result.strategy["K|bet"])
    ['call', 'fold']
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    nash_conv: float
    value: float
    infosets: int
    sequences: int
    curve: tuple[Point, ...]
    decisions: tuple[Decision, ...] = field(repr=False)
    stopped: str = "iterations"
    """Why the run ended: iterations, nodes, until, seconds, memory, interrupted or exact; running if it did not."""
    rue: str = field(default_factory=lambda: version("rue"))
    nodes: int | None = None
    """The nodes touched, where they are counted."""
    seed: int | None = None
    """Of a sampled run."""
    bytes: int | None = None
    """Memory of what a sampled run has learnt and of what it walks on."""

    @property
    def strategy(self) -> dict[str, dict[str, float]]:
        """Infoset -> {action: probability}, of both players."""
        return {decision.infoset: dict(decision.actions) for decision in self.decisions}

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat row for each action of each infoset."""
        for decision in self.decisions:
            for action, probability in decision.actions.items():
                yield {
                    "player": decision.player,
                    "infoset": decision.infoset,
                    "reach": decision.reach,
                    "action": action,
                    "probability": probability,
                }

    def to_frame(self) -> Any:
        """The strategy as a pandas table, a row an action; needs `pip install "rue[pandas]"`.

        >>> import rue
        >>> rue.solve("kuhn", iterations=10).to_frame().columns.tolist()
        ['player', 'infoset', 'reach', 'action', 'probability']
        """
        try:
            import pandas
        except ImportError:
            raise RueError('to_frame() needs pandas: pip install "rue[pandas]"') from None
        return pandas.DataFrame(list(self.rows()), columns=["player", "infoset", "reach", "action", "probability"])

    def summary(self) -> dict[str, Any]:
        """The numbers and the curve, without the strategy, ready for JSON."""
        numbers = self._content()
        del numbers["decisions"]
        return numbers

    def _content(self) -> dict[str, Any]:
        """All fields ready for JSON, which has no nan."""
        content = asdict(self)
        for name in UNKNOWN:
            content[name] = None if math.isnan(content[name]) else content[name]
        return content

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file (compressed if its name ends in .gz), whole or not at all."""
        content = {"format": FORMAT, "version": FORMAT_VERSION, **self._content()}
        text = json.dumps(content, allow_nan=False).encode()
        write_atomically(Path(path), gzip.compress(text, 6, mtime=0) if str(path).endswith(".gz") else text)

    @staticmethod
    def load(path: str | Path) -> Result:
        """Read a result that `save` wrote; anything else is refused with a sentence."""
        try:
            data = Path(path).read_bytes()
            content = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        except OSError as error:
            raise RueError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, EOFError, RecursionError, gzip.zlib.error):  # type: ignore[attr-defined]
            raise RueError(f"{path} is not a rue result: it is not readable as JSON") from None
        return _result(content, path)


def _result(content: Any, path: str | Path) -> Result:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RueError(f"{path} is not a rue result")
    if content.get("version") != FORMAT_VERSION:
        raise RueError(f"{path} has format version {content.get('version')}, this rue reads {FORMAT_VERSION}")
    missing = [key for key in Result.__dataclass_fields__ if key not in content and key not in LATER]
    if missing:
        raise RueError(f"{path} is damaged: it lacks {', '.join(missing)}")
    try:
        fields = {key: content[key] for key in Result.__dataclass_fields__ if key in content}
        if not content["curve"]:
            fields |= {key: math.nan for key in UNKNOWN if fields[key] is None}
        fields["curve"] = tuple(Point(**point) for point in content["curve"])
        fields["decisions"] = tuple(Decision(**decision) for decision in content["decisions"])
        result = Result(**fields)
        check_result(result)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RueError(f"{path} is damaged: {error}") from None
    return result


def check_result(result: Result) -> None:
    """Refuse a file whose parts have the wrong kind or whose probabilities are not probabilities."""
    numbers = [result.seconds, result.iterations, result.infosets, result.sequences]
    found = [result.exploitability, result.nash_conv, result.value]
    numbers += [number for number in found if result.curve or number == number]
    numbers += [number for number in (result.nodes, result.seed, result.bytes) if number is not None]
    for point in result.curve:
        numbers += [point.iteration, point.seconds, point.exploitability, point.nash_conv, point.value]
    for decision in result.decisions:
        if decision.player not in (1, 2) or not isinstance(decision.infoset, str):
            raise ValueError(f"an infoset reads {decision.infoset!r} of player {decision.player!r}")
        chances = [decision.reach, *decision.actions.values()]
        numbers += chances
        if any(chance < -1e-6 or chance > 1 + 1e-6 for chance in chances):
            raise ValueError(f"a probability at {decision.infoset!r} is not between 0 and 1")
        if abs(math.fsum(decision.actions.values()) - 1.0) > 1e-6:
            raise ValueError(f"the probabilities at {decision.infoset!r} do not sum to 1")
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers):
        raise ValueError("a number is missing or not finite")
    if not all(isinstance(text, str) for text in (result.game, result.algorithm, result.stopped, result.rue)):
        raise ValueError("a name is missing")
