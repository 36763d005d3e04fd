"""The files that a call passes through, compared with the traces in CONTRIBUTING."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from documents import ROOT
from zerosum.support.source_hash import PACKAGE

TITLE = re.compile(r"^### Trace: ([^\n]*)\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`([\w/]+\.py)`")


def read_traces() -> dict[str, list[str]]:
    """Return the files of every trace in CONTRIBUTING, by its title, in their order."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return {title: FILE.findall(rows) for title, rows in TITLE.findall(text)}


def list_called_files(work: Callable[[], Any]) -> list[str]:
    """Return the files of the package in which `work` calls a function, on any thread, in the order of first calls."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            files.setdefault(Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix())

    work()  # so that everything is imported, and class bodies and decorators run outside the trace
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(files)


def list_imports(file: str) -> Iterator[str]:
    """Yield the files of the package that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse((PACKAGE / file).read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            file = name.removeprefix("zerosum.").replace(".", "/") + ".py"
            if name.startswith("zerosum.") and (PACKAGE / file).exists():
                yield file


def check_trace(files: list[str], work: Callable[[], Any]) -> list[str]:
    """Check that each file is called after the one before it or, as kernels are, imported by a file above it."""
    called = list_called_files(work)
    position = -1
    for k, file in enumerate(files):
        if file in called and called.index(file) > position:
            position = called.index(file)
        else:
            imported = any(file in list_imports(earlier) for earlier in files[:k])
            assert imported, f"{file} is neither called after {files[k - 1]} nor imported by a file above it"
    return called
