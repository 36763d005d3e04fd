"""Algorithms as data and back: every choice by name, so that a run needs neither the catalogue nor any code."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm
from rue.algorithms.choice import Choice
from rue.checked import shown
from rue.errors import RueError
from rue.names import Linear

FUNCTION = "function"


def to_data(part: Any) -> Any:
    """An algorithm, or a part of one, ready for JSON; a function of one's own becomes a fingerprint.

    >>> from rue.algorithms.averages import Power
    >>> to_data(Power(2))
    {'kind': 'Power', 'power': 2, 'skip': 0}
    """
    if isinstance(part, Choice | Linear) and is_dataclass(part):
        return {"kind": type(part).__name__} | {each.name: to_data(getattr(part, each.name)) for each in fields(part)}
    if callable(part):
        from rue.algorithms.fingerprint import PYTHON, fingerprint

        return {"kind": FUNCTION, "python": PYTHON, "fingerprint": fingerprint(part)}
    if isinstance(part, float) and not math.isfinite(part):
        return {"kind": "float", "text": str(part)}
    if part is None or isinstance(part, bool | int | float | str):
        return part
    raise RueError(f"an algorithm with {shown(part)} in it cannot be saved")


def from_data(data: Any) -> Any:
    """What `to_data` was given; what was no such thing is refused."""
    if not isinstance(data, dict):
        return data
    given = {key: from_data(value) for key, value in data.items() if key != "kind"}
    kind = data.get("kind")
    if kind == "float":
        return float(given["text"])
    if kind == Linear.__name__:
        return Linear(**given)
    if kind not in Choice.known:
        raise ValueError(f"an algorithm has no part {kind!r}")
    return Choice.known[kind](**given)


def algorithm_of(data: Any, given: str | Algorithm | None = None) -> Algorithm:
    """The algorithm of a run. One with functions of one's own has to be given again: a file never runs code."""
    if has_function(data):
        name = data.get("name")
        if given is None:
            raise RueError(
                f"this run uses {name}, which has a function of one's own in it: name it to run it "
                "(--algorithm my_rule.py:mine, algorithm=)"
            )
        chosen = algorithm(given)
        if _anonymous(to_data(chosen)) != _anonymous(data):
            raise RueError(f"{chosen.name} is not what this run was started with: {name}, {_changed(data)}")
        return chosen
    if given is not None:
        raise RueError("a run goes on with the algorithm it was started with: leave out the algorithm")
    found = from_data(data)
    if not isinstance(found, Algorithm):
        raise ValueError("it names no algorithm")
    _check(found)
    return found


def _check(found: Any) -> None:
    """Refuse parts of a wrong kind, as the annotations of the choices tell it."""
    if not isinstance(found, Choice):
        return
    hints = get_type_hints(type(found))
    for each in fields(found):  # type: ignore[arg-type]
        part = getattr(found, each.name)
        if not _fits(part, hints[each.name]):
            raise ValueError(f"the {each.name} of its algorithm is {part!r}")
        _check(part)


def _fits(part: Any, kind: Any) -> bool:
    """Whether a part is of an annotated kind; a whole number is a float, true and false are not."""
    if get_origin(kind) in (Union, UnionType):
        return any(_fits(part, one) for one in get_args(kind))
    if get_origin(kind) is Literal:
        return isinstance(part, str) and part in get_args(kind)
    if kind is Any or kind is None or kind is type(None):
        return kind is Any or part is None
    if get_origin(kind) is not None:  # a function, which no file holds
        return isinstance(part, Choice) and callable(part)
    if isinstance(part, bool) or kind is bool:
        return isinstance(part, bool) and kind is bool
    return isinstance(part, (int, float) if kind is float else kind)


def has_own_function(part: Any) -> bool:
    """Whether there is a function of one's own in an algorithm, or in a part of one."""
    if isinstance(part, Choice) and is_dataclass(part):
        return any(has_own_function(getattr(part, each.name)) for each in fields(part))
    return callable(part)


def has_function(data: Any) -> bool:
    """Whether there is a function in an algorithm's data."""
    if not isinstance(data, dict):
        return False
    return data.get("kind") == FUNCTION or any(has_function(value) for value in data.values())


def _changed(data: Any) -> str:
    """Why a function may not be the one of a run."""
    from rue.algorithms.fingerprint import PYTHON

    if _pythons(data) != {PYTHON}:
        return "which another version of rue or of Python has saved: their functions cannot be compared"
    return "or its code has changed, or what it reads"


def _pythons(data: Any) -> set[str]:
    """What compiled the functions of an algorithm's data; nothing tells it in older runs."""
    if not isinstance(data, dict):
        return set()
    if data.get("kind") == FUNCTION:
        return {str(data.get("python"))}
    return set().union(*map(_pythons, data.values()))


def _anonymous(data: Any) -> Any:
    """The data without the name, which for a file depends on where one stands."""
    return {key: value for key, value in data.items() if key != "name"}
