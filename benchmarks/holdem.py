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

import numpy as np

import rue
from machine import bandwidth, describe_machine, last_level_cache, table
from rue.errors import RueError
from rue.holdem import libratus
from rue.holdem.form import public_tree
from rue.holdem.spots import Spot, spot
from rue.solvers.public_solver import PublicSolver

BYTES = 20
TARGET = 3.2
"""Nanoseconds per infoset-action, one thread."""
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
RIVALS = {
    "subgame 3": 7.6,
    "subgame 4": 6.1,
    "subgame 2": 8.2,
    "subgame 1": 7.0,
    "turn Td9d6hQc": 8.5,
    "flop Td9d6h": 8.5,
}
"""Nanoseconds of a native solver in Rust, per infoset-action of its own count, on an AMD EPYC with AVX2."""


def spots(folder: str | None) -> Iterator[tuple[str, Spot]]:
    """The spots, small ones first."""
    for number in (4, 3, 2, 1):
        try:
            yield f"subgame {number}", libratus.load(number, folder)
        except RueError as error:
            print(f"subgame {number} left out: {error}")
    sizes = {"bets": "50%,100%,allin", "raises": "100%,allin", "minimum": 1}
    yield "turn Td9d6hQc", spot("Td9d6hQc", 200, 900, OOP, IP, **sizes)
    yield "flop Td9d6h", spot("Td9d6h", 200, 900, OOP, IP, **sizes)


def measure(name: str, found: Spot, seconds: float, half: bool) -> dict[str, object]:
    """Time DCFR on a spot with one thread and with two, in turns, and note its memory."""
    began = time.perf_counter()
    tree = public_tree(found)
    actions = sum(tree.store)
    built = time.perf_counter() - began
    row: dict[str, object] = {"spot": name, "infosets": tree.infosets, "actions": actions, "build": built}
    contestants = [PublicSolver(tree, rue.algorithm("dcfr"), 10**6, threads=1, half=half)]
    if tree.board.children and actions < 200_000_000:
        contestants.append(PublicSolver(tree, rue.algorithm("dcfr"), 10**6, threads=2, half=half))
    row["bytes"] = contestants[0].bytes / actions
    samples: dict[int, list[float]] = {solver.threads: [] for solver in contestants}
    for solver in contestants:
        solver.run(2)
    while sum(map(sum, samples.values())) < seconds * len(contestants) or len(samples[1]) < 3:
        for solver in contestants:
            count = max(1, int(0.2 / (actions * 4e-9)))
            start = time.perf_counter()
            solver.run(count)
            samples[solver.threads].append(time.perf_counter() - start)
            samples[solver.threads][-1] /= count
            if len(samples[1]) > 60:
                break
        if len(samples[1]) > 60:
            break
    medians = {threads: float(np.median(times)) for threads, times in samples.items()}
    row["ns"] = {threads: median / actions * 1e9 for threads, median in medians.items()}
    row["exploitability"] = contestants[0].evaluate().exploitability
    row["iterations"] = contestants[0].iteration
    return row


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $RUE_LIBRATUS)")
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
        two = f"{ns[2]:.2f} ({ns[1] / ns[2]:.2f}x)" if 2 in ns else "-"
        cells.append(
            [
                str(row["spot"]), f"{row['actions']:,}", f"{ns[1]:.2f}", "PASS" if ns[1] <= TARGET else "SHORT", two,
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
