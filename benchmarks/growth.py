"""How zerosum grows with the game: compiling, memory, and an iteration against what memory allows.

Run as a script, it measures the memory of runs against the estimates of `--dry-run`: all of `MEMORY`, or named games.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

import zerosum
from machine import Contestant, bandwidth, interleave, last_level_cache, table, verdict

HORIZON = 1_000_000
GAMES = (
    "kuhn",
    "leduc",
    "liars-dice(sides=4)",
    "goofspiel(5, order=ascending, seen=winner)",
    "liars-dice(sides=5)",
    "royal(infosets=rank)",
    "leduc-nl",
    "liars-dice(sides=6)",
    "big-leduc",
)
ALGORITHMS = ("dcfr", "cfr+", "pcfr+", "nh-dcfr", "mccfr", "lp")
MEMORY = {
    **dict.fromkeys(("kuhn", "leduc", "leduc-nl", "goofspiel(5)", "liars-dice(sides=5)"), ALGORITHMS),
    "openspiel:leduc_poker": ("dcfr", "mccfr", "lp"),
    "openspiel:liars_dice(dice_sides=5)": ("dcfr", "mccfr", "lp"),
    "liars-dice(sides=6)": ALGORITHMS,
    "royal": ALGORITHMS[:-1],
    "goofspiel(6)": ALGORITHMS[:-1],
    "big-leduc": ALGORITHMS[:-1],
}
"""Whose memory is measured, by which algorithms: the linear programs of the last three take HiGHS long."""
ENTRY = 12
"""Bytes of a payoff entry in one direction: the column and the value."""
SEQUENCE = 80
"""Bytes of a sequence in an iteration: gradient, strategy, regret, average and plan, read and written."""
INFOSET = 8
"""Bytes of an infoset's parent, read going up and going down."""
ROW = 4
"""Bytes of where the sum of a row of payoff entries goes."""
GIGABYTE = 1e9
MEGABYTE = 1e6
TARGETS: dict[str, tuple[float, float]] = {
    "leduc": (0.3, 4.0),
    "liars-dice(sides=6)": (4.0, 4.0),
    "big-leduc": (20.0, 4.0),
}
"""Seconds to compile and gigabytes at the peak, at most."""
PEAK = """
import json, resource, sys, time
import zerosum
from pathlib import Path

def peak():
    try:  # unlike ru_maxrss this does not inherit the peak of the process that started this one
        status = Path("/proc/self/status").read_text()
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, ValueError, IndexError):
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
CHILD = (
    PEAK
    + """
before = peak()
game = zerosum.game(sys.argv[1])
begin = time.perf_counter()
form = zerosum.compile_game(game)
compiled = time.perf_counter()
form.operators
arranged = time.perf_counter()
solver = zerosum.Solver(form, zerosum.algorithm("cfr+"), horizon=1, threads=1)
solver.run(1)
print(json.dumps({
    "game": sys.argv[1],
    "histories": form.histories,
    "infosets": form.infosets,
    "compile_seconds": compiled - begin,
    "operator_seconds": arranged - compiled,
    "peak_bytes": peak(),
    "import_bytes": before,
}))
"""
)


TAKEN = (
    PEAK
    + """
for name in ("dcfr", "mccfr"):
    zerosum.solve("kuhn", name, iterations=2)
bare = peak()
problem = zerosum.problem(sys.argv[1])
algorithm = problem.resolve_algorithm(sys.argv[2])
zerosum.solve(problem, algorithm, **({} if algorithm.exact else {"iterations": 2}))
taken = peak() - bare
print(json.dumps({"bare": bare, "taken": taken, "estimated": problem.estimate(algorithm).bytes}))
"""
)


def memory(games: Iterable[str] = MEMORY) -> str:
    """Measure the peak memory of runs, each in a separate process, against the estimate."""
    rows = []
    for game in games:
        for algorithm in MEMORY.get(game, ALGORITHMS):
            row = taken_apart(game, algorithm)
            times = f"{row['estimated'] / row['taken']:.2f}" if row["taken"] > MEGABYTE else "-"
            rows.append([game, algorithm, f"{row['taken'] / 1e6:,.1f}", f"{row['estimated'] / 1e6:,.1f}", times])
    return table(["game", "algorithm", "peak MB", "estimated MB", "x peak"], rows)


def taken_apart(game: str, algorithm: str) -> dict[str, Any]:
    """Return the peak bytes of a process that solves a game, above those of one that solved Kuhn, and the estimate."""
    command = [sys.executable, "-c", TAKEN, game, algorithm]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def compile_apart(name: str, repeats: int) -> dict[str, Any]:
    """Compile a game in a separate process, to measure its peak alone; return the median time of a few."""
    runs = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", CHILD, name], capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    row: dict[str, Any] = sorted(runs, key=lambda run: run["compile_seconds"])[len(runs) // 2]
    row["seconds"] = row["compile_seconds"] + row["operator_seconds"]
    if name in TARGETS:
        seconds, gigabytes = TARGETS[name]
        row["targets"] = {"seconds": seconds, "gigabytes": gigabytes}
        row["passed"] = row["seconds"] < seconds and row["peak_bytes"] < gigabytes * GIGABYTE
    return row


def show_compile(rows: Sequence[dict[str, Any]]) -> str:
    """Seconds from rules to arrays, and the peak of memory with a solver on top."""
    head = ["game", "histories", "infosets", "compile s", "operators s", "peak MB", "target", ""]
    return table(head, [_compile_cells(row) for row in rows])


def _compile_cells(row: dict[str, Any]) -> list[str]:
    target = row.get("targets")
    return [
        row["game"],
        f"{row['histories']:,}",
        f"{row['infosets']:,}",
        f"{row['compile_seconds']:.3f}",
        f"{row['operator_seconds']:.3f}",
        f"{row['peak_bytes'] / 1e6:,.0f}",
        f"< {target['seconds']:g} s, < {target['gigabytes']:g} GB" if target else "",
        verdict(row["passed"]) if target else "",
    ]


def bytes_moved(form: zerosum.SequenceForm) -> int:
    """The bytes an iteration has to move at least, both players together."""
    rows = sum(ROW * len(operator.row) for operator in form.operators)
    return int(2 * ENTRY * form.payoff.nnz + rows + SEQUENCE * form.sequences + INFOSET * form.infosets)


def footprint(form: zerosum.SequenceForm) -> int:
    """The bytes of all arrays an iteration touches, once each."""
    rows = sum(ROW * len(operator.row) for operator in form.operators)
    return int(2 * ENTRY * form.payoff.nnz + rows + SEQUENCE // 2 * form.sequences + INFOSET // 2 * form.infosets)


def solvers(form: zerosum.SequenceForm, name: str) -> list[Contestant]:
    """One thread, and two where the game is large enough for zerosum to use them."""
    contestants = []
    for threads in (1, 2):
        solver = zerosum.Solver(form, zerosum.algorithm("cfr+"), HORIZON, threads=threads)
        if solver.threads == threads:
            solver.load_kernels()
            clock = time.thread_time if threads == 1 else time.perf_counter
            contestants.append(Contestant(f"{name} {threads}", solver.run, clock=clock))
    return contestants


def grow(names: Iterable[str], seconds: float, quick: bool) -> dict[str, Any]:
    """An iteration of CFR+ on every game, all interleaved, and the bandwidth at each game's size."""
    forms = {name: zerosum.compile_game(zerosum.game(name)) for name in names}
    samples = interleave([racer for name, form in forms.items() for racer in solvers(form, name)], seconds)
    large = 1 << 28 if quick else max(1 << 29, 4 * last_level_cache())
    main = bandwidth(large)
    return {
        "algorithm": "cfr+",
        "bandwidth_main_memory": main,
        "bandwidth_footprint": large,
        "last_level_cache": last_level_cache(),
        "cores": os.cpu_count(),
        "rows": [_growth_row(name, form, samples, main) for name, form in forms.items()],
    }


def _growth_row(name: str, form: zerosum.SequenceForm, samples: dict[str, list[float]], main: float) -> dict[str, Any]:
    median = {threads: statistics.median(samples[f"{name} {threads}"]) for threads in (1, 2)
              if f"{name} {threads}" in samples}  # fmt: skip
    moved = bytes_moved(form)
    speed = bandwidth(footprint(form))
    return {
        "game": name,
        "sequences": form.sequences,
        "entries": int(form.payoff.nnz),
        "seconds": median[1],
        "seconds_two_threads": median.get(2),
        "ns_each": median[1] * 1e9 / (form.sequences + form.payoff.nnz),
        "bytes_moved": moved,
        "bandwidth": speed,
        "times_floor": median[1] * speed / moved,
        "times_main_memory_floor": median[1] * main / moved,
    }


def show(result: dict[str, Any]) -> str:
    """Time per iteration against size, and against the floor set by bandwidth."""
    head = ["game", "sequences", "entries", "us 1 thread", "2 threads (wall)", "ns each", "MB moved",
            "GB/s there", "x floor"]  # fmt: skip
    return table(head, [_growth_cells(row) for row in result["rows"]])


def _growth_cells(row: dict[str, Any]) -> list[str]:
    two_threads = row["seconds_two_threads"]
    return [
        row["game"],
        f"{row['sequences']:,}",
        f"{row['entries']:,}",
        f"{row['seconds'] * 1e6:,.1f}",
        "-" if two_threads is None else f"{two_threads * 1e6:,.1f}",
        f"{row['ns_each']:.1f}",
        f"{row['bytes_moved'] / 1e6:,.3f}",
        f"{row['bandwidth'] / 1e9:.0f}",
        f"{row['times_floor']:.1f}",
    ]


if __name__ == "__main__":
    print(memory(sys.argv[1:] or MEMORY))
