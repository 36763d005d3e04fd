"""Manners of the house that can be counted."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from rue.sources import PACKAGE

MOST = 6
ALLOWED = {
    "rue.algorithms.bases.oftrl": "its parameters are those that a name like oftrl(tuned, factor=100) may hold",
    "rue.algorithms.own_rule.rule": "the choices of an Algorithm, as a person writes them beside a function",
}
"""Functions that take more parameters than others may, and why."""
MANIFEST = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
KERNELS = next(each["module"] for each in MANIFEST["tool"]["mypy"]["overrides"] if "rue.regret.*" in each["module"])
"""Modules of kernels, whose arrays stand one by one; numba types them."""


def functions() -> Iterator[tuple[str, int]]:
    """Every function outside the kernels, by its module and name, and how many parameters it takes."""
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(["rue", *path.relative_to(PACKAGE).with_suffix("").parts])
        if module in KERNELS or f"{module.rpartition('.')[0]}.*" in KERNELS:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                listed = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                yield f"{module}.{node.name}", sum(each.arg not in ("self", "cls") for each in listed)


def test_what_is_worked_out_once_is_so_for_threads_too() -> None:
    """Python's cached_property has no lock from 3.12 on, and the histories of a game are numbered where they stand."""
    taken = re.compile(r"@functools\.cached_property|from functools import .*cached_property")
    assert [path for path in PACKAGE.rglob("*.py") if taken.search(path.read_text())] == [PACKAGE / "once.py"]


def test_options_travel_as_one_object() -> None:
    """A command has a parameter for each thing that may be typed, those of a kind in one object."""
    many = {name: count for name, count in functions() if count > MOST}
    commands = {name for name in many if name.startswith("rue.cli.") and name.split(".")[-2] == name.split(".")[-1]}
    assert set(many) - commands == set(ALLOWED)
    assert all(many[name] <= 12 for name in commands)
