"""Hashes of the package's source code: of all that numbers depend on, and of all that machine code is compiled from.

The sources are read once: the hashes are cached on disk together with the sizes and times of all files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from zerosum.support.errors import ZerosumError
from zerosum.support.files import write_atomically

PACKAGE = Path(__file__).parents[1]
NUMERIC_PACKAGES = (
    "algorithms",
    "engine",
    "games",
    "holdem/betting",
    "holdem/cards",
    "holdem/engine",
    "holdem/problem",
    "holdem/spots",
    "jobs",
    "native",
    "problems",
    "runs",
)
"""The packages whose sources the numbers of a run depend on."""
KERNEL_IMPORT = re.compile(r"^from (zerosum\.native\.decorators|numba\.[\w.]+) import ", re.MULTILINE)
"""Matches in every source with kernels or parts of kernels."""
OUTSIDE_MACHINE_CODE = {
    PACKAGE / name for name in ("native/kernel_call.py", "native/code_cache.py", "engine/updates/custom_rule.py")
}
"""Modules that import `decorators`, or that kernels import, and that contribute nothing to the machine code."""
PACKAGE_IMPORT = re.compile(r"^from zerosum\.([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)


def cache_folder() -> Path:
    """Return the folder of compiled code and other files that can be rebuilt: $ZEROSUM_CACHE_DIR or the user's."""
    folder = os.environ.get("ZEROSUM_CACHE_DIR")
    if folder:
        return Path(folder)
    from platformdirs import user_cache_path

    return user_cache_path("zerosum", appauthor=False)


@cache
def code_version(*other_files: str) -> str:
    """Return a hash of all sources that the numbers of a run depend on, and of other files of the package."""
    return _load_cached_hash(
        f"code {other_files}", lambda: [*_list_numeric_sources(), *map(PACKAGE.joinpath, other_files)]
    )


@cache
def kernel_version() -> str:
    """Return a hash of the sources that kernels are compiled from."""
    return _load_cached_hash("kernels", list_kernel_files)


def _load_cached_hash(name: str, files: Callable[[], Iterable[Path]]) -> str:
    """Return a hash of files, from the disk if no source has changed since it was computed."""
    path = cache_folder() / "sources.json"
    state = _hash_source_state()
    try:
        hashes = json.loads(path.read_text(encoding="utf-8"))
        hashes = hashes if hashes["state"] == state else {"state": state}
        if isinstance(hashes.get(name), str):
            return str(hashes[name])
    except (OSError, ValueError, KeyError, TypeError):
        hashes = {"state": state}
    digest = hashlib.blake2b(digest_size=8)
    for file in files():
        digest.update(str(file.relative_to(PACKAGE)).encode() + file.read_bytes())
    hashes[name] = digest.hexdigest()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(hashes).encode())
    except (OSError, ZerosumError):
        pass  # a cache that cannot be written only costs time
    return str(hashes[name])


def _hash_source_state() -> str:
    """Return a hash of the paths, sizes and times of all sources."""
    digest = hashlib.blake2b(digest_size=8)
    for package in ("support", *NUMERIC_PACKAGES, "papers"):
        for folder, subfolders, names in os.walk(PACKAGE / package):
            subfolders[:] = sorted(set(subfolders) - {"__pycache__"})
            for name in sorted(names):
                if name.endswith(".py"):
                    status = os.stat(f"{folder}/{name}")
                    digest.update(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _list_numeric_sources() -> list[Path]:
    return [path for folder in NUMERIC_PACKAGES for path in sorted((PACKAGE / folder).rglob("*.py"))]


def list_kernel_files() -> tuple[Path, ...]:
    """Return the sources that machine code is compiled from: those with kernels, and all that they import."""
    waiting = [path for path in _list_numeric_sources() if KERNEL_IMPORT.search(path.read_text(encoding="utf-8"))]
    files: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in files | OUTSIDE_MACHINE_CODE:
            files.add(path)
            waiting += _find_imports(path.read_text(encoding="utf-8"))
    return tuple(sorted(files))


def _find_imports(text: str) -> list[Path]:
    """Return the files of the modules of this package that a source imports, or imports names from."""
    files = []
    for module, names in PACKAGE_IMPORT.findall(text):
        folder = PACKAGE.joinpath(*module.split("."))
        files += [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))]
    return [path for path in files if path.is_file()]
