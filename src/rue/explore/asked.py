"""What the page asks for, typed: a JSON object becomes a dataclass, or a sentence says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from rue.errors import RueError, nearest
from rue.records import dataclass
from rue.words import quoted

Asked = TypeVar("Asked")
KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}
LONGEST = 200_000
"""Characters of a text."""


@dataclass(frozen=True)
class NewRun:
    """A run to be started: of a spot in the words of its file, or of a game by name.

    It ends at `until` (a number, or a share of the pot like 0.5%), or at the first of the other limits.
    """

    spot: dict[str, Any] | None = None
    game: str | None = None
    algorithm: str | None = None
    until: float | str | None = None
    iterations: int | None = None
    seconds: float | None = None
    half: bool = False
    name: str = ""


@dataclass(frozen=True)
class Further:
    """How far a run is to go on: to an exploitability, for so many iterations or so many seconds more."""

    until: float | str | None = None
    iterations: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class SpotAsked:
    """A spot: in the words of its file, as the text of a file or a link, or as the end of a link. And how it would be
    solved."""

    spot: dict[str, Any] | None = None
    text: str | None = None
    link: str | None = None
    algorithm: str | None = None
    half: bool = False


@dataclass(frozen=True)
class RangeAsked:
    """A range as a text, or as 1,326 weights in our order of hands."""

    text: str | None = None
    weights: list[Any] | None = None


@dataclass(frozen=True)
class LineAsked:
    """A point of a solved spot: its line, words separated by commas."""

    line: str = ""
    evs: bool = False


@dataclass(frozen=True)
class EditAsked:
    """What some hands are to play: nothing for every hand, `overall` for the range as a whole, AKs, AhKh, sets."""

    mix: dict[str, Any]
    hands: str = ""


@dataclass(frozen=True)
class LockAsked:
    """A decision to lock: its line, edits in their order, and whether other hands stay as they were solved."""

    line: str
    edits: list[Any]
    keep: bool = False


@dataclass(frozen=True)
class LockedRun:
    """A run with locks, each as `LockAsked`, and where it ends."""

    locks: list[Any]
    until: float | str | None = None
    iterations: int | None = None
    seconds: float | None = None
    name: str = ""


@dataclass(frozen=True)
class TrainingAsked:
    """A training: from which line on, in which seat (oop, ip or both), and the seed of its deals."""

    line: str = ""
    seat: str = "both"
    seed: int | None = None


@dataclass(frozen=True)
class AnswerAsked:
    """An answer to the decision that a line has led to."""

    line: str
    action: str


@dataclass(frozen=True)
class CompareAsked:
    """A point of a solved spot, and the run that was before."""

    before: str
    line: str = ""


@dataclass(frozen=True)
class TextAsked:
    """A point of a solved spot, or a report, and the format it is told in; the first there is, if none is named."""

    line: str = ""
    format: str = ""

    def among(self, formats: Iterable[str]) -> str:
        """The format, which is one of those there are."""
        first, *others = formats
        if self.format and self.format not in (first, *others):
            raise RueError(f"there is no format {self.format[:20]!r}; {nearest(self.format[:20], (first, *others))}")
        return self.format or first


@dataclass(frozen=True)
class HandsAsked:
    """Hands by what a player calls them on a board, such as top pair with flush draw."""

    board: str
    hands: str


def read(kind: type[Asked], data: Any) -> Asked:
    """The request of a JSON object.

    >>> read(Further, {"until": "0.2%"})
    Further(until='0.2%', iterations=None, seconds=None)
    >>> read(LineAsked, {"line": 3})
    Traceback (most recent call last):
    rue.errors.RueError: 'line' must be a text, not 3
    """
    if not isinstance(data, Mapping):
        raise RueError("a request is a JSON object")
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise RueError(f"a request has no {quoted(name)} here; {nearest(str(name), known)}")
    hints = get_type_hints(kind)
    found = {}
    for name, each in known.items():
        if name in data:
            found[name] = _checked(name, data[name], hints[name])
        elif each.default is MISSING:
            raise RueError(f"the request has no {name!r}")
    return kind(**found)


def _checked(name: str, value: Any, hint: Any) -> Any:
    kinds = [get_origin(kind) or kind for kind in (get_args(hint) if isinstance(hint, UnionType) else (hint,))]
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, kind) and not (kind in (int, float) and isinstance(value, bool)):
            if isinstance(value, str) and len(value) > LONGEST:
                raise RueError(f"{name!r} is too long: {len(value):,} characters")
            return value
    told = " or ".join(KINDS[kind] for kind in kinds if kind is not NoneType)
    raise RueError(f"{name!r} must be {told}, not {quoted(value) if isinstance(value, str) else str(value)[:100]}")
