"""Solve, be killed at a random moment and resume, many times; print how often a file existed and the last iteration.

This runs as a separate process: it loads the solver once and forks, so that a killed child costs no start.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import zerosum
from zerosum.runs import run_saver
from zerosum.runs.saved_run import SavedRun

ENDLESS = 10**9


def child(path: Path, game: zerosum.SequenceForm, algorithm: str, writing: bool) -> int:
    """Fork a process that advances a run; with `writing`, it saves all the time."""
    number = os.fork()
    if number:
        return number
    try:
        if writing:
            run_saver.SAVING_SHARE, run_saver.MIN_INTERVAL = 1.0, 0.0
        if (path / "run.zs").exists():
            zerosum.resume(path, threads=1, game=game)
        else:
            zerosum.solve(game, algorithm, iterations=ENDLESS, threads=1, out=path)
    finally:
        os._exit(1)


def main(path: Path, game: str, algorithm: str, times: int, seed: int) -> None:
    """Kill a given number of children and check the file that each leaves."""
    draw = random.Random(seed)
    form = zerosum.compile_game(zerosum.game(game), sampled=True)
    zerosum.solve(form, algorithm, iterations=20, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        zerosum.solve(form, algorithm, iterations=20, threads=1, out=Path(folder) / "run")
        start = time.perf_counter() - began
    seen, left, before = [], 0, 0
    for number in range(times):
        process = child(path, form, algorithm, writing=number % 2 == 1)
        time.sleep(draw.uniform(0.0, 0.2 + 4 * start))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status), "the run ended by itself"
        left += len(list(path.glob(".run.zs.*.writing"))) if path.exists() else 0
        if (path / "run.zs").exists():
            with SavedRun(path) as run:
                run.read_arrays()
                assert run.iteration >= before, "a run went back"
                before = run.iteration
            zerosum.load(path)
            seen.append(before)
    print(json.dumps({"seen": seen, "left": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
