"""Locks: decisions whose strategy is fixed instead of learned, as people write them.

A lock is a place, a colon and a strategy. The place is an infoset of a game, or a line of a hold'em spot:

    Kh|bet: call 70%, fold 30%
    check bet33: fold 40%, call 60%                      every hand plays this
    check bet33: sets: raise 100%; AKs, QQ+: call        some hands play this, the others learn
    check bet33: overall: fold 40%                       the whole range folds this often
    player 1: @leduc.json                                the strategy of a file at all infosets of a player

In Python a lock may also be a key and a value of a mapping: {"Kh|bet": {"call": 0.7, "fold": 0.3}},
{"check bet33": {"sets": {"raise": 1.0}}}, {"ip": result}.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zerosum.results.strategy import StrategySource
from zerosum.support.errors import ZerosumError
from zerosum.support.text import quote

FILE_PREFIX = "@"
"""The prefix of the name of a file."""
EVERYWHERE = "..."
"""The place of a lock without one: everything in a file."""
OVERALL = "overall"
"""Stands for the whole range in the place of hands."""
TOLERANCE = 1e-6
"""How far frequencies may be from 1 in sum."""
_FILE = re.compile(rf"(?:(.*?):)?\s*{FILE_PREFIX}\s*(.+)$", re.DOTALL)
_FREQUENCY = re.compile(r"\s*(.+?)\s+(\d+\.?\d*|\.\d+)\s*%\s*(?:,|$)", re.DOTALL)
_BELOW = re.compile(r"\s-\s*[\d.]+\s*%")

LocksLike = str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]
"""Accepted as locks: texts, or places with their strategies; a single one or several."""
Source = Path | StrategySource
Split = Callable[[str], tuple[str, str]]
"""Separates the text of a lock into its place and its strategy."""
Reader = Callable[[Any], Source]


@dataclass(frozen=True)
class LockPart:
    """The strategy of some hands: `hands` is their name as typed, empty for all of them."""

    hands: str
    mix: Mapping[str, float]
    """The probability of each action, by the name that was typed."""

    @property
    def text(self) -> str:
        mix = ", ".join(f"{action} {100 * chance:.10g}%" for action, chance in self.mix.items())
        return f"{self.hands}: {mix}" if self.hands else mix

    @property
    def is_overall(self) -> bool:
        """Whether it fixes the frequencies of the whole range, not of single hands."""
        return self.hands == OVERALL


@dataclass(frozen=True)
class Lock:
    """A place and its strategy: parts, or the strategy of a source."""

    where: str
    parts: tuple[LockPart, ...] = ()
    source: Source | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        if self.source is None:
            return f"{self.where or 'start'}: {'; '.join(part.text for part in self.parts)}"
        source = self.source if isinstance(self.source, Path) else self.source.source
        return f"{self.where or 'start'}: {FILE_PREFIX}{source}"

    @property
    def is_overall(self) -> bool:
        """Whether a part fixes the frequencies of the whole range, for which the unlocked solution is needed."""
        return any(part.is_overall for part in self.parts)

    def make_error(self, why: object) -> ZerosumError:
        """Return an error with the text of the lock and a reason."""
        return ZerosumError(f"the lock {quote(self.text)}: {why}")


def identify_sources(locks: LocksLike | None, unlocked: Any = None) -> str:
    """Return a text that identifies the sources of locks and the solution that overall frequencies stay close to."""
    sources = [item[1] for item in iterate_locks(locks) if not isinstance(item, str)]
    identities = [
        (str(source), []) if isinstance(source, Path) else source.identity()
        for source in (*sources, unlocked)
        if isinstance(source, Source)
    ]
    return repr(identities)


def parse_locks(locks: LocksLike | None, split_lock: Split) -> tuple[Lock, ...]:
    """Parse locks in whatever form they are passed; `split_lock` separates the place of a text from its strategy.

    >>> [lock.text for lock in parse_locks({"K|bet": {"call": 0.7, "fold": 0.3}}, split_lock)]
    ['K|bet: call 70%, fold 30%']
    >>> parse_locks("check bet33: sets: raise 100%; AA: call", split_lock)[0].parts[1]
    LockPart(hands='AA', mix={'call': 1.0})
    """
    return tuple(
        parse_lock(*split_lock(item), item) if isinstance(item, str) else parse_lock(*item)
        for item in iterate_locks(locks)
    )


def iterate_locks(locks: LocksLike | None) -> Iterable[str | tuple[str, Any]]:
    """Yield each lock: a text, or a pair of a place and a strategy."""
    if locks is None:
        return
    items: Any = [locks] if isinstance(locks, str | Mapping) else locks
    if not isinstance(items, Sequence):
        raise ZerosumError(
            f"locks are strings like 'check: check 100%', or places with their strategies, not {locks!r:.60}"
        )
    for item in items:
        if isinstance(item, Mapping):
            yield from item.items()
        elif isinstance(item, str):
            yield item
        else:
            raise ZerosumError(
                f"a lock is a string like 'check: check 100%', or a place with a strategy, not {item!r:.60}"
            )


def as_lock_list(locks: LocksLike | None) -> list[str | Mapping[str, Any]]:
    """Return the same locks as a list: texts, or mappings of one place each."""
    return [item if isinstance(item, str) else dict([item]) for item in iterate_locks(locks)]


def read_lock_files(locks: LocksLike | None, reader: Reader) -> LocksLike | None:
    """Return the same locks with the files that they name read."""
    read: list[str | Mapping[str, Any]] = []
    for item in iterate_locks(locks):
        where: str = ""
        what: Any = None
        if not isinstance(item, str):
            where, what = item
        elif _FILE.match(item):
            where, what = split_lock(item)
        if isinstance(what, str) and what.startswith(FILE_PREFIX):
            what = Path(what[len(FILE_PREFIX) :].strip())
        if isinstance(what, Path):
            read.append({where: reader(what.expanduser())})
        else:
            read.append(item if isinstance(item, str) else {where: what})
    return read or None


def split_lock(text: str) -> tuple[str, str]:
    """Split a lock into its place and its strategy: at the first colon with a space after it, or else at the last one.

    >>> split_lock("check bet33: fold 40%, call 60%"), split_lock("check:check 100%")
    (('check bet33', 'fold 40%, call 60%'), ('check', 'check 100%'))
    >>> split_lock("ip:@C:/run.zs"), split_lock("@run.zs")
    (('ip', '@C:/run.zs'), ('...', '@run.zs'))
    """
    file = _FILE.match(text)
    if file is not None:
        return EVERYWHERE if file[1] is None else file[1].strip(), FILE_PREFIX + file[2].strip()
    where, colon, what = text.partition(": ")
    if not colon:
        where, colon, what = text.rpartition(":")
    if not colon:
        raise ZerosumError(
            f"cannot read the lock {quote(text)}: write a place, a colon and a strategy: 'check: bet 100%'"
        )
    return where.strip(), what.strip()


def parse_lock(where: Any, what: Any, text: str | None = None) -> Lock:
    """Return the lock of a place and a strategy: a text, numbers for actions or for hands and actions, or a source."""
    if not isinstance(where, str):
        raise ZerosumError(f"the place of a lock is a string, not {where!r:.60}")
    if isinstance(what, str) and what.startswith(FILE_PREFIX):
        return Lock(where, source=Path(what[len(FILE_PREFIX) :].strip()).expanduser())
    if isinstance(what, Source):
        return Lock(where, source=what)
    try:
        parts = tuple(_parse_part(hands, mix) for hands, mix in _split_parts(what))
        if not parts:
            raise ZerosumError("it has no strategy: write frequencies like 'fold 40%, call 60%'")
        for part in parts:
            total = math.fsum(part.mix.values())
            if total > 1.0 + TOLERANCE or (total < 1.0 - TOLERANCE and not part.is_overall):
                raise ZerosumError(f"its frequencies sum to {100 * total:.6g}%, not to 100%")
    except ZerosumError as error:
        label = quote(f"{where}: {what}" if text is None else text)
        raise ZerosumError(f"the lock {label}: {error}") from None
    return Lock(where, parts)


def _split_parts(what: Any) -> list[tuple[Any, Any]]:
    """Return pairs of hands, empty for all of them, and their strategy: a text, or {action: probability}."""
    if isinstance(what, str):
        return [item.rpartition(":")[::2] for item in what.split(";") if item.strip()]
    if not isinstance(what, Mapping):
        raise ZerosumError("a strategy is a string like 'fold 40%, call 60%', {action: probability}, or a result")
    has_numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in what.values())
    return [("", what)] if has_numbers else list(what.items())


def _parse_part(hands: Any, mix: Any) -> LockPart:
    if not isinstance(hands, str) or not isinstance(mix, str | Mapping):
        raise ZerosumError("a strategy is {action: probability}, or hands with one of these each")
    hands = hands.strip()
    if ":" in hands:
        raise ZerosumError(f"{quote(hands)} names no hands: write hands like 'sets' or 'AKs, QQ+', without weights")
    frequencies = parse_frequencies(mix) if isinstance(mix, str) else _check_probabilities(mix)
    return LockPart(OVERALL if hands.lower() == OVERALL else hands, frequencies)


def _check_probabilities(mix: Mapping[Any, Any]) -> dict[str, float]:
    probabilities = {}
    for action, chance in mix.items():
        if isinstance(chance, bool | str) or not hasattr(chance, "__float__") or not math.isfinite(chance):
            raise ZerosumError(f"the probability of {quote(action)} is {quote(chance)}, not a number")
        if not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise ZerosumError(f"the probability of {quote(action)} is {chance:g}; it lies between 0 and 1")
        probabilities[str(action)] = float(chance)
    return probabilities


def parse_frequencies(text: str) -> dict[str, float]:
    """Parse actions with their frequencies; a single one is always taken.

    >>> parse_frequencies("fold 40%, bet 33% 60%"), parse_frequencies("call")
    ({'fold': 0.4, 'bet 33%': 0.6}, {'call': 1.0})
    """
    if "%" not in text and "," not in text and text.strip():
        return {text.strip(): 1.0}
    below = _BELOW.search(text)
    if below is not None:
        raise ZerosumError(f"frequencies must be between 0% and 100%, not {below[0].strip()}")
    frequencies: dict[str, float] = {}
    position = 0
    while position < len(text) and text[position:].strip():
        match = _FREQUENCY.match(text, position)
        if match is None:
            raise ZerosumError(
                f"cannot read {quote(text[position:].strip())}: write frequencies like 'fold 40%, call 60%'"
            )
        if match[1] in frequencies:
            raise ZerosumError(f"{match[1]} is named twice")
        frequencies[match[1]] = float(match[2]) / 100
        position = match.end()
    if not frequencies:
        raise ZerosumError("it has no strategy: write frequencies like 'fold 40%, call 60%'")
    return frequencies
