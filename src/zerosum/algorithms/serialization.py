"""Algorithms to and from JSON: choices are stored by name, so loading needs neither the catalogue nor user code."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm
from zerosum.algorithms.schedules import Choice
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import short_repr

FUNCTION = "function"


def encode_algorithm(part: Any) -> Any:
    """Return an algorithm, or a part of one, as data for JSON, with fingerprints in place of user-defined functions.

    >>> from zerosum.algorithms.averages import Power
    >>> encode_algorithm(Power(2))
    {'kind': 'Power', 'power': 2, 'skip': 0}
    """
    if isinstance(part, Choice | Linear) and is_dataclass(part):
        return {"kind": type(part).__name__} | {f.name: encode_algorithm(getattr(part, f.name)) for f in fields(part)}
    if callable(part):
        from zerosum.algorithms.function_fingerprint import PYTHON, fingerprint_function

        return {"kind": FUNCTION, "python": PYTHON, "fingerprint": fingerprint_function(part)}
    if isinstance(part, float) and not math.isfinite(part):
        return {"kind": "float", "text": str(part)}
    if part is None or isinstance(part, bool | int | float | str):
        return part
    raise ZerosumError(
        f"an algorithm that contains {short_repr(part)} cannot be saved: use numbers, names, choices and functions"
    )


def decode_choice(data: Any) -> Any:
    """Return the part that `encode_algorithm` encoded; raise a ValueError if the data are of another kind."""
    if not isinstance(data, dict):
        return data
    parameters = {key: decode_choice(value) for key, value in data.items() if key != "kind"}
    kind = data.get("kind")
    if kind == "float":
        return float(parameters["text"])
    if kind == Linear.__name__:
        return Linear(**parameters)
    if kind not in Choice.registry:
        raise ValueError(f"an algorithm has no part {kind!r}")
    return Choice.registry[kind](**parameters)


def decode_algorithm(data: Any, override: str | Algorithm | None = None) -> Algorithm:
    """Return the algorithm of a saved run.

    An algorithm with a user's function must be passed again as `override`: a file never runs code.
    """
    versions = _collect_python_versions(data)
    if versions:
        from zerosum.algorithms.function_fingerprint import PYTHON

        name = data.get("name")
        if override is None:
            raise ZerosumError(
                f"this run uses {name}, which contains a user-defined function: pass it again "
                f"({option_name('algorithm', 'my_rule.py:mine')})"
            )
        chosen = algorithm(override)
        if _drop_name(encode_algorithm(chosen)) != _drop_name(data):
            reason = "or its code, or data that it reads, has changed"
            if versions != {PYTHON}:
                reason = "saved by another version of zerosum or of Python, whose functions cannot be compared"
            raise ZerosumError(f"{chosen.name} is not what this run was started with: {name}, {reason}")
        return chosen
    if override is not None:
        raise ZerosumError("a run continues with the algorithm it was started with: leave out the algorithm")
    loaded = decode_choice(data)
    if not isinstance(loaded, Algorithm):
        raise ValueError("it names no algorithm")
    return loaded


def has_custom_function(part: Any) -> bool:
    """Return whether an algorithm, or a part of one, contains a user's function."""
    if isinstance(part, Choice) and is_dataclass(part):
        return any(has_custom_function(getattr(part, field.name)) for field in fields(part))
    return callable(part)


def _collect_python_versions(data: Any) -> set[str]:
    """Return the versions of Python that compiled the functions in the data of an algorithm."""
    if not isinstance(data, dict):
        return set()
    if data.get("kind") == FUNCTION:
        return {str(data.get("python"))}
    return set().union(*map(_collect_python_versions, data.values()))


def _drop_name(data: Any) -> Any:
    """Return the data without the name, which for a file depends on the current folder."""
    return {key: value for key, value in data.items() if key != "name"}
