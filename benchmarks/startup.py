"""What a person feels: from the start of the process to its end, with nothing compiled and with everything.

    python benchmarks/startup.py
    python benchmarks/startup.py --rounds 9 --cold --json startup.json

Every command is run in turn, round after round, in a separate process. CPU time includes that of the compilers.
"From nothing" also compiles the byte code of all that is imported, Python's own modules too; an installation by pip
leaves it all, one by uv that of Python alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import describe_machine, table

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import numpy'": ["-c", "import numpy"],
    "zerosum --version": ["-m", "zerosum", "--version"],
    "zerosum --help": ["-m", "zerosum", "--help"],
    "zerosum solve kuhn": ["-m", "zerosum", "solve", "kuhn"],
    "zerosum solve leduc": ["-m", "zerosum", "solve", "leduc"],
    "zerosum solve spot:river --until 0.5%": ["-m", "zerosum", "solve", "spot:river", "--until", "0.5%"],
    "zerosum solve spot:turn --until 0.5%": ["-m", "zerosum", "solve", "spot:turn", "--until", "0.5%"],
}
COLD = ("zerosum solve kuhn", "zerosum solve spot:river --until 0.5%")
"""Commands that are also run with an empty cache, a separate one for each."""


def run(arguments: list[str], cache: str, bytecode: str) -> tuple[float, float]:
    """Return wall and CPU seconds of a process and its children, with given folders for machine code and byte code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    environment = {**os.environ, "ZEROSUM_CACHE_DIR": cache, "PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true", help="also with nothing compiled: minutes")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    machine = describe_machine()
    print(json.dumps(machine, indent=1))
    commands: dict[str, dict[str, float]] = {}
    if options.cold:
        for name in COLD:
            with tempfile.TemporaryDirectory() as folder:
                for state in ("from nothing", "with byte code"):
                    wall, cpu = run(COMMANDS[name], f"{folder}/{state}", f"{folder}/bytecode")
                    commands[f"{name}, {state}"] = {"wall": wall, "cpu": cpu}
    with tempfile.TemporaryDirectory() as folder:
        cache = os.environ.get("ZEROSUM_CACHE_DIR", folder)
        samples: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
        for turn in range(options.rounds + 1):
            for name, arguments in COMMANDS.items():
                sample = run(arguments, cache, f"{folder}/bytecode")
                if turn:
                    samples[name].append(sample)
    for name, pairs in samples.items():
        walls, cpus = zip(*pairs, strict=True)
        commands[name] = {"wall": statistics.median(walls), "least": min(walls), "cpu": statistics.median(cpus)}
    rows = [
        [name, *(f"{times[key]:.2f}" if key in times else "" for key in ("wall", "least", "cpu"))]
        for name, times in commands.items()
    ]
    print(table(["command", "wall s, median", "least", "CPU s, median"], rows))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "commands": commands}, indent=1))


if __name__ == "__main__":
    main()
