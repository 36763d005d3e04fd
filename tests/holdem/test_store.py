"""The store of a spot: numbers too small to divide by; 16-bit floats, how near they come, what they take and refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rue
from rue.errors import RueError
from rue.holdem.files import load_spot
from rue.holdem.form import public_tree
from rue.holdem.spots import Spot, spot
from rue.solvers.public_solver import PublicSolver

TURN = spot("Ks7h2d9c", 100, 200, "TT+,AQs+,KQs", "99-77,AJs+,KJs+,QJs", "50%,allin")


def solved(found: Spot, algorithm: str = "dcfr", iterations: int = 500, **options: Any) -> PublicSolver:
    """A solver after some iterations."""
    made = PublicSolver(public_tree(found), rue.algorithm(algorithm), iterations, **options)
    made.run(iterations)
    return made


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr(1.25, 0.5, 4)"])
def test_half_comes_as_near_as_single(algorithm: str) -> None:
    """To a few hundredths of a percent of the pot, and the values differ by no more than what is left to gain."""
    half, single = (solved(TURN, algorithm, dtype=kind).evaluate() for kind in (np.float16, np.float32))
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
    actions = sum(half.form.store)
    assert single.bytes - half.bytes == 4 * actions
    assert all(average.dtype == np.float16 for average in half.averages())


def test_threads_change_nothing() -> None:
    one, two = (solved(TURN, iterations=7, dtype=np.float16, threads=threads) for threads in (1, 2))
    for mine, theirs in zip(one.averages(), two.averages(), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("algorithm", ["pcfr+", "hedge", "icfr+", "ecfr", "nh-dcfr", "rtrm-cfr"])
def test_what_half_refuses(algorithm: str) -> None:
    with pytest.raises(RueError, match="16-bit store goes with CFR"):
        PublicSolver(public_tree(TURN), rue.algorithm(algorithm), 1, dtype=np.float16)


def test_half_refuses_many_actions() -> None:
    found = spot("Ks7h2d9c3s", 1000, 9000, "AA", "QQ", "20%,40%,60%,80%,100%,allin")
    with pytest.raises(RueError, match="up to 5 actions"):
        PublicSolver(public_tree(found), rue.algorithm("dcfr"), 1, dtype=np.float16)


def test_regrets_too_small_to_divide_by() -> None:
    """The inverse of 1e-42 is infinite in float32; such regrets, which long runs on flops make, count as none."""
    made = PublicSolver(public_tree(TURN), rue.algorithm("dcfr"), 10, threads=1)
    for store in made.stores:
        store.regret[:] = 1e-42
    made.run(3)
    assert all(np.isfinite(store.regret).all() and np.isfinite(store.average).all() for store in made.stores)
