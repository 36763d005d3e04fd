"""The traces of files in CONTRIBUTING match the calls that Python really makes."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import zerosum
import zerosum.holdem
from documents import ROOT
from test_shared_solver import shared
from zerosum.cli.main import run
from zerosum.support.source_hash import PACKAGE

TITLE = re.compile(r"^### Trace: ([^\n]*)\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`([\w/]+\.py)`")


def traces() -> dict[str, list[str]]:
    """Return the files of every trace in CONTRIBUTING, by its title, in their order."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return {title: FILE.findall(rows) for title, rows in TITLE.findall(text)}


def files_called(work: Callable[[], Any]) -> list[str]:
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


def imports(file: str) -> Iterator[str]:
    """Yield the files of the package that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse((PACKAGE / file).read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            file = name.removeprefix("zerosum.").replace(".", "/") + ".py"
            if name.startswith("zerosum.") and (PACKAGE / file).exists():
                yield file


def check(files: list[str], work: Callable[[], Any]) -> list[str]:
    """Check that each file is called after the one before it or, as kernels are, imported by a file above it."""
    called = files_called(work)
    position = -1
    for k, file in enumerate(files):
        if file in called and called.index(file) > position:
            position = called.index(file)
        else:
            imported = any(file in imports(earlier) for earlier in files[:k])
            assert imported, f"{file} is neither called after {files[k - 1]} nor imported by a file above it"
    return called


@pytest.mark.parametrize(
    ("title", "arguments"),
    [
        ("`zerosum solve leduc`", ["solve", "leduc", "--iterations", "5"]),
        ("`zerosum solve spot:river`", ["solve", "spot:river", "--iterations", "2"]),
    ],
)
def test_a_command_takes_the_way_that_is_shown(title: str, arguments: list[str]) -> None:
    check(traces()[title], lambda: run(arguments))


def test_a_report_takes_the_way_that_is_shown() -> None:
    bets = "flop: allin; turn: none; river: none"
    spot = zerosum.holdem.spot("Ks7h2d", 100, 60, "AA", "KQs", bets, "none", big_blind=1)

    def report() -> None:
        with ThreadPoolExecutor(1) as executor:  # a new thread, because only threads that start later are followed
            zerosum.report(spot, flops="Ks7h2d", iterations=2, executor=executor)

    check(traces()["a report over flops"], report)


def test_a_saved_run_takes_the_way_that_is_shown(tmp_path: Path) -> None:
    path = str(tmp_path / "run")
    assert run(["solve", "leduc", "--iterations", "5", "--out", path]) == 0
    check(traces()["`zerosum resume run/`"], lambda: run(["resume", path, "--iterations", "+5"]))


def test_workers_take_the_way_that_is_shown() -> None:
    check(traces()["one solve on several workers"], lambda: shared("cfr", 2).run(2))
