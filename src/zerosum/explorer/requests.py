"""The requests of the page as dataclasses, read from JSON and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from zerosum.engine.limits import Iterations, Seconds, Until
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import Source, check_options, option_name, options_come_from

RequestT = TypeVar("RequestT")
LONGEST = 200_000
"""Characters of a text."""


@dataclass(frozen=True, kw_only=True)
class LimitRequest:
    """When a run ends: at the first of these limits."""

    until: Until = None
    iterations: Iterations = None
    seconds: Seconds = None

    @property
    def limits(self) -> dict[str, Any]:
        """The limits as options of a run."""
        return {"until": self.until, "iterations": self.iterations, "seconds": self.seconds}


@dataclass(frozen=True)
class NewRun(LimitRequest):
    """A run to be started: of a spot in the format of its file, or of a game by name."""

    spot: dict[str, Any] | None = None
    game: str | None = None
    algorithm: str | None = None
    half: bool = False
    name: str = ""


class ContinueRequest(LimitRequest):
    """How far a run is continued: to an exploitability, or for a number of iterations or seconds more."""


@dataclass(frozen=True)
class SpotRequest:
    """A spot, by the parts of its file, the text of a file or a link, or the end of a link; and how to solve it."""

    spot: dict[str, Any] | None = None
    text: str | None = None
    link: str | None = None
    algorithm: str | None = None
    half: bool = False


@dataclass(frozen=True)
class RangeRequest:
    """A range as a text, or as 1,326 weights in the order of `zerosum.holdem.cards`."""

    text: str | None = None
    weights: list[Any] | None = None


@dataclass(frozen=True)
class LineRequest:
    """A point of a solved spot: its line, words separated by commas."""

    line: str = ""
    evs: bool = False


@dataclass(frozen=True)
class EditRequest:
    """A strategy for some hands: `hands` is empty for all of them, `overall` for the range as a whole, or AKs, sets."""

    mix: dict[str, Any]
    hands: str = ""


@dataclass(frozen=True)
class LockRequest:
    """A decision to lock: its line, edits in their order, and whether other hands stay as they were solved."""

    line: str
    edits: list[Any]
    keep: bool = False


@dataclass(frozen=True)
class LockedRun(LimitRequest):
    """A run with locks, each as `LockRequest`, and where it ends."""

    locks: list[Any]
    name: str = ""


@dataclass(frozen=True)
class TrainingRequest:
    """A training: from which line on, in which seat (oop, ip or both), and the seed of its deals."""

    line: str = ""
    seat: str = "both"
    seed: int | None = None


@dataclass(frozen=True)
class AnswerRequest:
    """An answer to the decision that a line has led to."""

    line: str
    action: str


@dataclass(frozen=True)
class CompareRequest:
    """A point of a solved spot, and an earlier run to compare with."""

    before: str
    line: str = ""


@dataclass(frozen=True)
class TextRequest:
    """A point of a solved spot, or a report, and the format of its text; the first one by default."""

    line: str = ""
    format: str = ""

    def among(self, formats: Iterable[str]) -> str:
        """Return the format, or the first one if none is named; raise an error if it is not one of `formats`."""
        first, *others = formats
        if self.format and self.format not in (first, *others):
            raise ZerosumError(
                f"there is no format {self.format[:20]!r}; {suggest_names(self.format[:20], (first, *others))}"
            )
        return self.format or first


@dataclass(frozen=True)
class HandsRequest:
    """Hands on a board by their description, such as top pair with flush draw."""

    board: str
    hands: str


FLAGS = {"1": True, "0": False}


def read_query(kind: type[RequestT], data: Mapping[str, str]) -> RequestT:
    """Return the request of the query of an address, in which 1 and 0 are flags.

    >>> read_query(LineRequest, {"line": "check", "evs": "1"})
    LineRequest(line='check', evs=True)
    """
    return read(kind, {name: FLAGS.get(value, value) for name, value in data.items()})


def read(kind: type[RequestT], data: Any) -> RequestT:
    """Return the request that a JSON object holds, after checking its names and values.

    >>> read(ContinueRequest, {"until": "0.2%"})
    ContinueRequest(until='0.2%', iterations=None, seconds=None)
    >>> read(LineRequest, {"line": 3})
    Traceback (most recent call last):
    zerosum.ZerosumError: 'line' must be a text, not 3
    """
    with options_come_from(Source.REQUEST):
        values = check_options(kind, data, "request")
        for name, value in values.items():
            if isinstance(value, str) and len(value) > LONGEST:
                raise ZerosumError(f"{option_name(name)} is too long: {len(value):,} characters")
    return kind(**values)
