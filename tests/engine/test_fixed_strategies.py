"""Fixed strategies: both forms play them instead of learning, and evaluate the game in which they are fixed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import zerosum
from public_play import Both
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.forms.public.rounds import Board
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sequence.best_response import best_response
from zerosum.support.errors import ZerosumError

ALGORITHMS = ["cfr", "dcfr", "icfr", "pcfr+", "trm-lcfr(1.5, 0.5)", "hedge(0.5)", "ecfr", "cfr+(order=simultaneous)"]


@cache
def both(name: str) -> Both:
    game = zerosum.game(name)

    def infoset(hand: int, board: Board, line: tuple[str, ...]) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    return Both(zerosum.compile_game(game), build_poker_tree(game), infoset)


def in_public_form(game: Both, strategies: tuple[Any, Any]) -> dict[tuple[int, int, int], Any]:
    """Convert fixed strategies from the sequence form to the decisions of the public form."""
    decisions = {}
    for _, place, player, first, actions, at in game.tree.iterate_decisions():
        if strategies[player] is not None:
            chances = game.public(player, strategies[player])[at].reshape(actions, -1)
            if not np.isnan(chances).all():
                decisions[place, player, first] = chances
    return decisions


def some_given(game: Both, seed: int, share: float = 0.4) -> tuple[Any, Any]:
    """Random play at some of the infosets, nothing at the others."""
    generator, strategies = np.random.default_rng(seed), []
    for treeplex, strategy in zip(game.form.treeplexes, game.strategies(seed), strict=True):
        learned = generator.random(len(treeplex.infosets)) > share
        strategy[1:][learned[treeplex.owner[1:]]] = np.nan
        strategy[0] = np.nan
        strategies.append(strategy)
    return strategies[0], strategies[1]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_forms_agree(name: str, algorithm: str) -> None:
    """Learned regrets and the evaluation after some iterations from the same random regrets."""
    game = both(name)
    locks = some_given(game, seed=5)
    general = zerosum.Solver(game.form, zerosum.algorithm(algorithm), 50, start_seed=1, fixed=locks)
    public = PublicSolver(game.tree, zerosum.algorithm(algorithm), 50, 1, np.float64, fixed=in_public_form(game, locks))
    for player, store in enumerate(public.stores):
        store.regret[:] = game.public(player, general.regrets[player])
        if len(store.strategy):
            store.strategy[:] = game.public(player, general.states[player].strategy)
    for piece in (1, 2, 7):
        public.run(piece)
        general.run(piece)
    for player, chances in enumerate(locks):
        learned = np.isnan(chances[1:])
        regret, expected = game.general(player, public.stores[player].regret), general.regrets[player][1:]
        np.testing.assert_allclose(regret[learned], expected[learned], rtol=0, atol=1e-9)
        plan = np.append(1.0, game.general(player, public.averages()[player]))
        played = game.form.treeplexes[player].strategy(plan)[1:]
        np.testing.assert_allclose(played[~learned], chances[1:][~learned], rtol=0, atol=1e-15)
    if "simultaneous" in algorithm:
        evaluation, expected = public.evaluate(), general.evaluate()
        assert evaluation.value == pytest.approx(expected.value, abs=1e-9)
        assert evaluation.gains == pytest.approx(expected.gains, abs=1e-9)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_fixed_strategy_is_played_from_the_first_iteration(algorithm: str) -> None:
    game = both("leduc")
    locks = some_given(game, seed=2)
    solver = zerosum.Solver(game.form, zerosum.algorithm(algorithm), 10, start_seed=4, fixed=locks)
    for _ in range(3):
        for treeplex, plan, average, chances in zip(
            game.form.treeplexes, solver.current, solver.average, locks, strict=True
        ):
            fixed = ~np.isnan(chances)
            reach = np.where(treeplex.owner >= 0, plan[treeplex.tree.parent[treeplex.owner]], 1.0)
            np.testing.assert_allclose(plan[fixed], (reach * chances)[fixed], rtol=1e-15)
            assert treeplex.is_plan(average)
        solver.run(1)


def test_a_fixed_decision_that_is_never_reached() -> None:
    """The average has no mass there, and still is the fixed strategy."""
    game = both("kuhn")
    treeplex = game.form.treeplexes[0]
    strategy = np.full(treeplex.sequences, np.nan)
    for infoset, actions in enumerate(treeplex.actions):
        sequences = treeplex.sequences_of(infoset)
        parent = treeplex.tree.parent[infoset]
        strategy[sequences] = [0.0, 1.0] if parent == 0 else [0.25, 0.75]
        assert len(actions) == 2
    chances = in_public_form(game, (strategy, None))
    for solver in (
        zerosum.Solver(game.form, zerosum.algorithm("cfr"), 10, fixed=(strategy, None)),
        PublicSolver(game.tree, zerosum.algorithm("cfr"), 10, 1, np.float64, fixed=chances),
    ):
        solver.run(10)
        assert solver.evaluate().gains[0] == pytest.approx(0.0, abs=1e-15)
    assert isinstance(solver, PublicSolver)
    for (place, player, first), block in chances.items():
        np.testing.assert_array_equal(solver.strategy(place, player, first, len(block)), block)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("form", ["general", "public", "half"])
def test_one_fixed_player_leads_to_a_best_response(name: str, form: str) -> None:
    game = both(name)
    strategy = game.strategies(seed=3)[1]
    plan = game.form.treeplexes[1].plan(strategy)
    best, _ = best_response(game.form.treeplexes[0], game.form.payoff @ plan)
    locks = (None, strategy)
    solver: Any
    if form == "general":
        solver = zerosum.Solver(game.form, zerosum.algorithm("cfr+"), 400, fixed=locks)
    else:
        chances = in_public_form(game, locks)
        kind = np.float16 if form == "half" else np.float32
        solver = PublicSolver(game.tree, zerosum.algorithm("cfr+"), 400, dtype=kind, fixed=chances)
    solver.run(400)
    evaluation = solver.evaluate()
    assert evaluation.value == pytest.approx(best, abs=5e-3)
    assert evaluation.value + evaluation.gains[0] == pytest.approx(best, abs=1e-12)
    assert evaluation.gains[1] == pytest.approx(0.0, abs=1e-12)


def test_a_fixed_equilibrium_gains_nothing() -> None:
    game = both("kuhn")
    solved = zerosum.Solver(game.form, zerosum.algorithm("pcfr+"), 3000)
    solved.run(3000)
    first, second = (t.strategy(plan) for t, plan in zip(game.form.treeplexes, solved.average, strict=True))
    half_locked = zerosum.Solver(game.form, zerosum.algorithm("dcfr"), 300, fixed=(first, None))
    half_locked.run(300)
    evaluation = half_locked.evaluate()
    assert evaluation.gains[0] == pytest.approx(0.0, abs=1e-15)
    assert evaluation.value == pytest.approx(-1 / 18, abs=1e-3)
    both_given = zerosum.Solver(game.form, zerosum.algorithm("dcfr"), 1, fixed=(first, second)).evaluate()
    assert both_given.nash_conv == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_some_hands_of_a_decision(dtype: Any) -> None:
    """The other hands go on learning beside the fixed ones."""
    tree = both("leduc").tree
    decision = next(tree.iterate_decisions())
    chances = np.full((decision.actions, tree.get_shape(decision.place, decision.player)[1]), np.nan)
    chances[:, 1] = [0.0] * (decision.actions - 1) + [1.0]
    key = decision.place, decision.player, decision.first
    solver = PublicSolver(tree, zerosum.algorithm("dcfr"), 300, 1, dtype, fixed={key: chances})
    free = PublicSolver(tree, zerosum.algorithm("dcfr"), 300, 1, dtype)
    for runner in (solver, free):
        runner.run(300)
    played = solver.strategy(*key, decision.actions)
    np.testing.assert_array_equal(played[:, 1], chances[:, 1])
    assert solver.evaluate().exploitability < 5e-2
    assert solver.evaluate().value < free.evaluate().value + 1e-3


def test_values_that_are_no_strategy_are_refused() -> None:
    game = both("kuhn")
    with pytest.raises(ZerosumError, match="needs 13 numbers"):
        zerosum.Solver(game.form, zerosum.algorithm("cfr"), 1, fixed=(np.ones(3), None))
    with pytest.raises(ZerosumError, match="must sum to 1 over the actions"):
        zerosum.Solver(game.form, zerosum.algorithm("cfr"), 1, fixed=(np.ones(13) / 3, None))
    with pytest.raises(ZerosumError, match="2 actions times 3 hands"):
        PublicSolver(game.tree, zerosum.algorithm("cfr"), 1, fixed={(0, 0, 1): np.ones((2, 2)) / 2})
    with pytest.raises(ZerosumError, match="no decision of player 2 begins with row 7"):
        PublicSolver(game.tree, zerosum.algorithm("cfr"), 1, fixed={(0, 1, 7): np.ones((2, 3)) / 2})
