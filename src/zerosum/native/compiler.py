"""numba as a compiler: object code of a kernel, which C could call and `zerosum.native.kernel_call` loads.

By default numba optimises and emits every function together with all that it calls, again at each level of calls. Here
only the kernel that Python calls is emitted, once, with all that it needs linked in.
"""

from __future__ import annotations

import os
import traceback
from contextlib import suppress
from pkgutil import resolve_name
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from zerosum.native.code_cache import ObjectCode, lock_object_file, object_path, read_object, write_object
from zerosum.native.decorators import EXACT_OPTIONS
from zerosum.native.link_only_target import emit_object, make_dispatcher
from zerosum.native.signatures import SEPARATOR
from zerosum.native.tuple_layout import count_slots, pack_type, read_argument, slot_address
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_cores


def parse_signature(signature: str) -> Any:
    """Return the numba type of an argument's type as text.

    >>> print(parse_signature("(<f8:2,i,(d,n))"))
    Tuple(array(float64, 2d, C), int64, Tuple(float64, none))
    """
    parsed, rest = _parse_next_type(signature)
    if rest:
        raise ValueError(f"nothing may follow the argument types, but {rest} does")
    return parsed


def _parse_next_type(text: str) -> tuple[Any, str]:
    """Parse the first argument type of a text; return it and the rest of the text."""
    end = min((text.index(mark) for mark in (SEPARATOR, "(", ")") if mark in text), default=len(text))
    word, rest = text[:end], text[end:]
    if rest.startswith("("):
        members, rest = [], rest[1:]
        while not rest.startswith(")"):
            member, rest = _parse_next_type(rest.removeprefix(SEPARATOR))
            members.append(member)
        return types.BaseTuple.from_types(tuple(members), resolve_name(word) if word else tuple), rest[1:]
    simple = {"i": types.int64, "d": types.float64, "n": types.none}
    if word in simple:
        return simple[word], rest
    number, _, axes = word.rpartition(":")
    return types.Array(numba.from_dtype(np.dtype(number)), int(axes), "C"), rest


def make_unpack(argument_types: Any) -> Any:
    """Return the function that makes the arguments of a kernel from slots; the first slot is for the result."""
    members = [pack_type(member) for member in argument_types]

    @intrinsic
    def unpack(typing_context: Any, slots: Any) -> Any:
        result = types.Tuple(members)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            values, position = [], 1
            for member in members:
                values.append(read_argument(context, builder, member, slot_address(builder, arguments[0], position)))
                position += count_slots(member)
            return context.make_tuple(builder, result, values)

        return result(slots), generate

    return unpack


@intrinsic
def store_result(typing_context: Any, slots: Any, result: Any) -> Any:
    """Put what a kernel returns into the first slot, if it returns an integer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(result, types.Integer):
            builder.store(context.cast(builder, arguments[1], result, types.int64), arguments[0])
        return context.get_dummy_value()

    return types.void(slots, result), generate


def compile_to_object(kernel: Any, argument_types: Any) -> tuple[str, bytes]:
    """Return the name and the object code of a function that takes slots and calls a kernel with what they hold."""
    unpack = make_unpack(argument_types)

    def entry(slots: Any) -> None:
        store_result(slots, kernel(*unpack(slots)))  # type: ignore[call-arg]

    dispatcher = make_dispatcher(entry, EXACT_OPTIONS)
    with global_compiler_lock:
        dispatcher.compile((types.CPointer(types.int64),))
        (compiled,) = dispatcher.overloads.values()
        return compiled.fndesc.llvm_func_name, emit_object(compiled.library)


def try_compile(kernel_path: str, signature: str) -> int:
    """Write the object code of a kernel to the cache, unless another process has just done so; return the exit code.

    If that fails, the last line of the output says why.
    """
    path = object_path(kernel_path, signature)
    try:
        with lock_object_file(path):
            if read_object(path) is None:
                name, code = compile_to_object(resolve_name(kernel_path), parse_signature(signature))
                write_object(path, ObjectCode(name, kernel_path, signature, code))
    except (OSError, ZerosumError) as error:
        print(f"{kernel_path}: {error}; $ZEROSUM_CACHE_DIR names another folder for machine code", flush=True)
        return 1
    except Exception as error:
        lines = traceback.format_exc().splitlines()
        print(*lines, f"{kernel_path}: {type(error).__name__}: {lines[-1].partition(': ')[2]}", sep="\n", flush=True)
        return 1
    return 0


def compile_all(jobs: list[tuple[str, str]]) -> int:
    """Compile kernels side by side, each in a child of this process, so that numba is loaded once."""
    with suppress(Exception):  # a child will say what is wrong
        for kernel_path, _ in jobs:
            resolve_name(kernel_path)
    running: dict[int, str] = {}
    failed = 0
    while jobs or running:
        if jobs and len(running) < available_cores():
            job, *jobs = jobs
            child = os.fork()
            if not child:
                os._exit(try_compile(*job))
            running[child] = job[0]
            continue
        child, status = os.wait()
        kernel_path = running.pop(child)
        failed |= status
        if os.WIFSIGNALED(status):
            print(f"{kernel_path}: its compiler was ended by the signal {os.WTERMSIG(status)}", flush=True)
    return int(failed != 0)
