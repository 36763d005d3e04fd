"""A user-defined algorithm from a file: `path/to/rule.py:name`."""

from __future__ import annotations

from dataclasses import replace

from zerosum.algorithms.algorithm import Algorithm
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import load_module, split_file_and_name


def load_algorithm_file(text: str) -> Algorithm:
    """Return the algorithm that `path/to/rule.py:name` names: a combination of choices or a `zerosum.rule`."""
    path, name = split_file_and_name(text, "a name", "path/to/rule.py:my_rule")
    variables = vars(load_module(path))
    algorithms = [key for key, value in variables.items() if isinstance(value, Algorithm)]
    if not name:
        example = (algorithms or ["my_rule"])[0]
        raise ZerosumError(f"{path} does not say which of its names is the algorithm: write {path}:{example}")
    if name not in variables:
        missing = "it has no zerosum.Algorithm: create one with zerosum.rule(function)"
        raise ZerosumError(f"{path} has no {name}; {suggest_names(name, algorithms) if algorithms else missing}")
    chosen = variables[name]
    if not isinstance(chosen, Algorithm):
        raise ZerosumError(f"{name} in {path} is not a zerosum.Algorithm: create one with zerosum.rule(function)")
    return replace(chosen, name=" ".join(text.split()))
