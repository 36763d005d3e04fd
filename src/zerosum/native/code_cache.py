"""Object code on disk: one file for a kernel and its argument types.

A file is a line (checksum, name of the function, kernel, argument types), then the object code. Code from other
sources, another compiler or for another processor is in another folder, so it is never loaded by mistake. Code for a
level of x86-64 that this processor has may be bundled with the package (`zerosum.native.build_wheel_objects`).
"""

from __future__ import annotations

import ctypes
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

from zerosum.support.files import write_atomically
from zerosum.support.source_hash import cache_folder, kernel_version

KEPT_VERSIONS = 3
"""The number of versions whose object code is always kept."""
STALE_SECONDS = 7 * 24 * 3600.0
"""Object code of other versions is kept this long after the last was added: another process may be using it."""
BUNDLED = Path(__file__).parent / "objects"
"""The folder of object code that is bundled with the package."""
LEVEL_3 = {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
LEVELS = {"x86-64-v4": LEVEL_3 | {f"avx512{part}" for part in ("f", "bw", "cd", "dq", "vl")}, "x86-64-v3": LEVEL_3}
"""The levels of x86-64 for which object code may be bundled, the best first, with the features that each needs."""


@cache
def target_processor() -> tuple[str, str]:
    """Return LLVM's name of the processor to compile for, and its features.

    That is the processor of this machine, or a level named by $ZEROSUM_PROCESSOR.
    """
    level = os.environ.get("ZEROSUM_PROCESSOR")
    return (level, "") if level else (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


def processor_folder(processor_name: str, features: str = "") -> str:
    """Return the relative path of the folder of object code for a processor, from these sources."""
    text = "\n".join([llvmlite.__version__, llvm.get_default_triple(), processor_name, features])
    return f"kernels-{kernel_version()}/{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"


@cache
def local_folder() -> Path:
    """Return the folder of the object code that was compiled on this machine."""
    return cache_folder() / processor_folder(*target_processor())


@cache
def bundled_folders() -> tuple[Path, ...]:
    """Return the folders of bundled object code that this processor can run."""
    if not BUNDLED.exists() or os.environ.get("ZEROSUM_PROCESSOR"):
        return ()
    features = {feature for feature, present in llvm.get_host_cpu_features().items() if present}
    return tuple(BUNDLED / processor_folder(level) for level, needed in LEVELS.items() if needed <= features)


def object_path(kernel: str, signature: str) -> Path:
    """Return the path of the object code of a kernel for some argument types, whether it exists or not."""
    digest = hashlib.blake2b(f"{kernel} {signature}".encode(), digest_size=8).hexdigest()
    return local_folder() / f"{kernel.partition(':')[2]}-{digest}.o"


def find_kernel(kernel: str, signature: str) -> LoadedKernel | None:
    """Load the machine code of a kernel for some argument types, if it exists."""
    path = object_path(kernel, signature)
    for candidate in (path, *(folder / path.name for folder in bundled_folders())):
        content = read_object(candidate)
        if content is not None:
            return LoadedKernel(content)
    return None


@contextmanager
def lock_object_file(path: Path) -> Iterator[None]:
    """Wait until no other process writes the object code of a path; also delete versions that are no longer used."""
    base = path.parent.parent
    if not base.exists():
        versions = sorted(base.parent.glob("kernels-*"), key=_find_last_write_time, reverse=True)
        for version in versions[KEPT_VERSIONS - 1 :]:
            if _find_last_write_time(version) < time.time() - STALE_SECONDS:
                shutil.rmtree(version, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    from filelock import FileLock  # loading it takes 30 ms, which only a process that compiles should spend

    with FileLock(path.with_suffix(".lock")):
        yield


def _find_last_write_time(version: Path) -> float:
    """Return when object code of a version was last written; 0 if the folder has been deleted."""
    with suppress(OSError):
        return max(part.stat().st_mtime for part in (version, *version.iterdir()))
    return 0.0


class ObjectCode(NamedTuple):
    """Object code: the function to call in it, the kernel, its argument types, the code."""

    name: str
    kernel: str
    signature: str
    code: bytes

    @property
    def checksum(self) -> str:
        return hashlib.blake2b(" ".join(self[:3]).encode() + self.code, digest_size=16).hexdigest()


def write_object(path: Path, content: ObjectCode) -> None:
    write_atomically(path, " ".join([content.checksum, *content[:3]]).encode() + b"\n" + content.code)


def read_object(path: Path) -> ObjectCode | None:
    """Read the object code of a file; return None if the file is missing or damaged."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        checksum, name, kernel, signature = head.decode().split(" ")
    except (OSError, ValueError):
        return None
    content = ObjectCode(name, kernel, signature, code)
    return content if content.checksum == checksum else None


class LoadedKernel:
    """Machine code in memory: a function that takes the address of slots and returns a status, 0 if all went well."""

    def __init__(self, content: ObjectCode) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _create_target().create_target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(content.code))
        self._engine.finalize_object()
        self.address = int(self._engine.get_function_address(content.name))
        self._outputs = ctypes.c_int64(0), ctypes.c_void_p(0)  # numba's result and exception, which kernels leave alone
        result, exception = (ctypes.addressof(output) for output in self._outputs)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._call = partial(prototype(self.address), result, exception)

    def __call__(self, slots: int) -> int:
        """Run the function with the slots at an address and return its status."""
        return int(self._call(slots))


@cache
def _create_target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()
