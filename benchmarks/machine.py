"""What every benchmark here shares: the machine it ran on, interleaved timing, bandwidth, tables."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from zerosum.engine.solver import BaseSolver
from zerosum.support.system import processor_name

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("zerosum", "numba", "numpy", "scipy", "LiteEFG", "open_spiel")
SLICE = 0.3
"""Seconds one contestant runs before the next has its turn."""
NODES_A_SLICE = 1_000_000
"""Nodes that a sampled solver touches between two checks of the clock."""
SMALLEST = 1 << 18


def describe_machine() -> dict[str, object]:
    """Return the processor, cores, memory, commit, versions and date that figures depend on."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "load_at_start": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "commit": _commit(),
        "versions": {package: _version(package) for package in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return processor_name()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    fields = {key.strip(): value.strip() for key, value in fields.items()}
    return f"{processor_name()} (family {fields.get('cpu family')} model {fields.get('model')})"


def _commit() -> str:
    def git(*command: str) -> str:
        done = subprocess.run(["git", *command], cwd=REPOSITORY, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+changes" if git("status", "--short", "src") else "")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@dataclass
class Contestant:
    """Something that iterates: `run(n)` does n iterations; `prepare()` goes before each slice, untimed.

    The clock is the processor time of the thread, so that other work on the machine counts less; on an idle
    machine it is the time on the wall. What runs on several threads must be timed on the wall.
    """

    name: str
    run: Callable[[int], object]
    prepare: Callable[[], object] = lambda: None
    clock: Callable[[], float] = time.thread_time

    def time(self, iterations: int) -> float:
        """Seconds per iteration of one slice."""
        self.prepare()
        begin = self.clock()
        self.run(iterations)
        return (self.clock() - begin) / iterations

    def fill(self, seconds: float) -> int:
        """Return the number of iterations that takes about `seconds`."""
        iterations = 1
        while (duration := self.time(iterations)) * iterations < seconds / 4:
            iterations *= 2
        return max(1, round(seconds / duration))


def interleave(contestants: Sequence[Contestant], seconds: float) -> dict[str, list[float]]:
    """Seconds per iteration of each contestant, a sample a round.

    The contestants take turns in short slices, because a machine may change its speed in the middle of a run:
    the k-th samples of two contestants were taken within seconds of each other.
    """
    counts = [contestant.fill(SLICE) for contestant in contestants]
    samples: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
    for _ in range(max(3, round(seconds / SLICE))):
        for contestant, count in zip(contestants, counts, strict=True):
            samples[contestant.name].append(contestant.time(count))
    return samples


def ratio(slower: Sequence[float], faster: Sequence[float]) -> float:
    """Return the median over the rounds of the ratio of two contestants' times."""
    return statistics.median(s / f for s, f in zip(slower, faster, strict=True))


class Walked(NamedTuple):
    """What a sampled solver did, and the seconds it took on the wall and of its thread."""

    nodes: int
    iterations: int
    seconds: float
    processor: float


def walked(solver: BaseSolver, seconds: float) -> Walked:
    """Let a sampled solver go on for about `seconds`."""
    nodes, iterations = solver.nodes or 0, solver.iteration
    clock, thread = time.perf_counter(), time.thread_time()
    while time.perf_counter() - clock < seconds:
        solver.run(10**9, (solver.nodes or 0) + NODES_A_SLICE)
    spent = time.perf_counter() - clock, time.thread_time() - thread
    return Walked((solver.nodes or 0) - nodes, solver.iteration - iterations, *spent)


@njit(fastmath=True)
def _triad(a, b, c):
    for i in range(len(a)):
        a[i] = b[i] + 3.0 * c[i]


@njit(fastmath=True)
def _read(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def bandwidth(footprint: int, seconds: float = 0.2) -> float:
    """Return the bytes per second that one thread moves over arrays of `footprint` bytes in total.

    The larger of a triad a = b + 3 c (24 bytes an element) and a scalar product (16 bytes an element). Arrays
    below `SMALLEST` bytes would measure the call instead.
    """
    footprint = max(SMALLEST, footprint)
    size = footprint // 24
    a, b, c = (np.full(size, 1.0) for _ in range(3))
    half = np.full(footprint // 16, 1.0)
    other = half.copy()
    triad = _typical(lambda: _triad(a, b, c), seconds)
    read = _typical(lambda: _read(half, other), seconds)
    return max(24 * size / triad, 16 * len(half) / read)


def _typical(run: Callable[[], object], seconds: float) -> float:
    """Return the median seconds of a call; short calls are timed many at a time."""
    run()
    contestant = Contestant("", lambda calls: [run() for _ in range(calls)])
    calls = contestant.fill(0.01)
    return statistics.median(contestant.time(calls) for _ in range(max(3, round(seconds / 0.01 / 4))))


def last_level_cache() -> int:
    """Return the bytes of the largest cache, 32 MB where the system does not say."""
    units = {"K": 1 << 10, "M": 1 << 20}
    sizes = [1 << 25]
    for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = path.read_text().strip()
        sizes.append(int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text))
    return max(sizes)


@contextmanager
def silent() -> Iterator[None]:
    """Silence the output of other libraries, from Python or native code."""
    keep = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(keep, 1)
        os.close(keep)
        os.close(nowhere)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, aligned so that it reads well as plain text too."""
    widths = [max(3, *(len(row[column]) for row in [head, *rows])) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(head), line(rule), *map(line, rows)])


def verdict(passed: bool) -> str:
    """Return PASS or SHORT for a figure."""
    return "PASS" if passed else "SHORT"
