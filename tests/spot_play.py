"""Hold'em spots, played on for some iterations from a start that looks random."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import rue
from rue.forms.public_places import decisions
from rue.forms.public_tree import PublicTree
from rue.holdem.cards import HANDS
from rue.holdem.form import public_tree
from rue.holdem.spots import Spot
from rue.solvers.public_solver import PublicSolver


@lru_cache(maxsize=12)
def tree_of(found: Spot, isomorphism: bool) -> PublicTree:
    """The public form of a spot, built once for several tests."""
    return public_tree(found, isomorphism)


def solver(
    found: Spot, algorithm: str = "dcfr", iterations: int = 0, isomorphism: bool = True, threads: int = 1,
    dtype: Any = np.float64,
) -> PublicSolver:  # fmt: skip
    """A solver after some iterations; after none, its averages are uniform play."""
    made = PublicSolver(tree_of(found, isomorphism), rue.algorithm(algorithm), max(1, iterations), threads, dtype)
    if iterations:
        made.run(iterations)
    return made


def played(found: Spot, algorithm: str, iterations: int, **options: Any) -> PublicSolver:
    """A solver after some iterations from `start`."""
    made = solver(found, algorithm, **options)
    start(made)
    if iterations:
        made.run(iterations)
    return made


@cache
def play(line: tuple[str, ...], action: str) -> Any:
    """A number for each hand and action that looks random and does not depend on the names of the suits."""
    numbers = np.random.default_rng(crc32(repr((line, action)).encode())).uniform(0.1, 1.0, (13, 13, 2))
    ranks, suits = HANDS // 4, HANDS % 4
    return numbers[ranks[:, 0], ranks[:, 1], (suits[:, 0] == suits[:, 1]).astype(int)]


def start(made: PublicSolver) -> None:
    """Let regrets and averages start from `play`.

    From zero, many regrets stay zero but for the last digit, and on its sign depends which strategy follows.
    """
    for place, choice, board, line in decisions(made.form):
        store = made.stores[choice.player]
        for number, action in enumerate(choice.actions):
            row = place.row(number)
            store.average[row] = play(line, action)[board.hands[choice.player]]
            store.regret[row] = 10 * store.average[row]


def assert_same(one: rue.Evaluation, other: rue.Evaluation, near: float = 1e-4) -> None:
    """The same value and the same gains, up to rounding."""
    assert one.value == pytest.approx(other.value, abs=near)
    assert one.gains == pytest.approx(other.gains, abs=near)
