"""Algorithms as data and back: every choice by name, so that a run needs neither the catalogue nor any code."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from rue.algorithms import choices, sampling
from rue.algorithms.algorithm import Algorithm
from rue.algorithms.schedules import Uniform
from rue.errors import RueError
from rue.names import Linear

CHOICES: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        choices.Discount,
        choices.Exponential,
        choices.Custom,
        choices.RegretMatching,
        choices.NormalHedge,
        choices.ExponentialMatching,
        choices.Softmax,
        choices.Projection,
        choices.Anytime,
        choices.Fixed,
        choices.Theory,
        choices.Power,
        sampling.ExternalSampling,
        sampling.OutcomeSampling,
        sampling.ChanceSampling,
        sampling.PublicChanceSampling,
        Linear,
        Uniform,
        Algorithm,
    )
}
FUNCTION = "function"


def to_data(part: Any) -> Any:
    """An algorithm, or a part of one, ready for JSON; a function of one's own becomes a fingerprint.

    >>> to_data(choices.Power(2))
    {'kind': 'Power', 'power': 2, 'skip': 0}
    """
    if is_dataclass(part) and not isinstance(part, type):
        return {"kind": type(part).__name__} | {each.name: to_data(getattr(part, each.name)) for each in fields(part)}
    if callable(part):
        return {"kind": FUNCTION, "source": _source(part)}
    if isinstance(part, float) and not math.isfinite(part):
        return {"kind": "float", "text": str(part)}
    if part is None or isinstance(part, bool | int | float | str):
        return part
    raise RueError(f"an algorithm with {part!r} in it cannot be saved")


def from_data(data: Any) -> Any:
    """What `to_data` was given; what was no such thing is refused."""
    if not isinstance(data, dict):
        return data
    given = {key: from_data(value) for key, value in data.items() if key != "kind"}
    kind = data.get("kind")
    if kind == "float":
        return float(given["text"])
    if kind not in CHOICES:
        raise ValueError(f"an algorithm has no part {kind!r}")
    return CHOICES[kind](**given)


def algorithm_of(data: Any, given: str | Algorithm | None = None) -> Algorithm:
    """The algorithm of a run. One with functions of one's own has to be given again: a file never runs code."""
    if has_function(data):
        name = data.get("name")
        if given is None:
            raise RueError(
                f"this run uses {name}, which has a function of one's own in it: name it to run it, as in "
                "--algorithm my_rule.py:mine (algorithm=)"
            )
        from rue.algorithms.catalogue import algorithm

        chosen = algorithm(given)
        if _anonymous(to_data(chosen)) != _anonymous(data):
            raise RueError(f"{chosen.name} is not what this run was started with: {name}, or its text has changed")
        return chosen
    if given is not None:
        raise RueError("a run goes on with the algorithm it was started with: leave out the algorithm")
    found = from_data(data)
    if not isinstance(found, Algorithm):
        raise ValueError("it names no algorithm")
    _check(found)
    return found


def _check(found: Any) -> None:
    """Refuse what the choices themselves do not: parts of a wrong kind."""
    kinds: dict[type, dict[str, Any]] = {
        Algorithm: {
            "name": str,
            "accumulate": choices.Accumulate,
            "match": choices.Match,
            "average": choices.Power,
            "sampling": sampling.Sampling | None,
            "prediction_discounted": bool,
            "both_plans": bool,
            "instant": bool,
        },
        choices.Discount: {"floor": bool},
        choices.Exponential: {"t_power": int, "power": int},
        choices.Softmax: {"steps": choices.Steps},
        choices.Projection: {"steps": choices.Steps},
        Uniform: {"mean": float | int, "seed": int},
    }
    for name, kind in kinds.get(type(found), {}).items():
        part = getattr(found, name)
        if not isinstance(part, kind) or (isinstance(part, bool) and kind is not bool):
            raise ValueError(f"the {name} of its algorithm is {part!r}")
    if isinstance(found, choices.Exponential) and not (abs(found.t_power) < 10 and abs(found.power) < 10):
        raise ValueError("the powers of its algorithm are too large")
    if is_dataclass(found) and not isinstance(found, type):
        for each in fields(found):
            _check(getattr(found, each.name))
    elif not isinstance(found, bool | int | float | str | None):
        raise ValueError(f"its algorithm holds {found!r}")


def has_function(data: Any) -> bool:
    """Whether there is a function in an algorithm's data."""
    if not isinstance(data, dict):
        return False
    return data.get("kind") == FUNCTION or any(has_function(value) for value in data.values())


def _anonymous(data: Any) -> Any:
    """The data without the name, which for a file depends on where one stands."""
    return {key: value for key, value in data.items() if key != "name"}


def _source(function: Callable[..., Any]) -> str:
    plain = getattr(function, "py_func", function)
    try:
        text = inspect.getsource(plain)
    except (OSError, TypeError):
        text = f"{getattr(plain, '__module__', '')}.{getattr(plain, '__qualname__', repr(plain))}"
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
