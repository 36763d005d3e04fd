"""Solve, be killed at a random moment, go on; many times. Prints how often a file was there and the last iteration.

A process of its own: it loads the solver once and forks, so that a killed child costs no start.
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

import rue
from rue.runs import keeper
from rue.runs.opened import Opened

ENDLESS = 10**9


def child(path: Path, game: rue.SequenceForm, algorithm: str, writing: bool) -> int:
    """A process that works on a run; with `writing`, it saves it all the time."""
    number = os.fork()
    if number:
        return number
    try:
        if writing:
            keeper.SHARE, keeper.SHORTEST = 1.0, 0.0
        if (path / "run.rue").exists():
            rue.resume(path, threads=1, game=game)
        else:
            rue.solve(game, algorithm, iterations=ENDLESS, threads=1, out=path)
    finally:
        os._exit(1)


def main(path: Path, game: str, algorithm: str, times: int, seed: int) -> None:
    """Kill so many children and check what each leaves."""
    draw = random.Random(seed)
    form = rue.compile_game(rue.game(game), sampled=True)
    rue.solve(form, algorithm, iterations=20, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        rue.solve(form, algorithm, iterations=20, threads=1, out=Path(folder) / "run")
        start = time.perf_counter() - began
    seen, left, before = [], 0, 0
    for number in range(times):
        process = child(path, form, algorithm, writing=number % 2 == 1)
        time.sleep(draw.uniform(0.0, 0.2 + 4 * start))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status), "the run ended by itself"
        left += len(list(path.glob(".run.rue.*.writing"))) if path.exists() else 0
        if (path / "run.rue").exists():
            with Opened(path) as run:
                run.arrays()
                assert run.iteration >= before, "a run went back"
                before = run.iteration
            rue.load(path)
            seen.append(before)
    print(json.dumps({"seen": seen, "left": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
