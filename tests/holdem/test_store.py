"""The store of a spot: numbers too small to divide by; 16-bit floats, their accuracy, size and limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.files import load_spot
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError

TURN = spot("Ks7h2d9c", 100, 200, "TT+,AQs+,KQs", "99-77,AJs+,KJs+,QJs", "50%,allin")


def solved(spot: Spot, algorithm: str = "dcfr", iterations: int = 500, **options: Any) -> PublicSolver:
    """A solver after some iterations."""
    public_solver = PublicSolver(build_public_tree(spot), zerosum.algorithm(algorithm), iterations, **options)
    public_solver.run(iterations)
    return public_solver


def best_evaluation(algorithm: str, dtype: Any) -> Evaluation:
    """Return the evaluation with the least exploitability after 300, 350, ..., 500 iterations."""
    solver = PublicSolver(build_public_tree(TURN), zerosum.algorithm(algorithm), 500, dtype=dtype)
    solver.run(250)
    evaluations = []
    for _ in range(5):
        solver.run(50)
        evaluations.append(solver.evaluate())
    return min(evaluations, key=lambda evaluation: evaluation.exploitability)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr(1.25, 0.5, 4)"])
def test_half_comes_as_near_as_single(algorithm: str) -> None:
    """The best of the last five evaluations, because aggressive discounts swing differently on every processor."""
    half, single = (best_evaluation(algorithm, dtype) for dtype in (np.float16, np.float32))
    assert half.exploitability < 1.3 * single.exploitability + 0.0003 * TURN.pot
    assert abs(half.value - single.value) <= 2 * (half.exploitability + single.exploitability)


def test_rounding_by_chance_loses_nothing_small() -> None:
    """Late iterations of CFR add less than the last bit each; they still lead on."""
    river = load_spot("river")
    early, late = (solved(river, "cfr", n, dtype=np.float16).evaluate().exploitability for n in (200, 20_000))
    assert late < early / 10
    assert late < 0.0005 * river.pot


def test_half_takes_half() -> None:
    half, single = (solved(TURN, iterations=1, dtype=kind) for kind in (np.float16, np.float32))
    actions = sum(half.form.store_sizes)
    assert single.bytes - half.bytes == 4 * actions
    assert all(average.dtype == np.float16 for average in half.averages())


def test_threads_change_nothing() -> None:
    single, double = (solved(TURN, iterations=7, dtype=np.float16, threads=threads) for threads in (1, 2))
    for mine, theirs in zip(single.averages(), double.averages(), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("algorithm", ["pcfr+", "hedge", "icfr+", "ecfr", "nh-dcfr", "rtrm-cfr"])
def test_algorithms_that_half_refuses(algorithm: str) -> None:
    with pytest.raises(ZerosumError, match="16-bit store does not support"):
        PublicSolver(build_public_tree(TURN), zerosum.algorithm(algorithm), 1, dtype=np.float16)


def test_half_refuses_many_actions() -> None:
    river = spot("Ks7h2d9c3s", 1000, 9000, "AA", "QQ", "20%,40%,60%,80%,100%,allin")
    with pytest.raises(ZerosumError, match="up to 5 actions"):
        PublicSolver(build_public_tree(river), zerosum.algorithm("dcfr"), 1, dtype=np.float16)


def test_regrets_too_small_to_divide_by() -> None:
    """The inverse of 1e-42 is infinite in float32; such regrets, which occur in long runs on flops, count as zero."""
    public_solver = PublicSolver(build_public_tree(TURN), zerosum.algorithm("dcfr"), 10, threads=1)
    for store in public_solver.stores:
        store.regret[:] = 1e-42
    public_solver.run(3)
    assert all(np.isfinite(store.regret).all() and np.isfinite(store.average).all() for store in public_solver.stores)
