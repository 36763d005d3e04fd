"""Read requests from JSON and from queries, and check them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from zerosum.engine.limits import Iterations, Seconds, Until
from zerosum.support.errors import ZerosumError
from zerosum.support.options import FLAG, Source, check_options, option_name, options_come_from, read_declarations

RequestT = TypeVar("RequestT")
MAX_CHARACTERS = 200_000
"""Characters of a text."""
FLAG_VALUES = {"1": True, "0": False}
"""How flags are written in a query."""


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


def decode_request(kind: type[RequestT], data: Any) -> RequestT:
    """Return the request that a JSON object holds, after checking its names and values; null stands for the default.

    >>> decode_request(LimitRequest, {"until": "0.2%"})
    LimitRequest(until='0.2%', iterations=None, seconds=None)
    >>> decode_request(NewRun, {"game": 3})
    Traceback (most recent call last):
    zerosum.ZerosumError: 'game' must be a string, not 3
    """
    with options_come_from(Source.REQUEST):
        values = check_options(kind, data, "request")
        for name, value in values.items():
            if isinstance(value, str) and len(value) > MAX_CHARACTERS:
                raise ZerosumError(f"{option_name(name)} is too long: {len(value):,} characters")
    return kind(**{name: value for name, value in values.items() if value is not None})


def decode_query(kind: type[RequestT], query: Mapping[str, str]) -> RequestT:
    """Return the request of the query of an address, in which flags are written 1 and 0."""
    flags = {name for name, declaration in read_declarations(cast(type, kind)).items() if declaration.kind is FLAG}
    return decode_request(
        kind, {name: FLAG_VALUES.get(text, text) if name in flags else text for name, text in query.items()}
    )


def catch_error_message(check: Callable[..., object], *arguments: Any) -> str:
    """Return the message of the error that a check raises, or an empty text if it raises none."""
    try:
        check(*arguments)
    except ZerosumError as error:
        return str(error)
    return ""
