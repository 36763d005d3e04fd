"""Measure the cost of evaluating a run on a flop and of viewing it afterwards, in processor time of all threads.

    python benchmarks/view_cost.py
    PYTHONPATH=../older/src python benchmarks/view_cost.py    # another version of zerosum

A run of some iterations and one down to an exploitability are solved; then the file of the first is opened, and four
decisions are viewed one after the other, in one process and by `zerosum show` in separate processes.
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

import zerosum
import zerosum.holdem

LINES = ("", "check bet33", "check bet33 call 2c", "check bet33 call 2c check")
SOLVE = getattr(zerosum.holdem, "solve", zerosum.solve)
LOAD = getattr(zerosum.holdem, "load", zerosum.load)
"""Where earlier versions had them."""


LARGE = 1_000_000
"""Infosets of a spot that is not the tiny one with which kernels are loaded."""


def solver_class() -> Any:
    """The solver of spots, wherever this version has it."""
    for name in ("zerosum.engine.public.solver", "zerosum.solve.public_solver"):
        try:
            return import_module(name).PublicSolver
        except ModuleNotFoundError:
            continue
    raise SystemExit("this version of zerosum has no solver of spots that could be measured")


def measured(spot: str, **options: Any) -> dict[str, float]:
    """A run, and how much of its processor time went into measuring."""
    kind = solver_class()
    evaluate, spent = kind.evaluate, []

    def counted(self: Any) -> Any:
        start = time.process_time()
        evaluation = evaluate(self)
        if self.form.infosets > LARGE:
            spent.append(time.process_time() - start)
        return evaluation

    kind.evaluate = counted
    try:
        start = time.process_time()
        result = SOLVE(zerosum.holdem.load_spot(spot), **options)
        assert isinstance(result, zerosum.SpotResult)
        whole = time.process_time() - start
    finally:
        kind.evaluate = evaluate
    figures = {"iterations": result.iterations, "processor_seconds": whole, "measured": len(spent)}
    return {**figures, "measuring_share": sum(spent) / whole, "reached_pot": result.exploitability_pot}


def show_seconds(path: str, line: str) -> float:
    """Return the processor seconds of `zerosum show` in a separate process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "zerosum", "show", path, *(["--line", line] if line else [])]
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
    SOLVE(zerosum.holdem.load_spot("river"), iterations=2)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/run"
        report: dict[str, Any] = {
            "iterations": measured(options.spot, iterations=options.iterations, out=path),
            "until": measured(options.spot, until=options.until),
        }
        start = time.process_time()
        result = LOAD(path)
        assert isinstance(result, zerosum.SpotResult)
        looks = {"open": time.process_time() - start}
        for line in LINES:
            start = time.process_time()
            result.at(line)
            looks[line or "the start"] = time.process_time() - start
        report["looks"] = looks
        report["show"] = {line or "the start": show_seconds(path, line) for line in LINES}
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
