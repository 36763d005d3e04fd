"""What a function of one's own does, as a hash: its code, and all that the code reads.

Code is taken as Python compiles it, so that functions made without a text have it too; what is installed (Python's own
library, numpy, rue) is taken by its name. Two processes with the same Python find the same hash.
"""

from __future__ import annotations

import copyreg
import dis
import functools
import hashlib
import sys
import sysconfig
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rue.checked import shown
from rue.errors import RueError
from rue.sources import PACKAGE

PYTHON = str(sys.implementation.cache_tag)
"""Whose code it is: other versions compile it to something else."""
PLAIN = {bool, int, float, complex, str, bytes, type(None), type(...)}
"""Kinds whose text tells all of a value."""
PLACES = "stdlib", "platstdlib", "purelib", "platlib"
INSTALLED = {str(PACKAGE), *(sysconfig.get_path(place) for place in PLACES)}
METHODS = types.FunctionType, staticmethod, classmethod, property
NAMED = "LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"
"""What reads a global by its name."""
FOLDERS = ("site-packages", "dist-packages")


def fingerprint(function: Callable[..., Any]) -> str:
    """A hash of a function, or of an object that is called like one.

    >>> def times(factor):
    ...     return lambda t: factor * t
    >>> fingerprint(times(2)) == fingerprint(times(2)), fingerprint(times(2)) == fingerprint(times(3))
    (True, False)
    """
    try:
        return _Reader().read(function).hex()
    except RecursionError:
        raise _unknown(function) from None


def _unknown(value: object) -> RueError:
    return RueError(f"an algorithm whose function reads {shown(value)} cannot be saved: nothing tells it from others")


class _Reader:
    """Reads values and what they are made of, each once; a value inside itself is told by how far out it is."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, bytes]] = {}
        """By their places in memory, which they keep as long as they are held here."""
        self._around: list[int] = []

    def read(self, value: Any) -> bytes:
        """The hash of a value."""
        if type(value) in PLAIN:
            return _hash(type(value).__name__, repr(value))
        place = id(value)
        if place in self._around:
            return _hash("around", len(self._around) - self._around.index(place))
        if place not in self._known:
            self._around.append(place)
            try:
                self._known[place] = value, _hash(*self._parts(value))
            finally:
                self._around.pop()
        return self._known[place][1]

    def _parts(self, value: Any) -> Iterator[Any]:
        """What a value is made of: words and hashes."""
        kind: Any = type(value)
        if kind.__module__.partition(".")[0] == "numba" and hasattr(value, "py_func"):
            yield self.read(value.py_func)
        elif kind in (list, tuple) and PLAIN.issuperset(map(type, value)):
            yield from (kind.__name__, repr(value))
        elif kind in (list, tuple):
            yield from (kind.__name__, *map(self.read, value))
        elif kind in (dict, types.MappingProxyType):
            yield from ("dict", *(self.read(part) for item in value.items() for part in item))
        elif kind in (set, frozenset):
            yield from (kind.__name__, *sorted(map(self.read, value)))
        elif kind is np.ndarray and not value.dtype.hasobject:
            yield from ("array", value.dtype.descr, value.shape, value.tobytes())
        elif kind is types.ModuleType:
            yield from ("module", value.__name__)
        elif kind is types.CodeType:
            yield from self._code(value)
        elif kind is types.FunctionType:
            yield from self._function(value)
        elif kind is types.MethodType:
            yield from ("method", self.read(value.__func__), self.read(value.__self__))
        elif kind in (staticmethod, classmethod):
            yield from (kind.__name__, self.read(value.__func__))
        elif kind is property:
            yield from ("property", *map(self.read, (value.fget, value.fset)))
        elif kind is functools.cached_property:
            yield from ("cached", self.read(value.func))
        elif kind in (types.MemberDescriptorType, types.GetSetDescriptorType):
            yield from ("slot", value.__name__)
        elif isinstance(value, type):
            yield from self._class(value)
        else:
            yield from self._object(value)

    def _code(self, code: types.CodeType) -> Iterator[Any]:
        """How it is compiled; variables count by their places, parameters by their names."""
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        yield from ("code", counts, parameters, code.co_names, code.co_code, getattr(code, "co_exceptiontable", b""))
        yield from map(self.read, code.co_consts)

    def _function(self, function: types.FunctionType) -> Iterator[Any]:
        """Its code with the globals that it reads; of what is installed the name."""
        code = function.__code__
        yield "function"
        if _is_installed(code.co_filename):
            yield from (function.__module__, function.__qualname__)
        else:
            yield self.read(code)
            for name, value in sorted(_globals(function).items()):
                yield from (name, self.read(value))
        yield from map(self.read, (function.__defaults__, function.__kwdefaults__, function.__dict__))
        for cell in function.__closure__ or ():
            try:
                enclosed = cell.cell_contents
            except ValueError:  # not filled yet
                enclosed = None
            yield self.read(enclosed)

    def _class(self, kind: type) -> Iterator[Any]:
        """Its methods and values and those of the classes it is made from; of what is installed the names."""
        yield "class"
        for each in kind.__mro__:
            if _is_installed_module(each.__module__):
                yield from (each.__module__, each.__qualname__)
                continue
            for name, value in sorted(vars(each).items()):
                hidden = name.startswith("__") and name.endswith("__") and not isinstance(value, METHODS)
                if not hidden and name != "_abc_impl":
                    yield from (name, self.read(value))

    def _object(self, value: Any) -> Iterator[Any]:
        """Its class, and its state as a copy would take it."""
        kind = type(value)
        try:
            reduced = (copyreg.dispatch_table.get(kind) or _reduced)(value)
        except Exception:
            raise _unknown(value) from None
        yield self.read(kind)
        if isinstance(reduced, str):
            yield from (str(getattr(value, "__module__", "")), reduced, self.read(getattr(value, "__dict__", {})))
            return
        for part in reduced:
            yield self.read(list(part) if isinstance(part, Iterator) else part)


def _reduced(value: Any) -> Any:
    return value.__reduce_ex__(2)


def _hash(*parts: Any) -> bytes:
    """A hash of words, numbers and hashes."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


def _globals(function: types.FunctionType) -> dict[str, Any]:
    """The globals that a function reads, and what it takes from modules of one's own."""
    found: dict[str, Any] = {}
    codes = list(_codes(function.__code__))
    taken = {name for code in codes for name in code.co_names}
    for name in {name for code in codes for name in _named(code)}:
        value = function.__globals__.get(name, found)
        if value is not found:
            found[name] = value
        if isinstance(value, types.ModuleType) and not _is_installed_module(value.__name__):
            found |= {f"{name}.{part}": vars(value)[part] for part in taken if part in vars(value)}
    return found


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function and of those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes(each)


def _named(code: types.CodeType) -> Iterable[str]:
    return (each.argval for each in dis.get_instructions(code) if each.opname in NAMED)


def _is_installed(file: str) -> bool:
    """Whether a file is part of Python, of a package that is installed, or of rue."""
    if file.startswith("<frozen"):
        return True
    path = Path(file)
    return any(path.is_relative_to(folder) for folder in INSTALLED) or any(name in path.parts for name in FOLDERS)


def _is_installed_module(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names and name != "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and _is_installed(file)
