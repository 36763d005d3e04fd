"""Declare an option once: its type, its bounds and its help.

A group of options is a `TypedDict` whose fields are `Annotated[type, Option(...)]`:

    class LimitOptions(TypedDict, total=False):
        iterations: Annotated[int | None, Option("Stop after N iterations.", "N", COUNT, least=1)]

Five places read the same declaration: the command line, the keyword arguments of a Python function
(`**options: Unpack[LimitOptions]`, which is why it is a `TypedDict`), requests of the page, files, and the tables of
the manual. `check_options` checks values from any of them, and its messages name an option as that source spells it.
"""

from __future__ import annotations

import builtins
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from numbers import Integral
from pathlib import Path, PurePath
from types import UnionType
from typing import Annotated, Any, ForwardRef, NamedTuple, Union, get_args, get_origin, is_typeddict

from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.validation import is_number, short_repr

MAX_TYPED_INTEGER = 10**18
"""The largest whole number that may be typed."""
MAX_BITS = 4096
"""The longest whole number in Python: a message cannot show a longer one, which Python refuses to write in decimal."""


class Source(Enum):
    """Where the values of options come from, which decides how messages spell their names."""

    PYTHON = "python"
    COMMAND_LINE = "command line"
    REQUEST = "request"
    FILE = "file"


class Naming(NamedTuple):
    """How messages spell options: the source, and the flags of the command line that differ from the option's name."""

    source: Source = Source.PYTHON
    flags: Mapping[str, str] = {}


_naming: ContextVar[Naming | None] = ContextVar("naming", default=None)


@contextmanager
def options_come_from(source: Source, flags: Mapping[str, str] | None = None) -> Iterator[None]:
    """Spell options in messages as this source does, for the duration of a `with` block."""
    token = _naming.set(Naming(source, flags or {}))
    try:
        yield
    finally:
        _naming.reset(token)


def option_name(name: str, value: Any = None) -> str:
    """Spell an option, or an option with a value, as the caller wrote it.

    >>> option_name("start_from"), option_name("fill", "uniform"), option_name("half", True)
    ('start_from', "fill='uniform'", 'half=True')
    >>> with options_come_from(Source.COMMAND_LINE, {"folder": "--data"}):
    ...     print(option_name("start_from"), option_name("fill", "uniform"), option_name("folder"))
    --start-from --fill uniform --data
    """
    source, flags = _naming.get() or Naming()
    if source is Source.COMMAND_LINE:
        flag = flags.get(name, f"--{'no-' if value is False else ''}{name.replace('_', '-')}")
        return flag if value is None or isinstance(value, bool) else f"{flag} {value}"
    if source is Source.PYTHON:
        return name if value is None else f"{name}={value!r}"
    return repr(name) if source is Source.REQUEST else name


def parse_integer(text: str) -> int:
    """Read a whole number, also one written 1e6, 1,000,000 or 1_000_000.

    >>> parse_integer("2000"), parse_integer("1e6"), parse_integer("12345678901234567")
    (2000, 1000000, 12345678901234567)
    """
    plain = text.strip().replace(",", "").replace("_", "")
    try:
        exact = plain.lstrip("+-").isdecimal() and len(plain) < 100
        number = int(plain) if exact else float(plain)
        if number != int(number):
            raise ValueError
    except (ValueError, OverflowError):
        raise ZerosumError(f"{text!r} is not a whole number") from None
    if abs(number) > MAX_TYPED_INTEGER:
        raise ZerosumError(f"{text!r} is too large")
    return int(number)


def parse_number(text: str) -> float:
    """Read a number.

    >>> parse_number("0.5"), parse_number("1e-3")
    (0.5, 0.001)
    """
    try:
        return float(text)
    except ValueError:
        raise ZerosumError(f"{text!r} is not a number") from None


@dataclass(frozen=True)
class Kind:
    """The values that an option takes: their name in messages, a check of a value, and a parser of typed text."""

    noun: str
    accepts: Callable[[Any], bool]
    parse: Callable[[str], Any] = str


def _is_number_or_text(value: Any) -> bool:
    return isinstance(value, str) or is_number(value)


TEXT = Kind("a string", lambda value: isinstance(value, str))
PATH = Kind("the name of a file or folder", lambda value: isinstance(value, str | PurePath), Path)
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
INTEGER = Kind("a whole number", lambda value: is_number(value) and isinstance(value, Integral), parse_integer)
COUNT = Kind(
    "a whole number", lambda value: is_number(value) and math.isfinite(value) and value % 1 == 0, parse_integer
)
"""A whole number that may be a float such as 1e7."""
NUMBER = Kind("a number", is_number, parse_number)
COUNT_OR_MORE = Kind("a whole number, or one with a plus like +1000", _is_number_or_text)
"""A total number or, with a plus, an additional number; the resumed run parses it."""
AMOUNT = Kind("a number, or in hold'em a share of the pot like 0.5%", _is_number_or_text)
"""Its meaning depends on the unit of the problem, which parses the text."""
SHARE = Kind("a share like 5%", _is_number_or_text)
NUMBER_OR_TEXT = Kind("a number or a text", _is_number_or_text)
TEXTS = Kind("a list of strings", lambda value: isinstance(value, list | tuple) and all(map(TEXT.accepts, value)))
OBJECT = Kind("an object", lambda value: isinstance(value, Mapping))
LIST = Kind("a list", lambda value: isinstance(value, list))
ANYTHING = Kind("anything", lambda value: True)
KINDS: dict[Any, Kind] = {str: TEXT, Path: PATH, bool: FLAG, int: INTEGER, float: NUMBER, dict: OBJECT, list: LIST}
"""The kind of a type, where an option names no other."""


@dataclass(frozen=True)
class Option:
    """The declaration of an option, apart from its name and type.

    help          one sentence, for the help page and the manual
    manual        more text, for the manual only
    title         the label of the option in a form, where its name is not clear enough
    default       the value of an option that is left out; a bool with the default True has a flag that switches it off
    default_text  how the help page and the manual describe the default
    flags         the spellings on the command line, if they are not just the name; None keeps the option off it
    many          whether the option may be repeated
    """

    help: str = ""
    metavar: str = ""
    kind: Kind | None = None
    title: str = ""
    least: float | None = None
    choices: tuple[str, ...] = ()
    default: Any = None
    default_text: str = ""
    flags: tuple[str, ...] | None = ()
    panel: str = "Options"
    required: bool = False
    many: bool = False
    manual: str = ""


class Argument(Option):
    """An option that is written without its name on the command line."""


@dataclass(frozen=True)
class Declaration:
    """An option of a group: its name, its kind, its declaration, and the group of a nested object."""

    name: str
    kind: Kind
    option: Option
    group: type | None = None

    @property
    def flags(self) -> tuple[str, ...]:
        """The spellings on the command line."""
        prefix = "no-" if self.option.default is True else ""
        return self.option.flags or (f"--{prefix}{self.name.replace('_', '-')}",)

    @property
    def many(self) -> bool:
        """Whether the option may be repeated on the command line."""
        return self.option.many or self.kind is TEXTS

    @property
    def noun(self) -> str:
        """What a value must be."""
        if self.option.choices:
            *others, last = self.option.choices
            return f"{', '.join(others)} or {last}" if others else last
        head, comma, tail = self.kind.noun.partition(",")
        bound = "" if self.option.least is None else f" of at least {self.option.least:g}"
        return f"{head}{bound}{comma}{tail}"

    def check(self, value: Any) -> Any:
        """Return a value that this option takes, or raise an error that names the option."""
        if value is None and not self.option.required:
            return None
        option = self.option
        good = self.kind.accepts(value) and (not option.choices or value in option.choices)
        if good and option.least is not None and not isinstance(value, str):
            good = math.isfinite(value) and value >= option.least
        if not good:
            raise ZerosumError(f"{option_name(self.name)} must be {self.noun}, not {short_repr(value)}")
        if self.group is not None:
            return (
                [check_options(self.group, item) for item in value]
                if self.kind is LIST
                else check_options(self.group, value)
            )
        return value

    def parse(self, text: str) -> Any:
        """Read typed text."""
        try:
            return self.kind.parse(text)
        except ZerosumError as error:
            raise ZerosumError(f"{option_name(self.name)}: {error}") from None


@cache
def read_declarations(group: type) -> dict[str, Declaration]:
    """Return the options of a group by name; a group may also be a dataclass, whose fields are required or not."""
    if not is_dataclass(group):
        return {name: _make_declaration(name, _evaluate_hint(hint)) for name, hint in group.__annotations__.items()}
    modules = {name: base.__module__ for base in reversed(group.__mro__) for name in inspect.get_annotations(base)}
    listed = [(item, _evaluate_hint(ForwardRef(str(item.type), module=modules[item.name]))) for item in fields(group)]
    return {item.name: _make_declaration(item.name, hint, item.default is MISSING) for item, hint in listed}


class _Names(dict[str, Any]):
    """The names of a module; those that are imported only for type checkers stand for any type."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def _evaluate_hint(hint: Any) -> Any:
    if not isinstance(hint, ForwardRef):
        return hint
    return eval(hint.__forward_arg__, {}, _Names(vars(sys.modules[str(hint.__forward_module__)])))


def _make_declaration(name: str, hint: Any, required: bool = False) -> Declaration:
    option = Option(required=required)
    if get_origin(hint) is Annotated:
        hint, option, *_ = get_args(hint)
    types = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    types = tuple(member for member in types if member is not type(None))
    if option.kind is not None:
        return Declaration(name, option.kind, option)
    if len(types) > 1:
        return Declaration(name, NUMBER_OR_TEXT if set(types) <= {int, float, str} else ANYTHING, option)
    (kind,) = types
    members = get_args(kind)
    if get_origin(kind) is list and members == (str,):
        return Declaration(name, TEXTS, option)
    if is_typeddict(kind):
        return Declaration(name, OBJECT, option, kind)
    if get_origin(kind) is list and is_typeddict(members[0]):
        return Declaration(name, LIST, option, members[0])
    return Declaration(name, KINDS.get(get_origin(kind) or kind, ANYTHING), option)


def check_options(group: type, values: Any, noun: str = "") -> dict[str, Any]:
    """Return the options of a group after checking their names and values.

    `noun` names what the options belong to, such as a request or a spot.

    >>> from typing import TypedDict
    >>> Times = TypedDict("Times", {"seconds": Annotated[float, Option(least=0)], "line": str}, total=False)
    >>> check_options(Times, {"seconds": 3})
    {'seconds': 3}
    >>> check_options(Times, {"seconds": -1})
    Traceback (most recent call last):
    zerosum.ZerosumError: seconds must be a number of at least 0, not -1
    >>> check_options(Times, {"secs": 3})
    Traceback (most recent call last):
    zerosum.ZerosumError: there is no option 'secs'; did you mean seconds?
    """
    if not isinstance(values, Mapping):
        raise ZerosumError(
            f"a {noun or 'group of options'} must be an object of names and values, not {short_repr(values)}"
        )
    declared = read_declarations(group)
    for name, value in values.items():
        if name not in declared:
            place = f"a {noun} has no" if noun else "there is no option"
            raise ZerosumError(f"{place} {short_repr(name)}; {suggest_names(str(name), declared)}")
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise ZerosumError(f"{option_name(name)} cannot be a number of more than {MAX_BITS} bits")
    for name, declaration in declared.items():
        if declaration.option.required and name not in values:
            raise ZerosumError(f"the {noun or 'call'} needs {option_name(name)}")
    return {name: declared[name].check(value) for name, value in values.items()}


def select_options(group: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that belong to a group and have a value."""
    return {name: options[name] for name in group.__annotations__ if options.get(name) is not None}
