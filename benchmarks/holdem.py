"""Hold'em spots: nanoseconds per infoset-action and iteration, threads, memory, and the bandwidth of the machine.

    python benchmarks/holdem.py --data FOLDER      # the folder with subgame1.txt .. subgame4.txt
    python benchmarks/holdem.py --spots turn       # only spots whose name contains a word
    python benchmarks/holdem.py --half             # with the 16-bit store

An iteration has to move at least 20 bytes of main memory per infoset-action: regret read and written, read again when
the other player learns, average read and written. That gives a floor, where the store is larger than the caches.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import zerosum
from machine import bandwidth, describe_machine, last_level_cache, table
from zerosum.engine.limits import Limits
from zerosum.engine.solver import BaseSolver
from zerosum.holdem.spots import libratus
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError

BYTES = 20
LARGEST_FOR_TWO = 200_000_000
"""Infoset-actions of a spot that is run by one thread alone, because two solvers would not fit the memory."""
TARGET = 3.2
"""Nanoseconds per infoset-action, one thread."""
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
SIZES: dict[str, Any] = {"bets": "50%,100%,allin", "raises": "100%,allin", "minimum": 1}
FLOP = "flop Td9d6h"
RIVALS = {
    "subgame 3": 7.6,
    "subgame 4": 6.1,
    "subgame 2": 8.2,
    "subgame 1": 7.0,
    "turn Td9d6hQc": 8.5,
    FLOP: 8.5,
}
"""Nanoseconds of a native solver in Rust, per infoset-action as it counts them, on an AMD EPYC with AVX2."""


def spots(folder: str | None) -> Iterator[tuple[str, Spot]]:
    """Yield the spots, small ones first."""
    for number in (4, 3, 2, 1):
        try:
            yield f"subgame {number}", libratus.load_endgame(number, folder)
        except ZerosumError as error:
            print(f"subgame {number} left out: {error}")
    yield "turn Td9d6hQc", spot("Td9d6hQc", 200, 900, OOP, IP, **SIZES)
    yield FLOP, flop()


def flop() -> Spot:
    """163 million infoset-actions."""
    return spot("Td9d6h", 200, 900, OOP, IP, **SIZES)


def solver_of(problem: zerosum.Problem, algorithm: str, threads: int = 1) -> BaseSolver:
    """A solver that may run as long as it is timed."""
    return problem.build_solver(zerosum.algorithm(algorithm), Limits(iterations=10**6, threads=threads))


def measure(name: str, position: Spot, seconds: float, half: bool) -> dict[str, object]:
    """Time DCFR on a spot with one thread and with two, in turns, and note its memory."""
    problem = zerosum.problem(position, half=half)
    began = time.perf_counter()
    tree = problem.build_form()
    built = time.perf_counter() - began
    actions = sum(tree.store_sizes)
    row: dict[str, object] = {"spot": name, "infosets": tree.infosets, "actions": actions, "build": built}
    threads = (1, 2) if tree.board.children and actions < LARGEST_FOR_TWO else (1,)
    contestants = {thread_count: solver_of(problem, "dcfr", thread_count) for thread_count in threads}
    row["bytes"] = (contestants[1].bytes or 0) / actions
    samples: dict[int, list[float]] = {thread_count: [] for thread_count in threads}
    for solver in contestants.values():
        solver.run(2)
    count = max(1, int(0.2 / (actions * 4e-9)))
    while len(samples[1]) < 3 or (sum(map(sum, samples.values())) < seconds * len(threads) and len(samples[1]) <= 60):
        for thread_count, solver in contestants.items():
            start = time.perf_counter()
            solver.run(count)
            samples[thread_count].append((time.perf_counter() - start) / count)
    row["ns"] = {thread_count: float(np.median(times)) / actions * 1e9 for thread_count, times in samples.items()}
    row["exploitability"] = contestants[1].evaluate().exploitability  # type: ignore[union-attr]
    row["iterations"] = contestants[1].iteration
    return row


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    parser.add_argument("--seconds", type=float, default=6.0, help="seconds a spot and contestant")
    parser.add_argument("--half", action="store_true", help="with the 16-bit store")
    parser.add_argument("--json", type=Path, help="write the figures to a file")
    options = parser.parse_args()
    machine = describe_machine()
    print(json.dumps(machine, indent=1))
    main_memory = bandwidth(4 * last_level_cache())
    print(f"main memory, one thread: {main_memory / 1e9:.1f} GB/s, so {BYTES / main_memory * 1e9:.2f} ns a number\n")
    rows = [measure(n, s, options.seconds, options.half) for n, s in spots(options.data) if options.spots in n]
    cells = []
    for row in rows:
        ns = row["ns"]
        assert isinstance(ns, dict)
        share = 0.5 if options.half else 1.0
        floor = share * BYTES / bandwidth(int(share * 8 * int(row["actions"]))) * 1e9  # type: ignore[call-overload]
        paired = f"{ns[2]:.2f} ({ns[1] / ns[2]:.2f}x)" if 2 in ns else "-"
        cells.append(
            [
                str(row["spot"]), f"{row['actions']:,}", f"{ns[1]:.2f}", "PASS" if ns[1] <= TARGET else "SHORT", paired,
                f"{ns[1] / floor:.1f}", f"{RIVALS[str(row['spot'])] / ns[1]:.1f}", f"{row['bytes']:.2f}",
                f"{row['build']:.1f}", f"{row['exploitability']:.3g} after {row['iterations']}",
            ]
        )  # fmt: skip
    head = ["spot", "infoset-actions", "ns, 1 thread", f"<= {TARGET}", "2 threads", "x floor", "x Rust", "bytes each"]
    print(table([*head, "build s", "exploitability"], cells))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "bandwidth": main_memory, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
