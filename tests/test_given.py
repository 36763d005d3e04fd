"""Strategies that are given instead of learned: both forms honour them, and so does the judgement."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import rue
from public_play import Both
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.rounds import Board
from rue.solvers.evaluate import best_response
from rue.solvers.public_solver import PublicSolver

ALGORITHMS = ["cfr", "dcfr", "icfr", "pcfr+", "trm-lcfr(1.5, 0.5)", "hedge(0.5)", "ecfr", "cfr+(order=simultaneous)"]


@cache
def both(name: str) -> Both:
    game = rue.game(name)

    def infoset(hand: int, board: Board, line: tuple[str, ...]) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    return Both(rue.compile_game(game), poker_tree(game), infoset)


def in_public_form(game: Both, given: tuple[Any, Any]) -> dict[tuple[int, int, int], Any]:
    """What is given in sequence form, decision by decision of the public one."""
    found = {}
    for _, place, player, first, actions, at in game.tree.decisions():
        if given[player] is not None:
            chances = game.public(player, given[player])[at].reshape(actions, -1)
            if not np.isnan(chances).all():
                found[place, player, first] = chances
    return found


def some_given(game: Both, seed: int, share: float = 0.4) -> tuple[Any, Any]:
    """Random play at some of the infosets, nothing at the others."""
    generator, found = np.random.default_rng(seed), []
    for treeplex, strategy in zip(game.form.treeplexes, game.strategies(seed), strict=True):
        learned = generator.random(len(treeplex.infosets)) > share
        strategy[1:][learned[treeplex.owner[1:]]] = np.nan
        strategy[0] = np.nan
        found.append(strategy)
    return found[0], found[1]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_forms_agree(name: str, algorithm: str) -> None:
    """Regret of what is learned and the judgement after some iterations, from the same random regrets."""
    game = both(name)
    given = some_given(game, seed=5)
    general = rue.Solver(game.form, rue.algorithm(algorithm), 50, start_seed=1, given=given)
    public = PublicSolver(game.tree, rue.algorithm(algorithm), 50, 1, np.float64, given=in_public_form(game, given))
    for player, store in enumerate(public.stores):
        store.regret[:] = game.public(player, general.regrets[player])
        if len(store.strategy):
            store.strategy[:] = game.public(player, general.learners[player].strategy)
    for piece in (1, 2, 7):
        public.run(piece)
        general.run(piece)
    for player, chances in enumerate(given):
        learned = np.isnan(chances[1:])
        found, expected = game.general(player, public.stores[player].regret), general.regrets[player][1:]
        np.testing.assert_allclose(found[learned], expected[learned], rtol=0, atol=1e-9)
        plan = np.append(1.0, game.general(player, public.averages()[player]))
        played = game.form.treeplexes[player].strategy(plan)[1:]
        np.testing.assert_allclose(played[~learned], chances[1:][~learned], rtol=0, atol=1e-15)
    if "simultaneous" in algorithm:
        found, expected = public.evaluate(), general.evaluate()
        assert found.value == pytest.approx(expected.value, abs=1e-9)
        assert found.gains == pytest.approx(expected.gains, abs=1e-9)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_given_strategy_is_played_from_the_first_iteration(algorithm: str) -> None:
    game = both("leduc")
    given = some_given(game, seed=2)
    solver = rue.Solver(game.form, rue.algorithm(algorithm), 10, start_seed=4, given=given)
    for _ in range(3):
        for treeplex, plan, average, chances in zip(
            game.form.treeplexes, solver.current, solver.average, given, strict=True
        ):
            fixed = ~np.isnan(chances)
            reach = np.where(treeplex.owner >= 0, plan[treeplex.tree.parent[treeplex.owner]], 1.0)
            np.testing.assert_allclose(plan[fixed], (reach * chances)[fixed], rtol=1e-15)
            assert treeplex.is_plan(average)
        solver.run(1)


def test_a_decision_that_is_given_never_to_be_reached() -> None:
    """The average has no mass there and is the given strategy all the same."""
    game = both("kuhn")
    treeplex = game.form.treeplexes[0]
    given = np.full(treeplex.sequences, np.nan)
    for infoset, actions in enumerate(treeplex.actions):
        sequences = treeplex.of(infoset)
        parent = treeplex.tree.parent[infoset]
        given[sequences] = [0.0, 1.0] if parent == 0 else [0.25, 0.75]
        assert len(actions) == 2
    chances = in_public_form(game, (given, None))
    for solver in (
        rue.Solver(game.form, rue.algorithm("cfr"), 10, given=(given, None)),
        PublicSolver(game.tree, rue.algorithm("cfr"), 10, 1, np.float64, given=chances),
    ):
        solver.run(10)
        assert solver.evaluate().gains[0] == pytest.approx(0.0, abs=1e-15)
    assert isinstance(solver, PublicSolver)
    for (place, player, first), block in chances.items():
        np.testing.assert_array_equal(solver.strategy(place, player, first, len(block)), block)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("form", ["general", "public", "half"])
def test_one_player_given_makes_a_best_response(name: str, form: str) -> None:
    game = both(name)
    strategy = game.strategies(seed=3)[1]
    plan = game.form.treeplexes[1].plan(strategy)
    best, _ = best_response(game.form.treeplexes[0], game.form.payoff @ plan)
    given = (None, strategy)
    solver: Any
    if form == "general":
        solver = rue.Solver(game.form, rue.algorithm("cfr+"), 400, given=given)
    else:
        chances = in_public_form(game, given)
        kind = np.float16 if form == "half" else np.float32
        solver = PublicSolver(game.tree, rue.algorithm("cfr+"), 400, dtype=kind, given=chances)
    solver.run(400)
    found = solver.evaluate()
    assert found.value == pytest.approx(best, abs=5e-3)
    assert found.value + found.gains[0] == pytest.approx(best, abs=1e-12)
    assert found.gains[1] == pytest.approx(0.0, abs=1e-12)


def test_an_equilibrium_that_is_given_gains_nothing() -> None:
    game = both("kuhn")
    solved = rue.Solver(game.form, rue.algorithm("pcfr+"), 3000)
    solved.run(3000)
    one, two = (t.strategy(plan) for t, plan in zip(game.form.treeplexes, solved.average, strict=True))
    given = rue.Solver(game.form, rue.algorithm("dcfr"), 300, given=(one, None))
    given.run(300)
    found = given.evaluate()
    assert found.gains[0] == pytest.approx(0.0, abs=1e-15)
    assert found.value == pytest.approx(-1 / 18, abs=1e-3)
    both_given = rue.Solver(game.form, rue.algorithm("dcfr"), 1, given=(one, two)).evaluate()
    assert both_given.nash_conv == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_some_hands_of_a_decision(dtype: Any) -> None:
    """The hands that are not given learn on beside those that are."""
    tree = both("leduc").tree
    decision = next(tree.decisions())
    chances = np.full((decision.actions, tree.shape(decision.place, decision.player)[1]), np.nan)
    chances[:, 1] = [0.0] * (decision.actions - 1) + [1.0]
    key = decision.place, decision.player, decision.first
    solver = PublicSolver(tree, rue.algorithm("dcfr"), 300, 1, dtype, given={key: chances})
    free = PublicSolver(tree, rue.algorithm("dcfr"), 300, 1, dtype)
    for each in (solver, free):
        each.run(300)
    played = solver.strategy(*key, decision.actions)
    np.testing.assert_array_equal(played[:, 1], chances[:, 1])
    assert solver.evaluate().exploitability < 5e-2
    assert solver.evaluate().value < free.evaluate().value + 1e-3


def test_what_is_no_strategy_is_refused() -> None:
    game = both("kuhn")
    with pytest.raises(RueError, match="needs 13 numbers"):
        rue.Solver(game.form, rue.algorithm("cfr"), 1, given=(np.ones(3), None))
    with pytest.raises(RueError, match="is no strategy: chances that sum to 1"):
        rue.Solver(game.form, rue.algorithm("cfr"), 1, given=(np.ones(13) / 3, None))
    with pytest.raises(RueError, match="2 actions times 3 hands"):
        PublicSolver(game.tree, rue.algorithm("cfr"), 1, given={(0, 0, 1): np.ones((2, 2)) / 2})
    with pytest.raises(RueError, match="no decision of player 2 begins with row 7"):
        PublicSolver(game.tree, rue.algorithm("cfr"), 1, given={(0, 1, 7): np.ones((2, 3)) / 2})
