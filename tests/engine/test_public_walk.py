"""The compiled walk in public form against its plain twin, `twins/public_walk.py`; the iterations averages hold."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import reference
import zerosum
import zerosum.holdem
from twins.public_walk import PublicEvaluation, PublicWalk
from zerosum.engine.forms.public.poker import build_poker_tree, iterate_stored_decisions
from zerosum.engine.forms.public.tree import PublicTree, normalize_columns
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.engine.public_tree import build_public_tree

RAKE: Any = {"rake": "5%", "rake_cap": 12}
SPOTS = {
    "river": zerosum.holdem.spot("4s8hTc9h2s", 100, 300, "QsJs,AA,77:0.5", "KK,TT:0.5,7h6h", "75%", "allin"),
    "raked river": zerosum.holdem.spot("AsKsQsJsTs", 100, 350, "9h9d,8h8d", "7h7d,6h6d", "50%", **RAKE),
    "turn": zerosum.holdem.spot("KsKh7s7h", 100, 80, "AA,7d6d", "QJs,6s6h", "allin", "none", cap=1),
}
GAMES = ["kuhn", "leduc(ranks=2, suits=3)", *SPOTS]
ALGORITHMS = [
    name
    for name, rules in reference.ALGORITHMS.items()
    if rules.steps in ("", "fixed") and (rules.b is None or rules.b[2] > 0)
]
"""Left out: step sizes that depend on the game, which `test_public_form.py` compares with the sequence form's, and
exponential rules whose b does not vanish with r, because they distinguish a regret of zero from one of 1e-17."""


@cache
def tree_of(name: str) -> PublicTree:
    """A small poker game or a hold'em spot in public form."""
    return build_public_tree(SPOTS[name]) if name in SPOTS else build_poker_tree(zerosum.game(name))


def start_at_random(solver: PublicSolver) -> None:
    """Give a solver random regrets and the strategies that match them."""
    random = np.random.default_rng(1)
    for store in solver.stores:
        store.regret[:] = random.normal(0.5, size=len(store.regret))
        store.strategy[:] = np.maximum(store.regret[: len(store.strategy)], 0.0)
    for stored, choice, _, _ in iterate_stored_decisions(solver.form):
        strategy = solver.stores[choice.player].strategy
        if len(strategy):
            strategy[stored] = normalize_columns(strategy[stored].reshape(len(choice.actions), -1)).ravel()


def copy_state(solver: PublicSolver, twin: PublicWalk) -> None:
    """Give a twin the regrets and strategies of a solver.

    Done before each iteration: a regret of zero but for the last digit would soon lead to another strategy.
    """
    for player in (0, 1):
        twin.strategies(player)
    for stored, choice, board, line in iterate_stored_decisions(solver.form):
        store, count = solver.stores[choice.player], len(choice.actions)
        for hand, decision in enumerate(twin.decisions[board, line]):
            decision.regret = store.regret[stored].reshape(count, -1)[:, hand].copy()
            if len(store.strategy):
                decision.sigma = store.strategy[stored].reshape(count, -1)[:, hand].copy()
            else:
                decision.sigma = decision.match(decision.regret, np.ones(len(choice.actions)), max(1, twin.t))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", GAMES)
def test_the_walk_equals_its_plain_twin(name: str, algorithm: str) -> None:
    """Compare regrets and averages after every iteration, and the values of hands, also of a best response."""
    tree = tree_of(name)
    solver = PublicSolver(tree, zerosum.algorithm(algorithm), 10, 1, np.float64)
    twin = PublicWalk(tree, reference.ALGORITHMS[algorithm], 10)
    start_at_random(solver)
    averages = {}
    for _ in range(3):
        copy_state(solver, twin)
        solver.run(1)
        twin.iterate()
        for stored, choice, board, line in iterate_stored_decisions(tree):
            store = solver.stores[choice.player]
            regrets = np.stack([decision.regret for decision in twin.decisions[board, line]], axis=1)
            np.testing.assert_allclose(store.regret[stored], regrets.ravel(), rtol=1e-9, atol=1e-9)
            average = store.average[stored].reshape(len(choice.actions), -1)
            np.testing.assert_allclose(average, twin.average((board, line)), rtol=1e-9, atol=1e-9)
            averages[board, line] = normalize_columns(average)
    evaluation = PublicEvaluation(tree, averages)
    for player in (0, 1):
        for best in (False, True):
            expected = evaluation.hand_values(player, best)
            np.testing.assert_allclose(solver.compute_hand_values(player, best), expected, rtol=1e-9, atol=1e-9)


# Which iterations an average holds: what docs/algorithms.md says under "Where the papers leave a choice".


@pytest.mark.parametrize("order", ["first=1", "first=2", "order=simultaneous"])
@pytest.mark.parametrize("base", ["cfr", "cfr+", "ecfr"])
def test_the_player_who_updates_first_is_averaged_one_iteration_later(base: str, order: str) -> None:
    """In public form, averages hold iterations 1 to T, but 2 to T + 1 for the player that updates first.

    At a player's first decision nothing of the own play comes before, so that the average is a plain weighted mean.
    """
    algorithm = f"{base}({order})"
    rules = replace(
        reference.ALGORITHMS[base], simultaneous="simultaneous" in order, first=2 if order == "first=2" else 1
    )
    tree, iterations = tree_of("river"), 6
    solver = PublicSolver(tree, zerosum.algorithm(algorithm), 10, 1, np.float64)
    twin = PublicWalk(tree, rules, 10)
    start_at_random(solver)
    copy_state(solver, twin)
    played = [[twin.strategies(player) for player in (0, 1)]]
    for _ in range(iterations):
        solver.run(1)
        twin.iterate()
        played.append([twin.strategies(player) for player in (0, 1)])
    weights = reference.average_weights(rules, iterations, 10)
    for player, line in ((0, ()), (1, ("check",))):
        late = not rules.simultaneous and rules.b is None and player == rules.first - 1
        stored, choice, board, _ = next(row for row in iterate_stored_decisions(tree) if row[3] == line)
        strategies = [played[t + late][player][board, line] for t in range(iterations)]
        if rules.b is not None:  # ecfr weighs actions too
            strategies = [twin.played[board, line][t] for t in range(iterations)]
        expected = sum(weight * sigma for weight, sigma in zip(weights, strategies, strict=True))
        average = solver.stores[player].average[stored].reshape(len(choice.actions), -1)
        np.testing.assert_allclose(normalize_columns(average), expected / expected.sum(axis=0), atol=1e-9)
