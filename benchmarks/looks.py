"""What measuring costs a run on a flop, and what looking at it costs afterwards; processor time of all threads.

    python benchmarks/looks.py
    PYTHONPATH=../older/src python benchmarks/looks.py    # another version of rue

A run of some iterations and one down to an exploitability are made; then its file is opened, and four decisions are
looked at one after the other, in one process and by `rue show` in processes of their own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from typing import Any

import rue
import rue.holdem

LINES = ("", "check bet33", "check bet33 call 2c", "check bet33 call 2c check")
SOLVE = getattr(rue.holdem, "solve", rue.solve)
LOAD = getattr(rue.holdem, "load", rue.load)
"""Where earlier versions had them."""


LARGE = 1_000_000
"""Infosets of a spot that is not the tiny one with which kernels are loaded."""


def solver_class() -> Any:
    """The solver of spots, wherever this version has it."""
    for name in ("rue.solvers.public_solver", "rue.solve.public_solver"):
        try:
            return import_module(name).PublicSolver
        except ModuleNotFoundError:
            continue
    raise SystemExit("this version of rue has no solver of spots that could be measured")


def measured(spot: str, **options: Any) -> dict[str, float]:
    """A run, and how much of its processor time went into measuring."""
    kind = solver_class()
    evaluate, spent = kind.evaluate, []

    def counted(self: Any) -> Any:
        start = time.process_time()
        found = evaluate(self)
        if self.form.infosets > LARGE:
            spent.append(time.process_time() - start)
        return found

    kind.evaluate = counted
    try:
        start = time.process_time()
        result = SOLVE(rue.holdem.load_spot(spot), **options)
        whole = time.process_time() - start
    finally:
        kind.evaluate = evaluate
    told = {"iterations": result.iterations, "processor_seconds": whole, "measured": len(spent)}
    return {**told, "measuring_share": sum(spent) / whole, "reached_pot": result.exploitability_pot}


def shown(path: str, line: str) -> float:
    """Processor seconds of `rue show` in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "rue", "show", path, *(["--line", line] if line else [])]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spot", default="flop")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--until", default="1%")
    options = parser.parse_args()
    SOLVE(rue.holdem.load_spot("river"), iterations=2)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/run"
        found: dict[str, Any] = {
            "iterations": measured(options.spot, iterations=options.iterations, out=path),
            "until": measured(options.spot, until=options.until),
        }
        start = time.process_time()
        result = LOAD(path)
        looks = {"open": time.process_time() - start}
        for line in LINES:
            start = time.process_time()
            result.at(line)
            looks[line or "the start"] = time.process_time() - start
        found["looks"] = looks
        found["show"] = {line or "the start": shown(path, line) for line in LINES}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
