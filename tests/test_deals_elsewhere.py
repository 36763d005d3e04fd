"""The deals of the first place walked by other solvers: the numbers are those of one solver, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rue
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.public_tree import PublicTree
from rue.solvers.passes import Pass
from rue.solvers.public_solver import PublicSolver

ALGORITHMS = ["dcfr", "pcfr+", "ecfr", "cfr+(order=simultaneous)", "pcfr+(order=simultaneous)"]


def leduc() -> PublicTree:
    return poker_tree(rue.game("leduc"))


def even_and_odd(tree: PublicTree) -> list[list[int]]:
    """The deals of even cards and those of odd ones."""
    cards = range(len(tree.board.children))
    return [[deal for card in cards[first::2] for deal in tree.deals_of(card)] for first in (0, 1)]


def make(tree: PublicTree, algorithm: str, **choices: Any) -> PublicSolver:
    return PublicSolver(tree, rue.algorithm(algorithm), 20, **{"threads": 1, "dtype": np.float64, **choices})


def shared_pass(first: Pass, others: list[Pass], deals: list[list[int]]) -> Any:
    """A pass whose deals the others walk, the last one first, and what they are worth in pieces, some of them empty."""
    opened = first.open()
    walked = [other.walk(opened, own) for other, own in zip(others, deals, strict=True)]
    return first.close(piece for each in walked[::-1] for piece in each.cut(5))


def learn(solver: PublicSolver, others: list[PublicSolver], deals: list[list[int]], iterations: int) -> None:
    for _ in range(iterations):
        for other in others:
            other.iteration = solver.iteration
        for player in (0, 1):
            shared_pass(solver.learning(player), [other.learning(player) for other in others], deals)


def gathered(solver: PublicSolver, others: list[PublicSolver], deals: list[list[int]]) -> list[dict[str, Any]]:
    """The stores, each part from the solver that holds it."""
    found = [{name: array.copy() for name, array in store._asdict().items()} for store in solver.stores]
    for other, own in zip(others, deals, strict=True):
        for player, store in enumerate(other.stores):
            for deal in own:
                at = solver.form.deal_span(deal, player)
                for name in ("regret", "average", "strategy"):
                    if len(getattr(store, name)):
                        found[player][name][at] = getattr(store, name)[at]
    return found


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("choices", [{}, {"threads": 2}, {"dtype": np.float32}], ids=["float64", "threads", "float32"])
def test_learning(algorithm: str, choices: dict[str, Any]) -> None:
    tree = leduc()
    alone, first = make(tree, algorithm, **{**choices, "threads": 1}), make(tree, algorithm, **choices)
    others, deals = [make(tree, algorithm, **choices) for _ in range(2)], even_and_odd(tree)
    alone.run(4)
    learn(first, others, deals, 4)
    assert first.iteration == 4
    for one, store in zip(gathered(first, others, deals), alone.stores, strict=True):
        for name in ("regret", "average", "strategy"):
            np.testing.assert_array_equal(one[name], getattr(store, name))


def test_sixteen_bits() -> None:
    tree = leduc()
    alone, first = make(tree, "dcfr", dtype=np.float16), make(tree, "dcfr", dtype=np.float16)
    others, deals = [make(tree, "dcfr", dtype=np.float16) for _ in range(2)], even_and_odd(tree)
    alone.run(3)
    learn(first, others, deals, 3)
    for one, store in zip(gathered(first, others, deals), alone.stores, strict=True):
        np.testing.assert_array_equal(one["regret"], store.regret)
        np.testing.assert_array_equal(one["average"], store.average)


def test_judging() -> None:
    tree = leduc()
    alone, first = make(tree, "dcfr"), make(tree, "dcfr")
    others, deals = [make(tree, "dcfr") for _ in range(2)], even_and_odd(tree)
    alone.run(4)
    learn(first, others, deals, 4)
    for player in (0, 1):
        for best in (False, True):
            found = shared_pass(first.judging(player, best), [other.judging(player, best) for other in others], deals)
            np.testing.assert_array_equal(found, alone.values(player, best))


def test_every_deal_is_walked_once() -> None:
    solver = make(leduc(), "cfr")
    walk = solver.judging(0)
    some = walk.walk(walk.open(), [0, 1])
    with pytest.raises(RueError, match="every deal of leduc must be walked once"):
        walk.close([some])
    with pytest.raises(RueError, match="has the deals 0 to"):
        walk.walk(walk.open(), [10_000])


def test_the_store_of_a_deal() -> None:
    """The first place and the deals fill the store, one after the other."""
    tree = leduc()
    for player in (0, 1):
        assert tree.deal_span(0, player).start == tree.span(0, player).stop
        for deal in range(1, tree.deals):
            assert tree.deal_span(deal, player).start == tree.deal_span(deal - 1, player).stop
        assert tree.deal_span(tree.deals - 1, player).stop == tree.store[player]
