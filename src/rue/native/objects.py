"""Object code on the disk: one file a kernel and kinds of arguments, for these sources, this compiler, this processor.

A file is a line (a check sum, the name of the function, the kernel, the kinds of its arguments), then what the compiler
made. What was made from other sources, by another compiler or for another processor lies in another folder, so it is
never found. Code for a level of x86-64 that this processor has may come with the package (`rue.native.ship`).
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm

from rue.disk import write_atomically
from rue.sources import cache_folder, kernel_version

KEPT = 3
"""Versions whose object code is kept in any case."""
A_WEEK = 7 * 24 * 3600.0
"""Seconds for which the object code of others is kept after some was made: another process may be at it."""


SHIPPED = Path(__file__).parent / "objects"
"""Where object code lies that came with the package."""
THIRD = {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
LEVELS = {"x86-64-v4": THIRD | {f"avx512{part}" for part in ("f", "bw", "cd", "dq", "vl")}, "x86-64-v3": THIRD}
"""Levels of x86-64 that object code may come for, the best first, and what a processor of the level has."""


@cache
def processor() -> tuple[str, str]:
    """What the compiler calls the processor that code is made for, and what the processor can do.

    That is the one of this machine, or a level named by $RUE_PROCESSOR.
    """
    level = os.environ.get("RUE_PROCESSOR")
    return (level, "") if level else (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


def folder_of(name: str, features: str = "") -> str:
    """The folder of the object code for a processor, of these sources and by this compiler."""
    told = "\n".join([llvmlite.__version__, llvm.get_default_triple(), name, features])
    return f"kernels-{kernel_version()}/{hashlib.blake2b(told.encode(), digest_size=6).hexdigest()}"


@cache
def folder() -> Path:
    """Where the object code for this machine lies."""
    return cache_folder() / folder_of(*processor())


@cache
def shipped() -> tuple[Path, ...]:
    """Folders of object code that came with the package and that this processor can run."""
    if not SHIPPED.exists() or os.environ.get("RUE_PROCESSOR"):
        return ()
    able = {feature for feature, there in llvm.get_host_cpu_features().items() if there}
    return tuple(SHIPPED / folder_of(level) for level, needed in LEVELS.items() if needed <= able)


def object_path(kernel: str, kinds: str) -> Path:
    """Where the object code of a kernel for some kinds of arguments lies, or will."""
    short = hashlib.blake2b(f"{kernel} {kinds}".encode(), digest_size=8).hexdigest()
    return folder() / f"{kernel.partition(':')[2]}-{short}.o"


def found(kernel: str, kinds: str) -> Loaded | None:
    """The machine code of a kernel for some kinds of arguments, if it has been made."""
    own = object_path(kernel, kinds)
    for path in (own, *(folder / own.name for folder in shipped())):
        function = load(path)
        if function is not None:
            return function
    return None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until nobody else makes the object code of a path."""
    base = path.parent.parent
    if not base.exists():
        others = sorted(base.parent.glob("kernels-*"), key=_last_made, reverse=True)
        for stale in others[KEPT - 1 :]:
            if _last_made(stale) < time.time() - A_WEEK:
                shutil.rmtree(stale, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _last_made(version: Path) -> float:
    """When object code of a version was last made; never, if it is gone by now."""
    with suppress(OSError):
        return max(part.stat().st_mtime for part in (version, *version.iterdir()))
    return 0.0


class Object(NamedTuple):
    """Object code: the function to be called in it, the kernel, the kinds of its arguments."""

    name: str
    kernel: str
    kinds: str
    code: bytes

    @property
    def checked(self) -> str:
        """A check sum."""
        return hashlib.blake2b(" ".join(self[:3]).encode() + self.code, digest_size=16).hexdigest()


def write(path: Path, made: Object) -> None:
    """Keep object code."""
    write_atomically(path, " ".join([made.checked, *made[:3]]).encode() + b"\n" + made.code)


def read(path: Path) -> Object | None:
    """The object code of a file; None if there is no such file, or half of one."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        checked, name, kernel, kinds = head.decode().split(" ")
    except (OSError, ValueError):
        return None
    made = Object(name, kernel, kinds, code)
    return made if made.checked == checked else None


class Loaded:
    """The function in object code, which takes the address of words; called, it says as a number what went wrong, 0 if
    nothing did."""

    def __init__(self, made: Object) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target().create_target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(made.code))
        self._engine.finalize_object()
        self.address = int(self._engine.get_function_address(made.name))
        self._room = ctypes.c_int64(0), ctypes.c_void_p(0)
        result, problem = (ctypes.addressof(each) for each in self._room)
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._call = partial(kind(self.address), result, problem)

    def __call__(self, words: int) -> int:
        """Run it."""
        return int(self._call(words))


def load(path: Path) -> Loaded | None:
    """What an object file holds; None if there is none."""
    made = read(path)
    return None if made is None else Loaded(made)


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()
