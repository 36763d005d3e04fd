"""What a run leaves: the average strategy, the curve that led to it, and where it came from."""

from __future__ import annotations

import gzip
import json
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rue.errors import RueError

FORMAT = "rue-result"
FORMAT_VERSION = 1


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
    """Why the run ended: iterations, until, seconds, interrupted or exact."""
    rue: str = field(default_factory=lambda: version("rue"))

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
        numbers = asdict(self)
        del numbers["decisions"]
        return numbers

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file (compressed if its name ends in .gz), whole or not at all."""
        content = {"format": FORMAT, "version": FORMAT_VERSION, **asdict(self)}
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
    missing = [key for key in Result.__dataclass_fields__ if key not in content]
    if missing:
        raise RueError(f"{path} is damaged: it lacks {', '.join(missing)}")
    try:
        fields = {key: content[key] for key in Result.__dataclass_fields__}
        fields["curve"] = tuple(Point(**point) for point in content["curve"])
        fields["decisions"] = tuple(Decision(**decision) for decision in content["decisions"])
        result = Result(**fields)
        _check(result)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RueError(f"{path} is damaged: {error}") from None
    return result


def _check(result: Result) -> None:
    """Refuse a file whose parts have the wrong kind or whose probabilities are not probabilities."""
    numbers = [result.seconds, result.exploitability, result.nash_conv, result.value]
    numbers += [result.iterations, result.infosets, result.sequences]
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


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before the work whose result it is to hold."""
    try:
        if path.exists() and not path.is_file():
            raise RueError(f"cannot write {path}: it is {'a folder' if path.is_dir() else 'not a regular file'}")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: to a neighbour first, flushed to disk, then renamed."""
    check_writable(path)
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
