"""Hash what a user's function does: its code and everything that the code reads.

Code is hashed as Python compiles it, because some functions have no source text; installed code (the standard library,
numpy, zerosum) is hashed by its name. Two processes with the same version of Python compute the same hash.
"""

from __future__ import annotations

import copyreg
import dis
import functools
import hashlib
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.support.errors import ZerosumError
from zerosum.support.source_hash import PACKAGE
from zerosum.support.validation import short_repr

PYTHON = str(sys.implementation.cache_tag)
"""The Python that compiled a function: other versions compile it differently."""
PLAIN_TYPES = {bool, int, float, complex, str, bytes, type(None), type(...)}
"""Types whose `repr` determines the value."""
INSTALL_PATHS = "stdlib", "platstdlib", "purelib", "platlib"
INSTALLED = {str(PACKAGE), *(sysconfig.get_path(name) for name in INSTALL_PATHS)}
METHODS = types.FunctionType, staticmethod, classmethod, property
GLOBAL_OPCODES = "LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"
"""Bytecode instructions that read a global by its name."""
FOLDERS = ("site-packages", "dist-packages")


def fingerprint_function(function: Callable[..., Any]) -> str:
    """Return a hash of a function, or of another callable object.

    >>> def times(factor):
    ...     return lambda t: factor * t
    >>> len({fingerprint_function(times(factor)) for factor in (2, 2, 3)})
    2
    """
    try:
        return _ValueHasher().hash_value(function).hex()
    except RecursionError:
        raise _fingerprint_error(function) from None


def _fingerprint_error(value: object) -> ZerosumError:
    return ZerosumError(
        f"an algorithm whose function reads {short_repr(value)} cannot be saved: no hash can be computed from it"
    )


class _ValueHasher:
    """Hashes values by their parts, each value once; a value that contains itself is hashed by the nesting depth."""

    def __init__(self) -> None:
        self._hashes: dict[int, tuple[object, bytes]] = {}
        """Values and their hashes by `id`, which stays theirs because the values are referenced here."""
        self._enclosing: list[int] = []

    def hash_value(self, value: Any) -> bytes:
        if type(value) in PLAIN_TYPES:
            return _hash_parts(type(value).__name__, repr(value))
        key = id(value)
        if key in self._enclosing:
            return _hash_parts("around", len(self._enclosing) - self._enclosing.index(key))
        if key not in self._hashes:
            self._enclosing.append(key)
            try:
                self._hashes[key] = value, _hash_parts(*self._list_parts(value))
            finally:
                self._enclosing.pop()
        return self._hashes[key][1]

    def _list_parts(self, value: Any) -> Iterator[Any]:
        """Yield the parts of a value: strings, numbers and hashes."""
        kind: Any = type(value)
        if kind.__module__.partition(".")[0] == "numba" and hasattr(value, "py_func"):
            yield self.hash_value(value.py_func)
        elif kind in (list, tuple) and PLAIN_TYPES.issuperset(map(type, value)):
            yield from (kind.__name__, repr(value))
        elif kind in (list, tuple):
            yield from (kind.__name__, *map(self.hash_value, value))
        elif kind in (dict, types.MappingProxyType):
            yield from ("dict", *(self.hash_value(part) for item in value.items() for part in item))
        elif kind in (set, frozenset):
            yield from (kind.__name__, *sorted(map(self.hash_value, value)))
        elif kind is np.ndarray and not value.dtype.hasobject:
            yield from ("array", value.dtype.descr, value.shape, value.tobytes())
        elif kind is types.ModuleType:
            yield from ("module", value.__name__)
        elif kind is types.CodeType:
            yield from self._list_code_parts(value)
        elif kind is types.FunctionType:
            yield from self._list_function_parts(value)
        elif kind is types.MethodType:
            yield from ("method", self.hash_value(value.__func__), self.hash_value(value.__self__))
        elif kind in (staticmethod, classmethod):
            yield from (kind.__name__, self.hash_value(value.__func__))
        elif kind is property:
            yield from ("property", *map(self.hash_value, (value.fget, value.fset)))
        elif kind is functools.cached_property:
            yield from ("cached", self.hash_value(value.func))
        elif kind in (types.MemberDescriptorType, types.GetSetDescriptorType):
            yield from ("slot", value.__name__)
        elif isinstance(value, type):
            yield from self._list_class_parts(value)
        else:
            yield from self._list_object_parts(value)

    def _list_code_parts(self, code: types.CodeType) -> Iterator[Any]:
        """Yield the parts of code: local variables by position, parameters by name."""
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        yield from ("code", counts, parameters, code.co_names, code.co_code, getattr(code, "co_exceptiontable", b""))
        yield from map(self.hash_value, code.co_consts)

    def _list_function_parts(self, function: types.FunctionType) -> Iterator[Any]:
        """Yield the code of a function and the globals that it reads; of an installed function only its name."""
        code = function.__code__
        yield "function"
        if _is_installed(code.co_filename):
            yield from (function.__module__, function.__qualname__)
        else:
            yield self.hash_value(code)
            for name, value in sorted(_read_globals(function).items()):
                yield from (name, self.hash_value(value))
        yield from map(self.hash_value, (function.__defaults__, function.__kwdefaults__, function.__dict__))
        for cell in function.__closure__ or ():
            try:
                enclosed = cell.cell_contents
            except ValueError:  # not filled yet
                enclosed = None
            yield self.hash_value(enclosed)

    def _list_class_parts(self, kind: type) -> Iterator[Any]:
        """Yield the methods and values of a class and of its bases; of installed classes only their names."""
        yield "class"
        for base in kind.__mro__:
            if _is_installed_module(base.__module__):
                yield from (base.__module__, base.__qualname__)
                continue
            for name, value in sorted(vars(base).items()):
                hidden = name.startswith("__") and name.endswith("__") and not isinstance(value, METHODS)
                if not hidden and name != "_abc_impl":
                    yield from (name, self.hash_value(value))

    def _list_object_parts(self, value: Any) -> Iterator[Any]:
        """Yield the class of an object and its state as a copy would take it."""
        kind = type(value)
        try:
            reducer = copyreg.dispatch_table.get(kind)
            reduced = reducer(value) if reducer else value.__reduce_ex__(2)
        except Exception:
            raise _fingerprint_error(value) from None
        yield self.hash_value(kind)
        if isinstance(reduced, str):
            yield from (str(getattr(value, "__module__", "")), reduced, self.hash_value(getattr(value, "__dict__", {})))
            return
        for part in reduced:
            yield self.hash_value(list(part) if isinstance(part, Iterator) else part)


def _hash_parts(*parts: Any) -> bytes:
    """Return a hash of strings, numbers and hashes."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


def _read_globals(function: types.FunctionType) -> dict[str, Any]:
    """Return the globals that a function reads, and what it reads from modules that are not installed."""
    values: dict[str, Any] = {}
    codes = list(_list_nested_codes(function.__code__))
    attributes = {name for code in codes for name in code.co_names}
    steps = (step for code in codes for step in dis.get_instructions(code))
    for name in {step.argval for step in steps if step.opname in GLOBAL_OPCODES} & function.__globals__.keys():
        value = values[name] = function.__globals__[name]
        if isinstance(value, types.ModuleType) and not _is_installed_module(value.__name__):
            values |= {f"{name}.{part}": vars(value)[part] for part in attributes if part in vars(value)}
    return values


def _list_nested_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of a function and of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _list_nested_codes(constant)


def _is_installed(file: str) -> bool:
    """Return whether a file belongs to Python, to an installed package or to zerosum."""
    if file.startswith("<frozen"):
        return True
    path = Path(file)
    return any(path.is_relative_to(folder) for folder in INSTALLED) or any(name in path.parts for name in FOLDERS)


def _is_installed_module(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names and name != "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and _is_installed(file)
