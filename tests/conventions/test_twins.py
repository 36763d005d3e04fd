"""Every kernel that Python calls has a plain twin, and its docstring names it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import zerosum
from twins import TWINS

ROOT = Path(zerosum.__file__).parent
DECORATORS = {"kernel", "formula", "exact_kernel", "inline", "inline_source", "exact_inline", "reassociated"}


def is_decorated(node: ast.AST) -> bool:
    """Whether a function is a kernel or a part of one."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id in DECORATORS for decorator in node.decorator_list
    )


def called_names(node: ast.AST) -> Iterator[str]:
    """The names that plain Python calls, or binds to arguments; what kernels call is left out."""
    for child in ast.iter_child_nodes(node):
        if is_decorated(child):
            continue
        if isinstance(child, ast.Call):
            function = child.func
            if isinstance(function, ast.Attribute) and function.attr == "bind":
                function = function.value
            if isinstance(function, ast.Name):
                yield function.id
        yield from called_names(child)


def kernels_called_by_python() -> set[str]:
    """The kernels that a module calls outside its own kernels, as "module:name"."""
    trees = {
        ".".join(path.relative_to(ROOT.parent).with_suffix("").parts): ast.parse(path.read_text())
        for path in ROOT.rglob("*.py")
    }
    kernels = {(module, node.name) for module, tree in trees.items() for node in tree.body if is_decorated(node)}
    called = set()
    for module, tree in trees.items():
        imported = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for name in called_names(tree):
            place = imported.get(name, (module, name))
            if place in kernels:
                called.add(":".join(place))
    return called


def test_every_kernel_that_python_calls_has_a_twin() -> None:
    assert kernels_called_by_python() <= TWINS.keys()


@pytest.mark.parametrize("place", TWINS)
def test_the_docstring_of_a_kernel_names_its_twin(place: str) -> None:
    module, name = place.split(":")
    twin_module, twin_name = TWINS[place].split(":")
    twin = importlib.import_module(twin_module)
    for part in twin_name.split("."):
        twin = getattr(twin, part)
    docstring = getattr(importlib.import_module(module), name).__doc__
    assert "plain twin" in docstring
    assert twin_module.replace(".", "/") in docstring or twin_module in docstring
