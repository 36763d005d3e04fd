"""Race a custom rule, CFR written as a user would write it, against the catalogue's CFR."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

import zerosum
from machine import Contestant, interleave, ratio

HORIZON = 1_000_000
CHECKED_ITERATIONS = 100


def plain_cfr(t, instant, regret, strategy, memory):
    """R += r, and play in proportion to positive regret; memory[0] serves as the sum."""
    A, W = regret.shape
    for w in range(W):
        memory[0, w] = 0.0
    for a in range(A):
        for w in range(W):
            regret[a, w] += instant[a, w]
            strategy[a, w] = max(regret[a, w], 0.0)
            memory[0, w] += strategy[a, w]
    for a in range(A):
        for w in range(W):
            total = memory[0, w]
            strategy[a, w] = strategy[a, w] / total if total > 0.0 else 1.0 / A


def race(seconds: float, game: str = "leduc") -> dict[str, Any]:
    """Time both on one thread, interleaved, after a check that they are the same algorithm."""
    form = zerosum.compile_game(zerosum.game(game))
    rivals = {"catalogue": zerosum.algorithm("cfr"), "custom": zerosum.rule(plain_cfr, memory=1)}
    solvers = {name: zerosum.Solver(form, choice, HORIZON, threads=1) for name, choice in rivals.items()}
    for solver in solvers.values():
        solver.run(CHECKED_ITERATIONS)
    first, second = (solver.average[0] for solver in solvers.values())
    if not np.allclose(first, second, atol=1e-9):
        raise SystemExit("the custom rule is not the catalogue's CFR")
    samples = interleave([Contestant(name, solver.run) for name, solver in solvers.items()], seconds)
    return {
        "game": game,
        "seconds": {name: statistics.median(values) for name, values in samples.items()},
        "ratio": ratio(samples["custom"], samples["catalogue"]),
    }


def show(result: dict[str, Any]) -> str:
    """Return the result in one line."""
    micro = {name: f"{seconds * 1e6:.1f} us" for name, seconds in result["seconds"].items()}
    return (
        f"CFR on {result['game']}: catalogue {micro['catalogue']}, as a custom rule {micro['custom']}, "
        f"ratio {result['ratio']:.2f}"
    )
