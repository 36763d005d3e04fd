"""What saving a run costs: its share of a solve, and how fast files are written and read beside a plain write.

python benchmarks/runs.py --megabytes 1000 --seconds 60 --folder /tmp
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import rue
from machine import describe_machine
from rue import container
from rue.container import Container
from rue.runs.keeper import Keeper


def plain(path: Path, arrays: list[Any]) -> float:
    """Seconds of a plain write of the same bytes to a new file, flushed, which then takes the place of the old one."""
    began = time.perf_counter()
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        for array in arrays:
            file.write(memoryview(array).cast("B"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    return time.perf_counter() - began


def files(folder: Path, megabytes: float, rounds: int) -> dict[str, Any]:
    """Writing and reading arrays of noise, in turns with a plain write and a plain read of as many bytes."""
    numbers = np.random.default_rng(0).random(int(megabytes * 1e6 / 8)).astype(np.float32)
    arrays = {"regret0": numbers, "average0": numbers[::-1].copy()}
    path, bare = folder / "x.rue", folder / "x.bin"
    times: dict[str, list[float]] = {"plain write": [], "save": [], "plain read": [], "load": []}
    for _ in range(rounds):
        times["plain write"].append(plain(bare, list(arrays.values())))
        began = time.perf_counter()
        container.write(path, {}, arrays)
        times["save"].append(time.perf_counter() - began)
        began = time.perf_counter()
        np.fromfile(bare, np.float32)
        times["plain read"].append(time.perf_counter() - began)
        began = time.perf_counter()
        Container(path).arrays()
        times["load"].append(time.perf_counter() - began)
    size = sum(array.nbytes for array in arrays.values()) / 1e6
    extra = path.stat().st_size - sum(array.nbytes for array in arrays.values())
    for each in (path, bare):
        each.unlink()
    return {
        "megabytes": round(size),
        "bytes more than the arrays": extra,
        "megabytes a second": {name: round(size / statistics.median(found)) for name, found in times.items()},
        "of each round": {name: [round(size / seconds) for seconds in found] for name, found in times.items()},
    }


def share(folder: Path, name: str, seconds: float, **more: Any) -> dict[str, Any]:
    """The share of a run that its saves on the way took, as it measures it itself, and the size of its file."""
    out = folder / "run"
    shutil.rmtree(out, ignore_errors=True)
    run = rue.start(name, seconds=seconds, out=out, **more)
    kept = run.keeper
    assert isinstance(kept, Keeper)
    run.advance()
    result = run.result()
    length = (out / "run.rue").stat().st_size
    shutil.rmtree(out)
    return {
        "run": f"{name} {more or ''}".strip(),
        "seconds": round(result.curve[-1].seconds, 1),
        "saves on the way": kept.saves,
        "percent of the time": round(100 * kept.spent / result.curve[-1].seconds, 2),
        "milliseconds a save": round(1000 * kept.spent / max(1, kept.saves), 1),
        "megabytes": round(length / 1e6, 3),
        "bytes a sequence": round(length / result.sequences, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--folder", type=Path, default=Path("."))
    given = parser.parse_args()
    print(json.dumps(describe_machine()))
    print(json.dumps(files(given.folder, given.megabytes, given.rounds)))
    for name, more in (
        ("leduc", {}),
        ("liars-dice", {}),
        ("leduc", {"algorithm": "mccfr"}),
        ("spot:river", {}),
        ("spot:turn", {}),
        ("spot:turn", {"half": True}),
    ):
        print(json.dumps(share(given.folder, name, given.seconds, **more)))
