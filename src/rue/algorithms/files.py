"""A user's own algorithm from a file: `path/to/rule.py:name`."""

from __future__ import annotations

from dataclasses import replace

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError, nearest
from rue.python_files import load_module, split


def load_file(text: str) -> Algorithm:
    """The algorithm, a combination of choices or a `rue.rule`, that `path/to/rule.py:name` names."""
    path, name = split(text, "a name", "path/to/rule.py:my_rule")
    found = vars(load_module(path))
    known = [key for key, value in found.items() if isinstance(value, Algorithm)]
    if not name:
        raise RueError(f"say which name in {path} is the algorithm, like {path}:{(known or ['my_rule'])[0]}")
    if name not in found:
        hint = nearest(name, known) if known else "it has no rue.Algorithm; rue.rule(function) makes one"
        raise RueError(f"{path} has no {name}; {hint}")
    chosen = found[name]
    if not isinstance(chosen, Algorithm):
        raise RueError(f"{name} in {path} is not an rue.Algorithm; rue.rule(function) makes one of a function")
    return replace(chosen, name=" ".join(text.split()))
