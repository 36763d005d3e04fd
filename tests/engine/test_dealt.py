"""Sampled walks with dealt hands on card games in public form: right on average, convergent, repeatable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import chdtrc

import zerosum
from compiled_kernels import emitted
from dealt_moments import exact_changes, expected, members, met, sampled_changes, scores, set_regrets, spread_regrets
from twins.deal_walk import DealWalk
from zerosum.engine.forms.public.poker import build_poker_tree, iterate_stored_decisions
from zerosum.engine.forms.public.rounds import find_disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.sampling.board_solver import BoardSampler
from zerosum.engine.sampling.deal_solver import DealSampler, allocate_deal
from zerosum.engine.sampling.deal_tables import build_alias_table, build_deal_tables
from zerosum.engine.sampling.deals import deal_hands_and_board
from zerosum.engine.sampling.history_walk import EXTERNAL, OUTCOME
from zerosum.engine.sampling.rules_walk import UniformDraws
from zerosum.engine.solver import MAX_COUNT
from zerosum.holdem.betting.rake import Rake
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.spot import spot
from zerosum.support.errors import ZerosumError
from zerosum.support.splitmix import initial_state

WALKS = 20_000
NAMES = ["mccfr", "cs-cfr", "os-mccfr(0.4)", "vr-mccfr"]
FEW = {"bets": "60%,allin", "raises": "allin"}


RIVER = spot("Ks Kh 7d 2c 3s", 100, 250, "AA,QQ,76s:0.3,54s", "JJ,88,A5s:0.7,65s", **FEW)
ALIKE = spot("2s 2h 2d 2c", 100, 150, "AA,KK:0.5", "QQ,AKs", **FEW)
TREES: dict[str, Callable[[], PublicTree]] = {
    "kuhn": lambda: build_poker_tree(zerosum.game("kuhn")),
    "leduc": lambda: build_poker_tree(zerosum.game("leduc")),
    "river": lambda: build_public_tree(RIVER),
    "raked river": lambda: build_public_tree(replace(RIVER, rake=Rake(0.2, 40.0))),
    "turn, suits alike": lambda: build_public_tree(ALIKE),
    "turn, every card": lambda: build_public_tree(ALIKE, isomorphism=False),
}


@cache
def tree_of(name: str) -> PublicTree:
    """Build a tree when it is first needed."""
    return TREES[name]()


def solver_on(tree: PublicTree, name: str, seed: int = 5) -> DealSampler:
    return DealSampler(tree, zerosum.algorithm(name), seed=seed)


def start(tree: PublicTree, name: str) -> tuple[DealSampler, list[Any]]:
    solver = solver_on(tree, name)
    solver.table.baseline[:] = np.random.default_rng(1).normal(size=len(solver.table.baseline))
    return solver, set_regrets(solver, spread_regrets(tree, 3))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", TREES)
def test_the_walks_equal_their_plain_twin(which: str, name: str) -> None:
    """The same seed makes the same draws, so regrets, averages and nodes agree."""
    tree, walks = tree_of(which), 60
    solver = solver_on(tree, name, seed=11)
    scheme = solver._scheme
    draws = UniformDraws(int(initial_state(11)[0]))
    twin = DealWalk(tree, draws, scheme.explore, scheme.step)
    solver.run_walks(0, walks, MAX_COUNT)
    for number in range(walks):
        twin.walk({EXTERNAL: "external", OUTCOME: "outcome"}.get(scheme.kind, "chance"), number % 2)
    assert solver.nodes == twin.touched
    for kernel_numbers, twin_numbers in ((solver.table.regret, twin.regret), (solver.table.average, twin.average)):
        stores = solver.arrange_in_public_order(kernel_numbers)
        for stored, choice, board, line in iterate_stored_decisions(tree):
            shared, width = board.representatives, len(board.hands[choice.player])
            isomorphic = np.arange(width) if shared is None else shared[choice.player]
            for hand in range(width):
                actual = stores[choice.player][stored][hand::width]
                expected = twin_numbers.get((choice.player, board, line, int(isomorphic[hand])), np.zeros(len(actual)))
                assert actual == pytest.approx(expected, rel=1e-9, abs=1e-9)


def bound(z: Any) -> float:
    """Return a bound on the mean square of scores, which are correlated, as one walk changes many numbers."""
    return 1.5 + 8.0 / float(np.sqrt(len(z)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", TREES)
def test_sampled_regrets_and_averages_are_right_on_average(which: str, name: str) -> None:
    tree = tree_of(which)
    solver, regrets = start(tree, name)
    learnt, reached = exact_changes(tree, regrets)
    copies, meeting = members(tree), met(tree)
    regret = expected(solver, [change * count for change, count in zip(learnt, copies, strict=True)])
    average = expected(solver, [a * b * c for a, b, c in zip(reached, copies, meeting, strict=True)])
    for player in (0, 1):
        sampled = sampled_changes(solver, player, WALKS)
        for z in (scores(sampled[0], regret), scores(sampled[1], average)):
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
    """Return the probability of counts at least this far from the expected ones."""
    return float(chdtrc(len(counts) - 1, np.sum((counts - wanted) ** 2 / wanted)))


@emitted
def sample_deals(tables: Any, deal: Any, deals: Any) -> None:
    """Fill the rows of `deals` (n, levels, 3): for each level both hands, then the child that was dealt."""
    for k in range(len(deals)):
        deal_hands_and_board(tables, deal)
        for level in range(len(deal.hands)):
            deals[k, level, 0], deals[k, level, 1] = deal.hands[level, 0], deal.hands[level, 1]
            deals[k, level, 2] = deal.cards[level]


def test_hands_are_dealt_by_their_weights() -> None:
    tree, deals = tree_of("river"), 400_000
    dealt = np.zeros((deals, tree.extents.levels, 3), np.int64)
    sample_deals(build_deal_tables(tree), allocate_deal(tree, initial_state(7)), dealt)
    first, second = tree.weights
    chance = first[:, None] * second[None, :] * find_disjoint_hands(*tree.board.cards) / tree.total_weight
    counts = np.zeros_like(chance)
    np.add.at(counts, (dealt[:, 0, 0], dealt[:, 0, 1]), 1)
    possible = chance > 0
    assert not counts[~possible].any()
    assert chi_square(counts[possible], deals * chance[possible]) > 1e-3


@pytest.mark.parametrize("which", ["leduc", "turn, suits alike", "turn, every card"])
def test_public_cards_are_dealt_alike(which: str) -> None:
    tree, deals = tree_of(which), 200_000
    dealt = np.zeros((deals, tree.extents.levels, 3), np.int64)
    sample_deals(build_deal_tables(tree), allocate_deal(tree, initial_state(8)), dealt)
    first, second = tree.weights
    pairs = first[:, None] * second[None, :] * find_disjoint_hands(*tree.board.cards) / tree.total_weight
    wanted = []
    for child in tree.board.children:
        chance = sum(pairs[np.ix_(*source)].sum() for source in child.sources) * tree.board.chance
        wanted.append(deals * chance)
    counts = np.bincount(dealt[:, 0, 2], minlength=len(wanted))
    assert np.isclose(sum(wanted), deals)
    assert chi_square(counts, np.array(wanted)) > 1e-3


def test_alias_tables_keep_the_weights() -> None:
    weights = np.random.default_rng(0).random(57) ** 4
    chance, alias = build_alias_table(weights)
    share = chance.copy()
    np.add.at(share, alias, 1.0 - chance)
    assert np.allclose(share / len(weights), weights / weights.sum())


@pytest.mark.parametrize("which", ["leduc", "turn, suits alike", "turn, every card"])
def test_boards_sampled_alone_are_right_on_average(which: str) -> None:
    """The changes by each board, weighted by its chance, sum to the changes by a full traversal."""
    tree = tree_of(which)
    regrets = spread_regrets(tree, 3)
    learnt, reached = exact_changes(tree, regrets)
    means = [np.zeros(size) for size in tree.store_sizes]
    second = np.zeros(tree.store_sizes[1])
    cards = [len(child.sources) for child in tree.board.children]
    for child, count in enumerate(cards):
        solver = BoardSampler(tree, zerosum.algorithm("pcs-cfr"), dtype=np.float64)
        for store, regret in zip(solver.evaluator.stores, regrets, strict=True):
            store.regret[:] = regret
        solver.select_board([child])
        solver._iterate()
        chance = count / sum(cards)
        means[0] += chance * (solver.evaluator.stores[0].regret - regrets[0])
        second += chance * solver.evaluator.stores[1].average
    assert np.allclose(means[0], learnt[0], atol=1e-12)
    assert np.allclose(second, reached[1], atol=1e-12)


VALUES = {"kuhn": -1 / 18, "leduc": -0.085606424078}


@pytest.mark.parametrize("name", ["mccfr", "linear-mccfr(1e5)", "mccfr+", "cs-cfr", "os-mccfr", "vr-mccfr"])
@pytest.mark.parametrize("game", VALUES)
def test_it_converges_to_the_value(game: str, name: str) -> None:
    solver = solver_on(tree_of(game), name)
    solver.run(10**9, 20_000_000)
    evaluation = solver.evaluate()
    assert abs(evaluation.value - VALUES[game]) <= evaluation.nash_conv + 1e-9
    assert evaluation.exploitability < (0.005 if game == "kuhn" else 0.15)


@pytest.mark.parametrize("name", ["pcs-cfr", "linear-pcs-cfr(1e6)"])
def test_sampled_boards_converge_to_the_value(name: str) -> None:
    solver = BoardSampler(tree_of("leduc"), zerosum.algorithm(name), seed=4)
    solver.run(10_000)
    evaluation = solver.evaluate()
    assert abs(evaluation.value - VALUES["leduc"]) <= evaluation.nash_conv + 1e-9
    assert evaluation.exploitability < 0.05


@pytest.mark.parametrize("name", [*NAMES, "linear-mccfr(1e4)"])
def test_a_seed_gives_the_same_run(name: str) -> None:
    """Whatever the number of threads and however the run is cut into pieces."""
    tree = tree_of("leduc")
    one_thread = DealSampler(tree, zerosum.algorithm(name), 9, Limits(iterations=UNLIMITED, threads=1))
    two_threads = DealSampler(tree, zerosum.algorithm(name), 9, Limits(iterations=UNLIMITED, threads=2))
    other = solver_on(tree, name, seed=10)
    one_thread.run(5000)
    for part in (1, 998, 4001):
        two_threads.run(part)
    other.run(5000)
    assert one_thread.nodes == two_threads.nodes
    assert np.array_equal(one_thread.table.regret, two_threads.table.regret)
    assert np.array_equal(one_thread.table.average, two_threads.table.average)
    assert not np.array_equal(one_thread.table.average, other.table.average)
    assert one_thread.evaluate() == two_threads.evaluate()


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


def test_games_that_cannot_be_sampled_are_refused() -> None:
    tree = tree_of("kuhn")
    with pytest.raises(ZerosumError, match="use an algorithm that samples"):
        DealSampler(tree, zerosum.algorithm("cfr"))
    with pytest.raises(ZerosumError, match="deals boards, not hands"):
        DealSampler(tree, zerosum.algorithm("pcs-cfr"))
    with pytest.raises(ZerosumError, match="does not sample boards"):
        BoardSampler(tree, zerosum.algorithm("mccfr"))
    with pytest.raises(ZerosumError, match="seed must be a whole number"):
        solver_on(tree, "mccfr", seed=-1)
