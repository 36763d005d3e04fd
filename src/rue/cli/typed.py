"""The layer between the command line and the commands: typer hands over texts, here they become numbers.

A command declares `int` and `float` options, and dataclasses that group options. Typer sees only texts and one flat
list of options; whatever cannot be read becomes one sentence that names the option.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import ParameterInfo

from rue.errors import RueError

LARGEST = 10**18
"""The largest whole number that is taken."""


def whole(text: str) -> int:
    """A whole number, also written 1e6, 1,000,000 or 1_000_000.

    >>> whole("2000"), whole("1e6"), whole("12345678901234567")
    (2000, 1000000, 12345678901234567)
    """
    plain = text.strip().replace(",", "").replace("_", "")
    try:
        found = int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 100 else _integral(float(plain))
    except (ValueError, OverflowError):
        raise RueError(f"{text!r} is not a whole number") from None
    if abs(found) > LARGEST:
        raise RueError(f"{text!r} is too large")
    return found


def _integral(number: float) -> int:
    if number != int(number):
        raise ValueError
    return int(number)


def natural(text: str) -> int:
    """A whole number that is not negative."""
    number = whole(text)
    if number < 0:
        raise RueError(f"{text!r} is negative; write 0 or more")
    return number


def real(text: str) -> float:
    """A number.

    >>> real("0.5"), real("1e-3")
    (0.5, 0.001)
    """
    try:
        return float(text)
    except ValueError:
        raise RueError(f"{text!r} is not a number") from None


READERS: dict[type, Callable[[str], Any]] = {int: whole, float: real}
"""How a number is read unless its option has a parser of its own."""


def option(metavar: str, help: str, *names: str, default: Any = None, **more: Any) -> Any:
    """An option, as a field of a group of options; it is called like the field unless it has other names."""
    return field(default=default, metadata={"typer": typer.Option(*names, metavar=metavar, help=help, **more)})


def flag(name: str, help: str, **more: Any) -> Any:
    """An option that is there or not, as a field of a group of options."""
    return option("", help, name, default=False, **more)


Debug = Annotated[bool, typer.Option("--debug", metavar="", help="Show the traceback of an error.")]


def readable(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer is to see it: groups of options taken apart, numbers as texts, --debug at the end."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    readers: dict[str, Callable[[str], Any]] = {}
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            parameters.append(_as_text(parameter.replace(annotation=hints[parameter.name]), readers))
            continue
        group = groups[parameter.name]
        kinds = get_type_hints(group, include_extras=True)
        for each in fields(group):
            kind, own = kinds[each.name], each.metadata.get("typer")
            kind = kind if own is None else Annotated[kind, own]
            named = parameter.replace(name=each.name, default=each.default, annotation=kind)
            parameters.append(_as_text(named, readers))
    parameters.append(inspect.Parameter("debug", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Debug))

    @wraps(command)
    def run(debug: bool, **given: Any) -> None:
        for name, reader in readers.items():
            given[name] = _read(name, given[name], reader)
        for name, group in groups.items():
            given[name] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _as_text(parameter: inspect.Parameter, readers: dict[str, Callable[[str], Any]]) -> inspect.Parameter:
    """An option that typer passes on as a text; who reads it is noted in `readers`."""
    if get_origin(parameter.annotation) is not Annotated:
        return parameter
    kind, option = get_args(parameter.annotation)
    kinds = [part for part in (get_args(kind) or (kind,)) if part is not type(None)]
    if not isinstance(option, ParameterInfo) or len(kinds) != 1 or kinds[0] not in READERS:
        return parameter
    readers[parameter.name] = option.parser or READERS[kinds[0]]
    plain = copy.copy(option)
    plain.parser = None
    default = parameter.default
    if default is not None and default is not inspect.Parameter.empty:
        default = f"{default:g}"
    text: Any = str | None if default is None else str
    return parameter.replace(annotation=Annotated[text, plain], default=default)


def _read(name: str, text: str | None, reader: Callable[[str], Any]) -> Any:
    if text is None:
        return None
    try:
        return reader(text)
    except RueError as error:
        raise RueError(f"--{name.replace('_', '-')}: {error}") from None
