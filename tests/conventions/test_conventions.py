"""Conventions of the code that a test can check."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from zerosum.native import decorators
from zerosum.support.source_hash import PACKAGE

MOST = 6
ALLOWED = {
    "zerosum.algorithms.named_algorithms.oftrl": "its parameters are those of a name like oftrl(tuned, factor=100)",
    "zerosum.algorithms.custom_algorithms.rule": "the choices of an Algorithm, written beside a function",
}
"""Functions that take more parameters than others may, and why."""
MANIFEST = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
KERNEL_DECORATORS = {
    name for name, value in vars(decorators).items() if getattr(value, "__module__", "") == decorators.__name__
}
"""Kernels and intrinsics take their arrays one by one."""


def functions() -> Iterator[tuple[str, int]]:
    """Yield every function outside the kernels, by module and name, with its number of parameters."""
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(["zerosum", *path.relative_to(PACKAGE).with_suffix("").parts])
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not KERNEL_DECORATORS.intersection(
                decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)
            ):
                listed = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                yield f"{module}.{node.name}", sum(argument.arg not in ("self", "cls") for argument in listed)


def test_values_computed_once_are_so_for_threads_too() -> None:
    """Python's cached_property has no lock from 3.12 on, and the histories of a game are numbered where they stand."""
    taken = re.compile(r"@functools\.cached_property|from functools import .*cached_property")
    assert [path for path in PACKAGE.rglob("*.py") if taken.search(path.read_text())] == [
        PACKAGE / "support" / "thread_safety.py"
    ]


def test_options_travel_as_one_object() -> None:
    assert {name for name, count in functions() if count > MOST} == set(ALLOWED)


def test_the_table_of_layers_is_the_contract() -> None:
    """CONTRIBUTING lists the layers of pyproject in their order."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
    listed = re.findall(
        r"^\| [^|]*\| `(\w+)` \|", text.partition("## Architecture")[2].partition("###")[0], re.MULTILINE
    )
    layers = MANIFEST["tool"]["importlinter"]["contracts"][0]["layers"]
    assert ["__main__", *listed] == layers


def packages() -> Iterator[tuple[Path, set[str]]]:
    """Yield every `__init__.py` below the root of the package, with the modules and packages beside it."""
    for path in sorted(PACKAGE.rglob("__init__.py")):
        if path.parent != PACKAGE:
            modules = {module.stem for module in path.parent.glob("*.py") if module != path}
            yield path, modules | {folder.parent.name for folder in path.parent.glob("*/__init__.py")}


def test_a_package_lists_its_modules() -> None:
    """In the order in which they are best read, with a line for each."""
    for path, names in packages():
        listed = set(re.findall(r"^(\w+)/?  +\S", path.read_text().split('"""')[1], re.MULTILINE))
        data = {folder.name for folder in path.parent.iterdir() if folder.is_dir()} - names
        differing = ", ".join(sorted((listed - data) ^ names))
        assert not differing, f"{path}: its docstring and its folder differ in {differing}"


def test_a_folder_is_small_enough_to_read() -> None:
    """At most sixteen modules stand side by side."""
    assert not [path for path, _ in packages() if len(list(path.parent.glob("*.py"))) > 17]
