"""Sampled walks with dealt hands on card games in public form: right on average, convergent, repeatable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import chdtrc

import rue
from dealt_moments import exact_changes, expected, members, met, sampled_changes, scores, set_regrets, spread_regrets
from rue.errors import RueError
from rue.forms.dealt import alias_table, dealt
from rue.forms.poker_public import poker_tree
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import disjoint
from rue.holdem.form import public_tree
from rue.holdem.rake import Rake
from rue.holdem.spots import spot
from rue.solvers.dealt_solver import DealtSolver, new_deal
from rue.solvers.dealt_space import DEAL_MANY
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.public_sampler import PublicSampler

WALKS = 20_000
NAMES = ["mccfr", "cs-cfr", "os-mccfr(0.4)", "vr-mccfr"]
FEW = {"bets": "60%,allin", "raises": "allin"}


RIVER = spot("Ks Kh 7d 2c 3s", 100, 250, "AA,QQ,76s:0.3,54s", "JJ,88,A5s:0.7,65s", **FEW)
ALIKE = spot("2s 2h 2d 2c", 100, 150, "AA,KK:0.5", "QQ,AKs", **FEW)
MADE: dict[str, Callable[[], PublicTree]] = {
    "kuhn": lambda: poker_tree(rue.game("kuhn")),
    "leduc": lambda: poker_tree(rue.game("leduc")),
    "river": lambda: public_tree(RIVER),
    "raked river": lambda: public_tree(replace(RIVER, rake=Rake(0.2, 40.0))),
    "turn, suits alike": lambda: public_tree(ALIKE),
    "turn, every card": lambda: public_tree(ALIKE, isomorphism=False),
}


@cache
def tree_of(name: str) -> PublicTree:
    """Built when it is first asked for."""
    return MADE[name]()


def solver_on(tree: PublicTree, name: str, seed: int = 5) -> DealtSolver:
    return DealtSolver(tree, rue.algorithm(name), seed=seed)


def start(tree: PublicTree, name: str) -> tuple[DealtSolver, list[Any]]:
    solver = solver_on(tree, name)
    solver.table.baseline[:] = np.random.default_rng(1).normal(size=len(solver.table.baseline))
    return solver, set_regrets(solver, spread_regrets(tree, 3))


def bound(z: Any) -> float:
    """What the mean square of so many scores stays below: they go together, as many come from one walk."""
    return 1.5 + 8.0 / float(np.sqrt(len(z)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", MADE)
def test_sampled_regrets_and_averages_are_right_on_average(which: str, name: str) -> None:
    tree = tree_of(which)
    solver, regrets = start(tree, name)
    learnt, reached = exact_changes(tree, regrets)
    copies, meeting = members(tree), met(tree)
    regret = expected(solver, [one * two for one, two in zip(learnt, copies, strict=True)])
    average = expected(solver, [a * b * c for a, b, c in zip(reached, copies, meeting, strict=True)])
    for player in (0, 1):
        found = sampled_changes(solver, player, WALKS)
        for z in (scores(found[0], regret), scores(found[1], average)):
            assert len(z) > 3
            assert np.abs(z).max() < 5.5
            assert np.mean(z**2) < bound(z)


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_weight_would_be_seen(name: str) -> None:
    solver, regrets = start(tree_of("river"), name)
    learnt, _ = exact_changes(tree_of("river"), regrets)
    z = scores(sampled_changes(solver, 0, WALKS)[0], 1.5 * expected(solver, learnt))
    assert np.mean(z**2) > bound(z)


def chi_square(counts: Any, wanted: Any) -> float:
    """The probability of counts at least so far from what is expected."""
    return float(chdtrc(len(counts) - 1, np.sum((counts - wanted) ** 2 / wanted)))


def test_hands_are_dealt_by_their_weights() -> None:
    tree, deals = tree_of("river"), 400_000
    found = np.zeros((deals, tree.levels, 3), np.int64)
    DEAL_MANY(dealt(tree), new_deal(tree, 7), found)
    one, two = tree.weights
    chance = one[:, None] * two[None, :] * disjoint(*tree.board.cards) / tree.total
    counts = np.zeros_like(chance)
    np.add.at(counts, (found[:, 0, 0], found[:, 0, 1]), 1)
    possible = chance > 0
    assert not counts[~possible].any()
    assert chi_square(counts[possible], deals * chance[possible]) > 1e-3


@pytest.mark.parametrize("which", ["leduc", "turn, suits alike", "turn, every card"])
def test_public_cards_are_dealt_alike(which: str) -> None:
    tree, deals = tree_of(which), 200_000
    found = np.zeros((deals, tree.levels, 3), np.int64)
    DEAL_MANY(dealt(tree), new_deal(tree, 8), found)
    one, two = tree.weights
    pairs = one[:, None] * two[None, :] * disjoint(*tree.board.cards) / tree.total
    wanted = []
    for child in tree.board.children:
        chance = sum(pairs[np.ix_(*source)].sum() for source in child.sources) * tree.board.chance
        wanted.append(deals * chance)
    counts = np.bincount(found[:, 0, 2], minlength=len(wanted))
    assert np.isclose(sum(wanted), deals)
    assert chi_square(counts, np.array(wanted)) > 1e-3


def test_alias_tables_keep_the_weights() -> None:
    weights = np.random.default_rng(0).random(57) ** 4
    chance, alias = alias_table(weights)
    share = chance.copy()
    np.add.at(share, alias, 1.0 - chance)
    assert np.allclose(share / len(weights), weights / weights.sum())


@pytest.mark.parametrize("which", ["leduc", "turn, suits alike", "turn, every card"])
def test_boards_sampled_alone_are_right_on_average(which: str) -> None:
    """The chance of a board times what it adds, over all boards, is what a full traversal adds."""
    tree = tree_of(which)
    regrets = spread_regrets(tree, 3)
    learnt, reached = exact_changes(tree, regrets)
    means = [np.zeros(size) for size in tree.store]
    second = np.zeros(tree.store[1])
    cards = [len(child.sources) for child in tree.board.children]
    for child, count in enumerate(cards):
        solver = PublicSampler(tree, rue.algorithm("pcs-cfr"), dtype=np.float64)
        for store, regret in zip(solver.judge.stores, regrets, strict=True):
            store.regret[:] = regret
        solver.set_board([child])
        solver._learn()
        chance = count / sum(cards)
        means[0] += chance * (solver.judge.stores[0].regret - regrets[0])
        second += chance * solver.judge.stores[1].average
    assert np.allclose(means[0], learnt[0], atol=1e-12)
    assert np.allclose(second, reached[1], atol=1e-12)


VALUES = {"kuhn": -1 / 18, "leduc": -0.085606424078}


@pytest.mark.parametrize("name", ["mccfr", "linear-mccfr(1e5)", "mccfr+", "cs-cfr", "os-mccfr", "vr-mccfr"])
@pytest.mark.parametrize("game", VALUES)
def test_it_converges_to_the_value(game: str, name: str) -> None:
    solver = solver_on(tree_of(game), name)
    solver.run(10**9, 20_000_000)
    found = solver.evaluate()
    assert abs(found.value - VALUES[game]) <= found.nash_conv + 1e-9
    assert found.exploitability < (0.005 if game == "kuhn" else 0.15)


@pytest.mark.parametrize("name", ["pcs-cfr", "linear-pcs-cfr(1e6)"])
def test_sampled_boards_converge_to_the_value(name: str) -> None:
    solver = PublicSampler(tree_of("leduc"), rue.algorithm(name), seed=4)
    solver.run(10_000)
    found = solver.evaluate()
    assert abs(found.value - VALUES["leduc"]) <= found.nash_conv + 1e-9
    assert found.exploitability < 0.05


@pytest.mark.parametrize("name", [*NAMES, "linear-mccfr(1e4)"])
def test_a_seed_gives_the_same_run(name: str) -> None:
    """Whatever the number of threads and however the run is cut into pieces."""
    tree = tree_of("leduc")
    one = DealtSolver(tree, rue.algorithm(name), 9, Limits(iterations=WITHOUT_END, threads=1))
    two = DealtSolver(tree, rue.algorithm(name), 9, Limits(iterations=WITHOUT_END, threads=2))
    other = solver_on(tree, name, seed=10)
    one.run(5000)
    for part in (1, 998, 4001):
        two.run(part)
    other.run(5000)
    assert one.nodes == two.nodes
    assert np.array_equal(one.table.regret, two.table.regret)
    assert np.array_equal(one.table.average, two.table.average)
    assert not np.array_equal(one.table.average, other.table.average)
    assert one.evaluate() == two.evaluate()


def test_a_period_discounts() -> None:
    tree = tree_of("leduc")
    plain, linear, first = (
        solver_on(tree, name) for name in ("mccfr", "linear-mccfr(1e5)", "initial-discount-mccfr(0.1, 1e5)")
    )
    for solver in (plain, linear, first):
        solver.run(10**9, 100_000)
    assert plain.nodes == linear.nodes == first.nodes
    for solver, factor in ((linear, 1 / 2), (first, 1 / 10)):
        assert np.allclose(solver.table.regret, factor * plain.table.regret)
        assert np.allclose(solver.table.average, factor * plain.table.average)


def test_what_cannot_be_sampled_is_refused() -> None:
    tree = tree_of("kuhn")
    with pytest.raises(RueError, match="nothing to sample"):
        DealtSolver(tree, rue.algorithm("cfr"))
    with pytest.raises(RueError, match="deals boards, not hands"):
        DealtSolver(tree, rue.algorithm("pcs-cfr"))
    with pytest.raises(RueError, match="does not deal boards alone"):
        PublicSampler(tree, rue.algorithm("mccfr"))
    with pytest.raises(RueError, match="seed must be a whole number"):
        solver_on(tree, "mccfr", seed=-1)
