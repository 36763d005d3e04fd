"""Hold'em spots, played on for some iterations from a start that looks random."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import zerosum
from zerosum.engine.forms.public.poker import iterate_stored_decisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.cards.cards import HANDS
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.spot import Spot


@lru_cache(maxsize=12)
def tree_of(spot: Spot, isomorphism: bool) -> PublicTree:
    """The public form of a spot, built once for several tests."""
    return build_public_tree(spot, isomorphism)


def solver(
    spot: Spot, algorithm: str = "dcfr", iterations: int = 0, isomorphism: bool = True, threads: int = 1,
    dtype: Any = np.float64,
) -> PublicSolver:  # fmt: skip
    """A solver after some iterations; after none, its averages are uniform play."""
    public_solver = PublicSolver(
        tree_of(spot, isomorphism), zerosum.algorithm(algorithm), max(1, iterations), threads, dtype
    )
    if iterations:
        public_solver.run(iterations)
    return public_solver


def played(spot: Spot, algorithm: str, iterations: int, **options: Any) -> PublicSolver:
    """A solver after some iterations from `start`."""
    public_solver = solver(spot, algorithm, **options)
    start(public_solver)
    if iterations:
        public_solver.run(iterations)
    return public_solver


@cache
def play(line: tuple[str, ...], action: str) -> Any:
    """A number for each hand and action that looks random and does not depend on the names of the suits."""
    numbers = np.random.default_rng(crc32(repr((line, action)).encode())).uniform(0.1, 1.0, (13, 13, 2))
    ranks, suits = HANDS // 4, HANDS % 4
    return numbers[ranks[:, 0], ranks[:, 1], (suits[:, 0] == suits[:, 1]).astype(int)]


def start(public_solver: PublicSolver) -> None:
    """Let regrets and averages start from `play`.

    From zero, many regrets stay zero but for the last digit, and on its sign depends which strategy follows.
    """
    for stored, choice, board, line in iterate_stored_decisions(public_solver.form):
        store = public_solver.stores[choice.player]
        average = np.stack([play(line, action)[board.hands[choice.player]] for action in choice.actions])
        store.average[stored] = average.ravel()
        store.regret[stored] = 10 * store.average[stored]


def assert_same(first: zerosum.Evaluation, second: zerosum.Evaluation, near: float = 1e-4) -> None:
    """The same value and the same gains, up to rounding."""
    assert first.value == pytest.approx(second.value, abs=near)
    assert first.gains == pytest.approx(second.gains, abs=near)
