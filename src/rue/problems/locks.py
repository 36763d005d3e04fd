"""Locks: decisions whose strategy is fixed instead of learned, as people write them.

A lock is a place, a colon and a strategy. The place is an infoset of a game, or a line of a hold'em spot:

    Kh|bet: call 70%, fold 30%
    check bet33: fold 40%, call 60%                    every hand plays this
    check bet33: sets: raise 100%; AKs, QQ+: call      some hands play this, the others learn
    check bet33: overall: fold 40%                     the whole range folds so often, see `rue.problems.frequencies`
    player 1: @leduc.json                              what a file says about all infosets of a player

In Python a lock may also be a key and a value of a mapping: {"Kh|bet": {"call": 0.7, "fold": 0.3}},
{"check bet33": {"sets": {"raise": 1.0}}}, {"ip": result}.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.records import dataclass
from rue.results.result import Result
from rue.results.said import PioText, SpotStrategy
from rue.results.strategy import Strategy
from rue.words import quoted

FROM = "@"
"""What stands before the name of a file."""
EVERYWHERE = "..."
"""The place of a lock that has none: whatever a file says."""
OVERALL = "overall"
"""What stands for the whole range, in the place of hands."""
TOLERANCE = 1e-6
"""How far frequencies may be from 1 in sum."""
_FILE = re.compile(rf"(?:(.*?):)?\s*{FROM}\s*(.+)$", re.DOTALL)
_FREQUENCY = re.compile(r"\s*(.+?)\s+(\d+\.?\d*|\.\d+)\s*%\s*(?:,|$)", re.DOTALL)
_BELOW = re.compile(r"\s-\s*[\d.]+\s*%")

LocksLike = str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]
"""What is taken for locks: texts, or places with their strategies; one or many."""
Source = Path | Strategy | PioText | SpotStrategy | Result
Split = Callable[[str], tuple[str, str]]
"""Takes the text of a lock apart: its place and its strategy."""
Reader = Callable[[Any], Source]


@dataclass(frozen=True)
class Part:
    """What some hands play: `hands` is how they are named, nothing for all of them."""

    hands: str
    mix: Mapping[str, float]
    """How likely each action is, by the words it was named with."""

    @property
    def told(self) -> str:
        """The part as a text."""
        mix = ", ".join(f"{action} {100 * chance:.10g}%" for action, chance in self.mix.items())
        return f"{self.hands}: {mix}" if self.hands else mix

    @property
    def overall(self) -> bool:
        """Whether it says how often the whole range takes an action, not what single hands do."""
        return self.hands == OVERALL


@dataclass(frozen=True)
class Lock:
    """A place and what is played there: parts, or what a source says about it."""

    where: str
    parts: tuple[Part, ...] = ()
    source: Source | None = field(default=None, compare=False)

    @property
    def told(self) -> str:
        """The lock as a text."""
        if self.source is None:
            return f"{self.where or 'start'}: {'; '.join(part.told for part in self.parts)}"
        return f"{self.where or 'start'}: {FROM}{source_told(self.source)}"

    @property
    def overall(self) -> bool:
        """Whether the unlocked solution has to be known."""
        return any(part.overall for part in self.parts)

    def wrong(self, why: object) -> RueError:
        """The sentence for what is wrong with it."""
        return RueError(f"the lock {quoted(self.told)}: {why}")


def source_told(source: Source) -> str:
    """Where a strategy comes from."""
    if isinstance(source, Result):
        return f"{source.algorithm} on {source.game}"
    return str(source) if isinstance(source, Path) else source.source


def identity(given: LocksLike | None, unlocked: Any = None) -> str:
    """What tells the sources of locks from others, and the solution that frequencies of whole ranges stay close to."""
    sources = [what for each in one_by_one(given) if not isinstance(each, str) for what in (each[1],)]
    return repr([_identified(source) for source in (*sources, unlocked) if isinstance(source, Source)])


def _identified(source: Source) -> Any:
    if isinstance(source, Result):
        found = source.game, source.algorithm, source.iterations, source.seed
        return *found, source.value, source.exploitability
    if isinstance(source, Strategy):
        return source.entries
    nodes = {} if isinstance(source, Path) else source.nodes
    return source_told(source), [(name, *(np.asarray(part).tobytes() for part in node)) for name, node in nodes.items()]


def locks_of(given: LocksLike | None, split: Split) -> tuple[Lock, ...]:
    """Locks in whatever form they are given.

    >>> [lock.told for lock in locks_of({"K|bet": {"call": 0.7, "fold": 0.3}}, split)]
    ['K|bet: call 70%, fold 30%']
    >>> locks_of("check bet33: sets: raise 100%; AA: call", split)[0].parts[1]
    Part(hands='AA', mix={'call': 1.0})
    """
    return tuple(lock_of(*split(each), each) if isinstance(each, str) else lock_of(*each) for each in one_by_one(given))


def one_by_one(given: LocksLike | None) -> Iterable[str | tuple[str, Any]]:
    """The locks one by one: texts, or pairs of a place and a strategy."""
    if given is None:
        return
    listed: Any = [given] if isinstance(given, str | Mapping) else given
    if not isinstance(listed, Sequence):
        raise RueError(f"locks are texts like 'check: check 100%', or places with their strategies, not {given!r:.60}")
    for each in listed:
        if isinstance(each, Mapping):
            yield from each.items()
        elif isinstance(each, str):
            yield each
        else:
            raise RueError(f"a lock is a text like 'check: check 100%', or a place with a strategy, not {each!r:.60}")


def listed(given: LocksLike | None) -> list[str | Mapping[str, Any]]:
    """The same locks as a list: texts, or mappings of one place each."""
    return [each if isinstance(each, str) else dict([each]) for each in one_by_one(given)]


def read_files(given: LocksLike | None, reader: Reader) -> LocksLike | None:
    """The same locks with the files that they name read."""
    found: list[str | Mapping[str, Any]] = []
    for each in one_by_one(given):
        where: str = ""
        what: Any = None
        if not isinstance(each, str):
            where, what = each
        elif _FILE.match(each):
            where, what = split(each)
        if isinstance(what, str) and what.startswith(FROM):
            what = Path(what[len(FROM) :].strip())
        if isinstance(what, Path):
            found.append({where: reader(what.expanduser())})
        else:
            found.append(each if isinstance(each, str) else {where: what})
    return found or None


def split(text: str) -> tuple[str, str]:
    """A place and a strategy: at the first colon with a space after it, or else at the last one.

    >>> split("check bet33: fold 40%, call 60%"), split("check:check 100%"), split("ip:@C:/run.rue"), split("@run.rue")
    (('check bet33', 'fold 40%, call 60%'), ('check', 'check 100%'), ('ip', '@C:/run.rue'), ('...', '@run.rue'))
    """
    file = _FILE.match(text)
    if file is not None:
        return EVERYWHERE if file[1] is None else file[1].strip(), FROM + file[2].strip()
    where, colon, what = text.partition(": ")
    if not colon:
        where, colon, what = text.rpartition(":")
    if not colon:
        raise RueError(f"cannot read the lock {quoted(text)}: write a place, a colon and a strategy: 'check: bet 100%'")
    return where.strip(), what.strip()


def lock_of(where: Any, what: Any, text: str | None = None) -> Lock:
    """The lock of a place and a strategy: a text, numbers for actions, hands with numbers for actions, or a source."""
    told = quoted(f"{where}: {what}" if text is None else text)
    if not isinstance(where, str):
        raise RueError(f"the place of a lock is a text, not {where!r:.60}")
    if isinstance(what, str) and what.startswith(FROM):
        return Lock(where, source=Path(what[len(FROM) :].strip()).expanduser())
    if isinstance(what, Source):
        return Lock(where, source=what)
    try:
        if isinstance(what, str):
            parts = [_part(each) for each in what.split(";") if each.strip()]
        elif isinstance(what, Mapping):
            parts = list(_mapped(what))
        else:
            raise RueError("a strategy is a text like 'fold 40%, call 60%', {action: probability}, or a result")
        if not parts:
            raise RueError("it has no strategy: write frequencies like 'fold 40%, call 60%'")
        for part in parts:
            _check_sum(part)
    except RueError as error:
        raise RueError(f"the lock {told}: {error}") from None
    return Lock(where, tuple(parts))


def _part(text: str) -> Part:
    """What some hands, or all, play."""
    hands, _, mix = text.rpartition(":")
    return Part(_hands(hands.strip()), frequencies(mix))


def _hands(text: str) -> str:
    if ":" in text:
        raise RueError(f"{quoted(text)} names no hands: write hands like 'sets' or 'AKs, QQ+', without weights")
    return text.lower() if text.lower() == OVERALL else text


def _mapped(what: Mapping[Any, Any]) -> Iterable[Part]:
    """{action: probability}, or hands with {action: probability} or a text."""
    numbers = [isinstance(value, int | float) and not isinstance(value, bool) for value in what.values()]
    if all(numbers):
        yield Part("", _numbers(what))
        return
    for hands, mix in what.items():
        if not isinstance(hands, str) or not isinstance(mix, str | Mapping):
            raise RueError("a strategy is {action: probability}, or hands with one of these each")
        yield Part(_hands(hands.strip()), frequencies(mix) if isinstance(mix, str) else _numbers(mix))


def _numbers(mix: Mapping[Any, Any]) -> dict[str, float]:
    found = {}
    for action, chance in mix.items():
        if isinstance(chance, bool | str) or not hasattr(chance, "__float__") or not math.isfinite(chance):
            raise RueError(f"the probability of {quoted(action)} is {quoted(chance)}, not a number")
        if not 0.0 <= chance <= 1.0 + TOLERANCE:
            raise RueError(f"the probability of {quoted(action)} is {chance:g}; it lies between 0 and 1")
        found[str(action)] = float(chance)
    return found


def frequencies(text: str) -> dict[str, float]:
    """Actions with their frequencies; one alone is always taken.

    >>> frequencies("fold 40%, bet 33% 60%"), frequencies("call")
    ({'fold': 0.4, 'bet 33%': 0.6}, {'call': 1.0})
    """
    if "%" not in text and "," not in text and text.strip():
        return {text.strip(): 1.0}
    below = _BELOW.search(text)
    if below is not None:
        raise RueError(f"a frequency lies between 0% and 100%, and one of them is {below[0].strip()}")
    found: dict[str, float] = {}
    at = 0
    while at < len(text) and text[at:].strip():
        match = _FREQUENCY.match(text, at)
        if match is None:
            raise RueError(f"cannot read {quoted(text[at:].strip())}: write frequencies like 'fold 40%, call 60%'")
        if match[1] in found:
            raise RueError(f"{match[1]} is named twice")
        found[match[1]] = float(match[2]) / 100
        at = match.end()
    if not found:
        raise RueError("it has no strategy: write frequencies like 'fold 40%, call 60%'")
    return found


def _check_sum(part: Part) -> None:
    """Refuse frequencies that are no strategy; those of a whole range may leave out actions."""
    total = math.fsum(part.mix.values())
    if total > 1.0 + TOLERANCE or (total < 1.0 - TOLERANCE and not part.overall):
        raise RueError(f"its frequencies sum to {100 * total:.6g}%, not to 100%")
