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

import zerosum
from machine import describe_machine
from zerosum.runs.run_saver import RunSaver
from zerosum.support import array_file
from zerosum.support.array_file import ArrayFile


def plain(path: Path, arrays: list[Any]) -> float:
    """Return the seconds of a plain write of the same bytes to a new file, flushed, which then replaces the old one."""
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
    path, bare = folder / "x.zs", folder / "x.bin"
    times: dict[str, list[float]] = {"plain write": [], "save": [], "plain read": [], "load": []}
    for _ in range(rounds):
        times["plain write"].append(plain(bare, list(arrays.values())))
        began = time.perf_counter()
        array_file.write_array_file(path, {}, arrays)
        times["save"].append(time.perf_counter() - began)
        began = time.perf_counter()
        np.fromfile(bare, np.float32)
        times["plain read"].append(time.perf_counter() - began)
        began = time.perf_counter()
        ArrayFile(path).read_arrays()
        times["load"].append(time.perf_counter() - began)
    size = sum(array.nbytes for array in arrays.values()) / 1e6
    extra = path.stat().st_size - sum(array.nbytes for array in arrays.values())
    for written in (path, bare):
        written.unlink()
    return {
        "megabytes": round(size),
        "bytes more than the arrays": extra,
        "megabytes a second": {name: round(size / statistics.median(durations)) for name, durations in times.items()},
        "of each round": {name: [round(size / seconds) for seconds in durations] for name, durations in times.items()},
    }


def share(folder: Path, name: str, seconds: float, **more: Any) -> dict[str, Any]:
    """The share of a run that its saves on the way took, as it measures it itself, and the size of its file."""
    out = folder / "run"
    shutil.rmtree(out, ignore_errors=True)
    run = zerosum.start(name, seconds=seconds, out=out, **more)
    saver = run.saver
    assert isinstance(saver, RunSaver)
    run.advance()
    result = run.result()
    length = (out / "run.zs").stat().st_size
    shutil.rmtree(out)
    return {
        "run": f"{name} {more or ''}".strip(),
        "seconds": round(result.curve[-1].seconds, 1),
        "saves on the way": saver.saves,
        "percent of the time": round(100 * saver.spent / result.curve[-1].seconds, 2),
        "milliseconds a save": round(1000 * saver.spent / max(1, saver.saves), 1),
        "megabytes": round(length / 1e6, 3),
        "bytes a sequence": round(length / result.sequences, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--folder", type=Path, default=Path("."))
    options = parser.parse_args()
    print(json.dumps(describe_machine()))
    print(json.dumps(files(options.folder, options.megabytes, options.rounds)))
    for name, more in (
        ("leduc", {}),
        ("liars-dice", {}),
        ("leduc", {"algorithm": "mccfr"}),
        ("spot:river", {}),
        ("spot:turn", {}),
        ("spot:turn", {"half": True}),
    ):
        print(json.dumps(share(options.folder, name, options.seconds, **more)))
