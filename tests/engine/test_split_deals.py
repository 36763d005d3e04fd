"""Deals of the first place walked by other solvers: the numbers equal those of one solver, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.staged_pass import StagedPass
from zerosum.support.errors import ZerosumError

ALGORITHMS = ["dcfr", "pcfr+", "ecfr", "cfr+(order=simultaneous)", "pcfr+(order=simultaneous)"]


def leduc() -> PublicTree:
    return build_poker_tree(zerosum.game("leduc"))


def even_and_odd(tree: PublicTree) -> list[list[int]]:
    """Split the deals into those of even cards and those of odd ones."""
    cards = range(len(tree.board.children))
    groups = len(tree.bundles[0].deal_groups)
    return [[groups * card + group for card in cards[first::2] for group in range(groups)] for first in (0, 1)]


def make(tree: PublicTree, algorithm: str, **choices: Any) -> PublicSolver:
    return PublicSolver(tree, zerosum.algorithm(algorithm), 20, **{"threads": 1, "dtype": np.float64, **choices})


def shared_pass(first: StagedPass, others: list[StagedPass], deals: list[list[int]]) -> Any:
    """Run a pass with the deals walked by others, last one first, and values returned in pieces, some empty."""
    opened = first.open()
    walked = [other.walk(opened, share) for other, share in zip(others, deals, strict=True)]
    return first.close(piece for pieces in walked[::-1] for piece in pieces.split(5))


def learn(solver: PublicSolver, others: list[PublicSolver], deals: list[list[int]], iterations: int) -> None:
    for _ in range(iterations):
        for other in others:
            other.iteration = solver.iteration
        for player in (0, 1):
            shared_pass(solver.make_update_pass(player), [other.make_update_pass(player) for other in others], deals)


def gathered(solver: PublicSolver, others: list[PublicSolver], deals: list[list[int]]) -> list[dict[str, Any]]:
    """The stores, each part from the solver that holds it."""
    stores = [{name: array.copy() for name, array in store._asdict().items()} for store in solver.stores]
    for other, share in zip(others, deals, strict=True):
        for player, store in enumerate(other.stores):
            for deal in share:
                at = solver.form.slice_deal(deal, player)
                for name in ("regret", "average", "strategy"):
                    if len(getattr(store, name)):
                        stores[player][name][at] = getattr(store, name)[at]
    return stores


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("choices", [{}, {"threads": 2}, {"dtype": np.float32}], ids=["float64", "threads", "float32"])
def test_learning(algorithm: str, choices: dict[str, Any]) -> None:
    tree = leduc()
    alone, first = make(tree, algorithm, **{**choices, "threads": 1}), make(tree, algorithm, **choices)
    others, deals = [make(tree, algorithm, **choices) for _ in range(2)], even_and_odd(tree)
    alone.run(4)
    learn(first, others, deals, 4)
    assert first.iteration == 4
    for collected, store in zip(gathered(first, others, deals), alone.stores, strict=True):
        for name in ("regret", "average", "strategy"):
            np.testing.assert_array_equal(collected[name], getattr(store, name))


def test_sixteen_bits() -> None:
    tree = leduc()
    alone, first = make(tree, "dcfr", dtype=np.float16), make(tree, "dcfr", dtype=np.float16)
    others, deals = [make(tree, "dcfr", dtype=np.float16) for _ in range(2)], even_and_odd(tree)
    alone.run(3)
    learn(first, others, deals, 3)
    for collected, store in zip(gathered(first, others, deals), alone.stores, strict=True):
        np.testing.assert_array_equal(collected["regret"], store.regret)
        np.testing.assert_array_equal(collected["average"], store.average)


def test_judging() -> None:
    tree = leduc()
    alone, first = make(tree, "dcfr"), make(tree, "dcfr")
    others, deals = [make(tree, "dcfr") for _ in range(2)], even_and_odd(tree)
    alone.run(4)
    learn(first, others, deals, 4)
    for player in (0, 1):
        for best in (False, True):
            passes = [solver.make_evaluation_pass(player, best) for solver in (first, *others)]
            values = shared_pass(passes[0], passes[1:], deals)
            np.testing.assert_array_equal(values, alone.compute_hand_values(player, best))


def test_every_deal_is_walked_once() -> None:
    solver = make(leduc(), "cfr")
    walk = solver.make_evaluation_pass(0)
    some = walk.walk(walk.open(), [0, 1])
    with pytest.raises(ZerosumError, match="every deal of leduc must be walked once"):
        walk.close([some])
    with pytest.raises(ZerosumError, match="has the deals 0 to"):
        walk.walk(walk.open(), [10_000])


def test_the_store_of_a_deal() -> None:
    """The first place and the deals fill the store, one after the other."""
    tree = leduc()
    for player in (0, 1):
        assert tree.slice_deal(0, player).start == tree.slice_place(0, player).stop
        for deal in range(1, tree.deal_count):
            assert tree.slice_deal(deal, player).start == tree.slice_deal(deal - 1, player).stop
        assert tree.slice_deal(tree.deal_count - 1, player).stop == tree.store_sizes[player]
