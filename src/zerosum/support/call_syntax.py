"""Names with parameters, `name(1, key=value)`, as people type them for games and algorithms."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zerosum.support.errors import ZerosumError, suggest_names

_NAME = re.compile(r"^\s*([^\s()\[\],=]+)\s*(?:\((.*)\))?\s*$", re.DOTALL)
_KEY = re.compile(r"^\s*([A-Za-z_][A-Za-z_0-9]*)\s*=(.*)$", re.DOTALL)
_NUMBER = r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf)"
_INTEGER = re.compile(r"^[+-]?\d+$")
_FLOAT = re.compile(rf"^{_NUMBER}$")
_RANGE = re.compile(rf"^({_NUMBER})\s*\.\.\s*({_NUMBER})$")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")
_WORDS = {"true": True, "false": False, "none": None}
_DEEPEST = 20


@dataclass(frozen=True)
class Linear:
    """A parameter that moves from `first` at iteration 0 to `last` at the final iteration; written `1..4` in a name.

    >>> str(Linear(1, 4)), parse_call("dcfr(1..4)").args == [Linear(1, 4)]
    ('1..4', True)
    """

    first: float
    last: float

    def __str__(self) -> str:
        return f"{self.first:g}..{self.last:g}"


@dataclass(frozen=True)
class Call:
    """A parsed name: `Call("dcfr", [1.5, 0.5, 2], {})`."""

    name: str
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the name and its parameters without needless spaces.

        >>> str(parse_call("goofspiel( 5,order = Ascending)"))
        'goofspiel(5, order=ascending)'
        """
        arguments = [*map(format_argument, self.args), *(f"{k}={format_argument(v)}" for k, v in self.kwargs.items())]
        return f"{self.name}({', '.join(arguments)})" if arguments else self.name


def parse_call(text: str) -> Call:
    """Read `name`, `name(1, 2)` or `name(1, key=[2, 3])`.

    >>> parse_call("leduc-nl(stack=5)")
    Call(name='leduc-nl', args=[], kwargs={'stack': 5})
    >>> parse_call("matrix([[1, 0.9], [-0.7, 1]])").args
    [[[1, 0.9], [-0.7, 1]]]
    >>> parse_call("dcfr(1..4, -inf, 2)").args
    [Linear(first=1.0, last=4.0), -inf, 2]
    """
    match = _NAME.match(text)
    if match is None:
        raise ZerosumError(f"cannot read {text!r}: write a name, or a name with parameters like name(1, key=2)")
    call = Call(match[1].lower())
    for part in _split_at_commas(match[2], text) if match[2] else []:
        key = _KEY.match(part)
        if key is None:
            if call.kwargs:
                raise ZerosumError(f"cannot read {text!r}: {part.strip()!r} comes after a named parameter; name it too")
            call.args.append(_parse_value(part, text))
        elif key[1] in call.kwargs:
            raise ZerosumError(f"cannot read {text!r}: parameter {key[1]!r} is given twice")
        else:
            call.kwargs[key[1]] = _parse_value(key[2], text)
    return call


def bind_arguments(call: Call, function: Callable[..., Any]) -> inspect.BoundArguments:
    """Bind the parameters of a call to those of a function; raise an error if they do not fit."""
    parameters = inspect.signature(function).parameters
    takes = ", ".join(parameters) or "no parameters"
    unknown = [key for key in call.kwargs if key not in parameters]
    if unknown:
        hint = suggest_names(unknown[0], parameters) if parameters else "it takes no parameters"
        raise ZerosumError(f"{call.name} has no parameter {unknown[0]!r}; {hint}")
    try:
        return inspect.signature(function).bind(*call.args, **call.kwargs)
    except TypeError as error:
        raise ZerosumError(f"{call.name} takes {takes}: {error}") from None


def list_default_arguments(function: Callable[..., Any]) -> dict[str, str | None]:
    """Return the parameters of a function with their defaults as people type them; None where there is no default.

    >>> list_default_arguments(lambda stack, suits=2: None)
    {'stack': None, 'suits': '2'}
    """
    parameters = inspect.signature(function).parameters.values()
    return {
        parameter.name: None if parameter.default is parameter.empty else format_argument(parameter.default)
        for parameter in parameters
        if parameter.kind != parameter.VAR_KEYWORD
    }


def format_argument(value: Any) -> str:
    """Return the value of a parameter as people type it.

    >>> format_argument((1, 2)), format_argument(True), format_argument(None), format_argument("known")
    ('[1, 2]', 'true', 'none', 'known')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(format_argument, value))}]"
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _split_at_commas(text: str, whole: str) -> list[str]:
    """Split a text at the commas outside brackets; messages show the whole text."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
        if not 0 <= depth <= _DEEPEST:
            raise ZerosumError(f"cannot read {whole!r}: its brackets do not match")
    if depth:
        raise ZerosumError(f"cannot read {whole!r}: its brackets do not match")
    if text.strip():
        parts.append(text[start:])
    return parts


def _parse_value(text: str, whole: str) -> Any:
    text = text.strip()
    if not text:
        raise ZerosumError(f"cannot read {whole!r}: a parameter is empty")
    if text[0] == "[" and text[-1] == "]":
        return [_parse_value(part, whole) for part in _split_at_commas(text[1:-1], whole)]
    if _INTEGER.match(text):
        if len(text) > 18:
            raise ZerosumError(f"cannot read {whole!r}: the number {text[:12]}... is too long")
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    span = _RANGE.match(text)
    if span:
        return Linear(float(span[1]), float(span[2]))
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if any(character in text for character in "[](){}=\"'"):
        raise ZerosumError(f"cannot read {text!r} in {whole!r}: write a number, a word, a list or a range like 1..4")
    return text.lower()


def find_placeholders(text: str) -> list[str]:
    """Return the names in braces, each once.

    >>> find_placeholders("dcfr({alpha}, {beta}, {alpha})")
    ['alpha', 'beta']
    """
    return list(dict.fromkeys(_PLACEHOLDER.findall(text)))


def fill_placeholders(text: str, values: dict[str, str]) -> str:
    """Return a text with values in place of the names in braces.

    >>> fill_placeholders("dcfr({alpha}, 0, 2)", {"alpha": "1.5"})
    'dcfr(1.5, 0, 2)'
    """
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)
