"""Which of the package's sources something depends on, as a short hash: other sources, other hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
FOLDERS = ("algorithms", "forms", "games", "holdem", "problems", "regret", "runs", "solvers")
"""Where the sources lie that the numbers of a run depend on."""
KERNELS = re.compile(r"^from (rue\.regret\.compiled|numba\.extending) import ", re.MULTILINE)
"""What a source says that holds kernels or parts of them."""
IMPORTS = re.compile(r"^from rue\.([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)


def fingerprint(files: Iterable[Path], salt: str = "") -> str:
    """A hash of the texts of files."""
    digest = hashlib.blake2b(salt.encode(), digest_size=8)
    for path in files:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def code_version(*more: str) -> str:
    """A hash of all sources that the numbers of a run depend on, and of more files of the package."""
    own = [path for folder in FOLDERS for path in sorted((PACKAGE / folder).glob("*.py"))]
    return fingerprint([*own, *(PACKAGE / name for name in more)])


@cache
def kernel_files() -> tuple[Path, ...]:
    """The sources that machine code is made from: those that hold kernels, and all that they import."""
    files = [path for folder in FOLDERS for path in (PACKAGE / folder).glob("*.py")]
    waiting = [path for path in files if KERNELS.search(path.read_text())]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path.read_text())
    return tuple(sorted(found))


def _imported(text: str) -> list[Path]:
    """The package's modules that a source takes names from, and those that it takes as names."""
    files = []
    for module, names in IMPORTS.findall(text):
        folder = PACKAGE.joinpath(*module.split("."))
        files += [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))]
    return [path for path in files if path.is_file()]
