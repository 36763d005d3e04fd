"""A solved game: its numbers and what both players do at each infoset; saved as JSON and loaded."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.results.curve import Point, check_curve, check_point
from zerosum.results.lock_cost import LockPrice
from zerosum.results.result import UNKNOWN, Decision, Result
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most, write_atomically
from zerosum.support.options import option_name
from zerosum.support.system import max_text_bytes
from zerosum.support.validation import decode_count, decode_number

if TYPE_CHECKING:
    from zerosum.results.blocks import Block
    from zerosum.results.strategy_view import Selection, StrategyView

FORMAT = "zerosum-result"
FORMAT_VERSION = 1
OPTIONAL_FIELDS = ("nodes", "seed", "bytes", "locks", "price")
"""Fields that files of this version may lack."""


@dataclass(frozen=True, kw_only=True, repr=False)
class GameResult(Result):
    """A solved game: numbers, curve and strategy.

    If the run did not enumerate the game, `infosets`, `sequences` and the decisions are those that it visited, and
    exploitability, NashConv and value are nan (null in files), because they cannot be computed.

    >>> import zerosum
    >>> sorted(zerosum.solve("kuhn", "cfr+", iterations=200).strategy["K|bet"])
    ['call', 'fold']
    """

    decisions: tuple[Decision, ...] = field(repr=False)

    def iterate_infosets(self, streets: str | Sequence[str] | None = None) -> tuple[Decision, ...]:
        if streets is not None:
            raise ZerosumError(f"streets are those of hold'em, and {self.game} is another game")
        return self.decisions

    def summary_blocks(self, selection: Selection) -> list[Block]:
        from zerosum.results.result_blocks import build_game_summary

        return build_game_summary(self, self.view().charts)

    def view(self, selection: Selection | None = None) -> StrategyView:
        """Return the selected infosets, by default all.

        >>> import zerosum
        >>> zerosum.solve("coin-toss", "lp").view().decisions[-1].actions
        {'heads': 0.25, 'tails': 0.75}
        """
        from zerosum.results.strategy_view import Selection, filter_strategy

        return filter_strategy(self, selection or Selection())

    def view_blocks(self, selection: Selection) -> list[Block]:
        from zerosum.results.result_blocks import build_strategy_blocks

        return build_strategy_blocks(self, self.view(selection), selection)

    @property
    def strategy(self) -> dict[str, dict[str, float]]:
        """Infoset -> {action: probability}, of both players."""
        return {decision.infoset: dict(decision.actions) for decision in self.decisions}

    def build_format_header(self) -> dict[str, Any]:
        """Return the first fields of a result file."""
        return {"format": FORMAT, "version": FORMAT_VERSION}

    def save(self, path: str | Path) -> None:
        """Write the result to a JSON file (compressed if its name ends in .gz), completely or not at all."""
        decisions = [asdict(decision) for decision in self.decisions]
        content = {**self.build_format_header(), **self.summary(), "decisions": decisions}
        text = json.dumps(content, allow_nan=False).encode()
        write_atomically(Path(path), gzip.compress(text, 6, mtime=0) if str(path).endswith(".gz") else text)

    @staticmethod
    def load(path: str | Path) -> GameResult:
        """Read a result that `save` wrote; raise a `ZerosumError` for anything else."""
        data = read_at_most(Path(path), max_text_bytes())
        try:
            content = parse_json(data, path)
        except ZerosumError:
            raise
        except DAMAGE_ERRORS:
            raise ZerosumError(f"{path} is not a zerosum result: it is not readable as JSON") from None
        return _decode_result(content, path)


def _decode_result(content: Any, path: str | Path) -> GameResult:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        stated = content.get("format") if isinstance(content, dict) else None
        takes = f"exploit, diff and {option_name('locks')} take exports"
        is_export = isinstance(stated, str) and stated.startswith("zerosum-") and stated.endswith(FORMAT[7:])
        why = f", but an export of another kind: load the run; {takes}" if is_export else ""
        raise ZerosumError(f"{path} is not the result of a game{why}")
    if content.get("version") != FORMAT_VERSION:
        raise ZerosumError(f"{path} has format version {content.get('version')}, this zerosum reads {FORMAT_VERSION}")
    names = [field.name for field in fields(GameResult) if field.name != "unit"]
    missing = [name for name in names if name not in content and name not in OPTIONAL_FIELDS]
    if missing:
        raise ZerosumError(f"{path} is damaged: it lacks {', '.join(missing)}")
    try:
        parts = {name: content[name] for name in names if name in content}
        if not content["curve"]:
            parts |= {key: math.nan for key in UNKNOWN if parts[key] is None}
        parts["curve"] = tuple(Point(**point) for point in content["curve"])
        parts["decisions"] = tuple(Decision(**decision) for decision in content["decisions"])
        parts["locks"] = tuple(content.get("locks", ()))
        parts["price"] = LockPrice.from_json(content.get("price"))
        result = GameResult(**parts)
        check_result(result)
    except DAMAGE_ERRORS as error:
        raise ZerosumError(f"{path} is damaged: {error}") from None
    return result


def check_result(result: GameResult) -> None:
    """Refuse a result with fields of wrong types, inconsistent numbers or probabilities that are none."""
    numbers = result.exploitability, result.nash_conv, result.value
    if not result.curve and all(isinstance(number, float) and math.isnan(number) for number in numbers):
        numbers = 0.0, 0.0, 0.0
    check_point(Point(result.iterations, result.seconds, *numbers, result.nodes))
    for last in check_curve(result.curve)[-1:]:
        if (last.exploitability, last.nash_conv, last.value) != numbers or last.iteration > result.iterations:
            raise ValueError("its numbers are not those of the last point of its curve")
    optional = [count for count in (result.seed, result.bytes) if count is not None]
    for count in (result.infosets, result.sequences, *optional):
        decode_count(count)
    for decision in result.decisions:
        if decision.player not in (1, 2) or not isinstance(decision.infoset, str):
            raise ValueError(f"an infoset reads {decision.infoset!r} of player {decision.player!r}")
        chances = [decision.reach, *decision.actions.values()]
        if any(decode_number(chance) < -1e-6 or chance > 1 + 1e-6 for chance in chances):
            raise ValueError(f"a probability at {decision.infoset!r} is not between 0 and 1")
        if abs(math.fsum(decision.actions.values()) - 1.0) > 1e-6:
            raise ValueError(f"the probabilities at {decision.infoset!r} do not sum to 1")
    texts = result.game, result.algorithm, result.stopped, result.zerosum, *result.locks
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a name is missing")
