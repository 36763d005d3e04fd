"""Which of the package's sources something depends on, as a short hash: other sources, other hash.

The sources are read once: their hashes are kept together with the sizes and times of all files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from rue.disk import write_atomically
from rue.errors import RueError

PACKAGE = Path(__file__).parent
FOLDERS = ("algorithms", "forms", "games", "holdem", "native", "problems", "regret", "runs", "solvers")
"""Where the sources lie that the numbers of a run depend on."""
KERNELS = re.compile(r"^from (rue\.native\.compiled|numba\.extending) import ", re.MULTILINE)
"""What a source says that holds kernels or parts of them."""
CALLERS = {PACKAGE / "native" / name for name in ("kernel.py", "objects.py")}
"""What modules of kernels import without taking anything into the machine code."""
IMPORTS = re.compile(r"^from rue\.([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)


def cache_folder() -> Path:
    """Where what was computed is kept: $RUE_CACHE_DIR, else rue/ in the user's cache folder."""
    base = os.environ.get("RUE_CACHE_DIR")
    if base:
        return Path(base)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "rue"


@cache
def code_version(*more: str) -> str:
    """A hash of all sources that the numbers of a run depend on, and of more files of the package."""
    return _kept(f"code {more}", lambda: [*_sources(), *(PACKAGE / name for name in more)])


@cache
def kernel_version() -> str:
    """A hash of the sources that hold kernels."""
    return _kept("kernels", kernel_files)


def _kept(what: str, files: Callable[[], Iterable[Path]]) -> str:
    """A hash of the texts of files, from the disk if no source has changed since it was taken."""
    path = cache_folder() / "sources.json"
    stamp = _stamp()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        known = known if known["stamp"] == stamp else {"stamp": stamp}
        if isinstance(known.get(what), str):
            return str(known[what])
    except (OSError, ValueError, KeyError, TypeError):
        known = {"stamp": stamp}
    known[what] = _fingerprint(files())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(known).encode())
    except (OSError, RueError):
        pass
    return str(known[what])


def _stamp() -> str:
    """A hash of where the sources are, how long they are and when they were changed."""
    digest = hashlib.blake2b(str(PACKAGE).encode(), digest_size=8)
    for folder in ("", *FOLDERS, "papers"):
        with os.scandir(PACKAGE / folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    found = entry.stat()
                    digest.update(f"{entry.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _fingerprint(files: Iterable[Path]) -> str:
    """A hash of the texts of files."""
    digest = hashlib.blake2b(digest_size=8)
    for path in files:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _sources() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((PACKAGE / folder).glob("*.py"))]


def kernel_files() -> tuple[Path, ...]:
    """The sources that machine code is made from: those that hold kernels, and all that they import."""
    waiting = [path for path in _sources() if KERNELS.search(path.read_text(encoding="utf-8"))]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found | CALLERS:
            found.add(path)
            waiting += _imported(path.read_text(encoding="utf-8"))
    return tuple(sorted(found))


def _imported(text: str) -> list[Path]:
    """The package's modules that a source takes names from, and those that it takes as names."""
    files = []
    for module, names in IMPORTS.findall(text):
        folder = PACKAGE.joinpath(*module.split("."))
        files += [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))]
    return [path for path in files if path.is_file()]
