"""numba as a compiler: object code of a kernel that C could call, for `rue.native.kernel` to load.

numba would optimise and emit every function together with all that it calls, again at each level of calls. Here only
what Python calls is emitted, once, with all that it needs linked in.
"""

from __future__ import annotations

import importlib
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from rue.errors import RueError
from rue.machine import cores
from rue.native.arguments import SEPARATOR
from rue.native.compiled import PLAIN
from rue.native.lean import lean
from rue.native.objects import Object, alone, object_path, read, write
from rue.native.packed import after, packed, size_of
from rue.native.packed import read as read_words

FROM_OUTSIDE = {"sched_yield", "SwitchToThread", "memset", "memcpy", "memmove"}
"""What object code may call that is not in it."""


def parsed(kinds: str) -> Any:
    """The type that numba has for a kind of argument.

    >>> print(parsed("(<f8:2,i,(d,n))"))
    Tuple(array(float64, 2d, C), int64, Tuple(float64, none))
    """
    kind, rest = _parse(kinds)
    if rest:
        raise ValueError(f"after the kinds comes {rest}")
    return kind


def _parse(text: str) -> tuple[Any, str]:
    """The first kind of a text and what follows it."""
    end = min((text.index(mark) for mark in (SEPARATOR, "(", ")") if mark in text), default=len(text))
    word, rest = text[:end], text[end:]
    if rest.startswith("("):
        members, rest = [], rest[1:]
        while not rest.startswith(")"):
            member, rest = _parse(rest.removeprefix(SEPARATOR))
            members.append(member)
        return types.BaseTuple.from_types(tuple(members), _found(word) if word else tuple), rest[1:]
    simple = {"i": types.int64, "d": types.float64, "n": types.none}
    if word in simple:
        return simple[word], rest
    number, _, axes = word.rpartition(":")
    return types.Array(numba.from_dtype(np.dtype(number)), int(axes), "C"), rest


def _found(place: str) -> Any:
    """What a module has under a name, from "module:name"."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def unpacker(kinds: Any) -> Any:
    """The function that makes the arguments of a kernel from words, the first of which is left out."""
    seen = [packed(kind) for kind in kinds]

    @intrinsic
    def unpack(typing_context: Any, words: Any) -> Any:
        together = types.Tuple(seen)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made, position = [], 1
            for kind in seen:
                made.append(read_words(context, builder, kind, after(builder, arguments[0], position)))
                position += size_of(kind)
            return context.make_tuple(builder, together, made)

        return together(words), generate

    return unpack


@intrinsic
def leave(typing_context: Any, words: Any, result: Any) -> Any:
    """Put what a kernel returns into the first word, if it returns a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(result, types.Integer):
            builder.store(context.cast(builder, arguments[1], result, types.int64), arguments[0])
        return context.get_dummy_value()

    return types.void(words, result), generate


class Linked(JITCodeLibrary):  # type: ignore[misc]
    """Functions that are linked into others and never run on their own: neither optimised together nor emitted."""

    def _optimize_final_module(self) -> None:
        """Only what all are linked into is."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Never called."""
        return 1


@contextmanager
def linking() -> Iterator[Any]:
    """numba's code generator while functions are only linked."""
    codegen = cpu_target.target_context.codegen()
    codegen._library_class, codegen.set_env = Linked, lambda name, env: None
    try:
        yield codegen
    finally:
        del codegen._library_class, codegen.set_env


def emit(kernel: Any, kind: Any) -> tuple[str, bytes]:
    """The name and the object code of a function that calls a kernel with arguments of a kind, taken from words."""
    unpack = unpacker(kind)

    @numba.njit(**PLAIN)
    def entry(words):  # type: ignore[no-untyped-def]
        leave(words, kernel(*unpack(words)))

    with global_compiler_lock, lean(), linking() as codegen:
        entry.compile((types.CPointer(types.int64),))
        (made,) = entry.overloads.values()
        made.library.finalize()
        module = made.library._final_module
        JITCodeLibrary._optimize_final_module(made.library)
    needed = {function.name for function in module.functions if function.is_declaration}
    missing = {name for name in needed if not name.startswith("llvm.")} - FROM_OUTSIDE
    if missing:
        raise ValueError(f"the object code would need {', '.join(sorted(missing))} from outside")
    return made.fndesc.llvm_func_name, codegen._tm.emit_object(module)


def make(place: str, kinds: str) -> None:
    """Make the object code of a kernel, unless somebody else has just done it."""
    path = object_path(place, kinds)
    with alone(path):
        if read(path) is None:
            name, code = emit(_found(place), parsed(kinds))
            write(path, Object(name, place, kinds, code))


def attempt(place: str, kinds: str) -> int:
    """Make it, or say in the last line why not; returns what a process ends with."""
    try:
        make(place, kinds)
    except (OSError, RueError) as error:
        print(f"{place}: {error}; $RUE_CACHE_DIR names another folder for machine code", flush=True)
        return 1
    except Exception as error:
        lines = traceback.format_exc().splitlines()
        print(*lines, f"{place}: {type(error).__name__}: {lines[-1].partition(': ')[2]}", sep="\n", flush=True)
        return 1
    return 0


def make_all(orders: list[tuple[str, str]]) -> int:
    """Make some kernels side by side, each in a child of this process: numba and the kernels are loaded once."""
    with suppress(Exception):  # a child will say what is wrong
        for place, _ in orders:
            _found(place)
    busy: dict[int, str] = {}
    failed = 0
    while orders or busy:
        if orders and len(busy) < cores():
            order, *orders = orders
            child = os.fork()
            if not child:
                os._exit(attempt(*order))
            busy[child] = order[0]
            continue
        child, status = os.wait()
        place = busy.pop(child)
        failed |= status
        if os.WIFSIGNALED(status):
            print(f"{place}: its compiler was ended by the signal {os.WTERMSIG(status)}", flush=True)
    return int(failed != 0)
