"""A solved game: its numbers and what both players do at each infoset; saved as JSON and loaded."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, field, fields
from pathlib import Path
from typing import Any

from rue.disk import DAMAGE, from_json, read_at_most, write_atomically
from rue.errors import RueError
from rue.machine import largest_text
from rue.records import dataclass
from rue.results.points import Point, check_count, check_curve, check_number, check_point
from rue.results.price import LockPrice
from rue.results.result import UNKNOWN, Decision, Result

FORMAT = "rue-result"
FORMAT_VERSION = 1
HOLDEM_EXPORT = "rue-holdem-result"
"""What exports of solved spots say instead."""
LATER = ("nodes", "seed", "bytes", "locks", "price")
"""Fields that files of this version may lack."""


@dataclass(frozen=True, kw_only=True, repr=False)
class GameResult(Result):
    """A solved game: numbers, curve and strategy.

    A run by rules alone knows a part of the game only: `infosets`, `sequences` and the decisions are those that it met,
    and exploitability, NashConv and value are nan (null in files), because nothing can be said about them.

    >>> import rue
    >>> sorted(rue.solve("kuhn", "cfr+", iterations=200).strategy["K|bet"])
    ['call', 'fold']
    """

    decisions: tuple[Decision, ...] = field(repr=False)

    def each_decision(self, streets: str | Sequence[str] | None = None) -> tuple[Decision, ...]:
        if streets is not None:
            raise RueError(f"streets are those of hold'em, and {self.game} is another game")
        return self.decisions

    @property
    def strategy(self) -> dict[str, dict[str, float]]:
        """Infoset -> {action: probability}, of both players."""
        return {decision.infoset: dict(decision.actions) for decision in self.decisions}

    def heading(self) -> dict[str, Any]:
        """How a file of the result begins."""
        return {"format": FORMAT, "version": FORMAT_VERSION}

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file (compressed if its name ends in .gz), whole or not at all."""
        content = {**self.heading(), **self.summary(), "decisions": [asdict(each) for each in self.decisions]}
        text = json.dumps(content, allow_nan=False).encode()
        write_atomically(Path(path), gzip.compress(text, 6, mtime=0) if str(path).endswith(".gz") else text)

    @staticmethod
    def load(path: str | Path) -> GameResult:
        """Read a result that `save` wrote; anything else is refused with a sentence."""
        data = read_at_most(Path(path), largest_text())
        try:
            content = from_json(data, path)
        except RueError:
            raise
        except DAMAGE:
            raise RueError(f"{path} is not a rue result: it is not readable as JSON") from None
        return _result(content, path)


def _result(content: Any, path: str | Path) -> GameResult:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        export = isinstance(content, dict) and content.get("format") == HOLDEM_EXPORT
        takes = "exploit, diff and locks (--lock, locks=) take exports"
        why = f", but an export of hold'em: look at the run; {takes}" if export else ""
        raise RueError(f"{path} is not a rue result{why}")
    if content.get("version") != FORMAT_VERSION:
        raise RueError(f"{path} has format version {content.get('version')}, this rue reads {FORMAT_VERSION}")
    names = [each.name for each in fields(GameResult) if each.name != "unit"]
    missing = [name for name in names if name not in content and name not in LATER]
    if missing:
        raise RueError(f"{path} is damaged: it lacks {', '.join(missing)}")
    try:
        parts = {name: content[name] for name in names if name in content}
        if not content["curve"]:
            parts |= {key: math.nan for key in UNKNOWN if parts[key] is None}
        parts["curve"] = tuple(Point(**point) for point in content["curve"])
        parts["decisions"] = tuple(Decision(**decision) for decision in content["decisions"])
        parts["locks"] = tuple(content.get("locks", ()))
        parts["price"] = LockPrice.of(content.get("price"))
        result = GameResult(**parts)
        check_result(result)
    except DAMAGE as error:
        raise RueError(f"{path} is damaged: {error}") from None
    return result


def check_result(result: GameResult) -> None:
    """Refuse a file whose parts have the wrong kind or whose probabilities are not probabilities."""
    found = result.exploitability, result.nash_conv, result.value
    if not result.curve and all(isinstance(number, float) and math.isnan(number) for number in found):
        found = 0.0, 0.0, 0.0
    check_point(Point(result.iterations, result.seconds, *found, result.nodes))
    for last in check_curve(result.curve)[-1:]:
        if (last.exploitability, last.nash_conv, last.value) != found or last.iteration > result.iterations:
            raise ValueError("its numbers are not those of the last point of its curve")
    for count in (result.infosets, result.sequences):
        check_count(count)
    for optional in (result.seed, result.bytes):
        check_count(0 if optional is None else optional)
    for decision in result.decisions:
        if decision.player not in (1, 2) or not isinstance(decision.infoset, str):
            raise ValueError(f"an infoset reads {decision.infoset!r} of player {decision.player!r}")
        chances = [decision.reach, *decision.actions.values()]
        if any(check_number(chance) < -1e-6 or chance > 1 + 1e-6 for chance in chances):
            raise ValueError(f"a probability at {decision.infoset!r} is not between 0 and 1")
        if abs(math.fsum(decision.actions.values()) - 1.0) > 1e-6:
            raise ValueError(f"the probabilities at {decision.infoset!r} do not sum to 1")
    texts = result.game, result.algorithm, result.stopped, result.rue, *result.locks
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a name is missing")
