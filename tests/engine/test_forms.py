"""The general form: its contents, the games it refuses, and the agreement of its parts."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from random_games import RandomGame
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game


class Small(Game):
    """A coin that player 1 sees and player 2 does not, and a choice of each; parts are replaced below."""

    name = "small"

    def root(self):
        return ()

    def player(self, state):
        return (CHANCE, ONE, TWO, TERMINAL)[len(state)]

    def chances(self, state):
        return [("heads", 0.5), ("tails", 0.5)]

    def actions(self, state):
        return ("left", "right")

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return state if len(state) == 1 else "blind"

    def payoff(self, state):
        return 1.0 if state[1] == state[2] else -1.0


def test_small_game() -> None:
    form = zerosum.compile_game(Small())
    assert (form.infosets, form.sequences, form.histories, form.payoff.nnz) == (3, 8, 15, 8)
    assert form.name == "small"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"chances": lambda self, state: [("heads", 0.5), ("tails", 0.4)]}, "sum to 0.9, not to 1 .at the root"),
        ({"chances": lambda self, state: [("heads", 1.5), ("tails", -0.5)]}, "heads the probability 1.5"),
        ({"chances": lambda self, state: [("heads", math.nan), ("tails", 0.5)]}, "probability nan"),
        ({"payoff": lambda self, state: math.nan}, "payoff nan is not a finite number .after heads, left, left"),
        ({"payoff": lambda self, state: math.inf}, "not a finite number"),
        ({"payoff": lambda self, state: (1.0, 0.0) if state[0] == "heads" else (1.0, 1.0)}, "not zero-sum.*tails"),
        ({"payoff": lambda self, state: (math.nan, 0.0)}, "not a finite number"),
        ({"actions": lambda self, state: ("left", "left")}, "offers an action twice"),
        ({"payoff": lambda self, state: (3.0, 1.0) if state[0] == "heads" else 0.0}, "not zero-sum.*tails"),
        ({"payoff": lambda self, state: None}, "must return a number or a pair of two, not None .after heads"),
        ({"payoff": lambda self, state: (1, 2, 3)}, "must return a number or a pair of two"),
        ({"payoff": lambda self, state: sys.exit(3)}, "the rules called exit"),
        ({"actions": lambda self, state: (1, "1")}, "two actions that read the same"),
        ({"actions": lambda self, state: ()}, "no action"),
        (
            {"actions": lambda self, state: ("left", "right") if state[:1] == ("heads",) else ("up", "right")},
            "infoset blind offers up/right here and left/right elsewhere",
        ),
        ({"infoset": lambda self, state: "blind"}, None),
        ({"player": lambda self, state: 7}, "must be ONE, TWO, CHANCE or TERMINAL, not 7"),
        ({"payoff": lambda self, state: {}["x"]}, "the rules raised KeyError: 'x' .after heads, left, left"),
        ({"child": lambda self, state, action: 1 / 0}, "ZeroDivisionError.*after heads"),
        ({"player": lambda self, state: ONE, "infoset": lambda self, state: state}, "does not seem to end"),
    ],
)
def test_refused_with_the_place(changes: dict, words: str | None) -> None:
    game = type("Changed", (Small,), changes)()
    if words is None:
        zerosum.compile_game(game)
        return
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.compile_game(game, memory=100_000_000)


class Forgetful(Small):
    """Player 1 moves twice and forgets the first move."""

    def player(self, state):
        return (ONE, ONE, TWO, TERMINAL)[len(state)]

    def infoset(self, state):
        return len(state)


def test_imperfect_recall_is_refused_or_refined() -> None:
    with pytest.raises(zerosum.ZerosumError, match="imperfect recall: infoset 1 of player 1.*after right"):
        zerosum.compile_game(Forgetful())
    form = zerosum.compile_game(Forgetful(), refine=True)
    assert len(form.treeplexes[0].infosets) == 3


def test_openspiel_goofspiel_with_bids_seen_is_refined() -> None:
    pytest.importorskip("pyspiel")
    game = zerosum.game("openspiel:goofspiel(num_cards=4,points_order=ascending,imp_info=False)")
    with pytest.raises(zerosum.ZerosumError, match="goofspiel.*imperfect recall.*refine"):
        zerosum.compile_game(game)
    ours = zerosum.compile_game(zerosum.game("goofspiel(4, order=ascending)"))
    assert zerosum.compile_game(game, refine=True).infosets == ours.infosets


def test_constant_sum_is_shifted() -> None:
    def payoff(self, state):
        return (3.0, 7.0) if state[1] == state[2] else (5.0, 5.0)

    form = zerosum.compile_game(type("Constant", (Small,), {"payoff": payoff})())
    assert form.shift == 5.0
    assert zerosum.solve(form, "lp").value == pytest.approx(4.0)


def test_generators_are_read_once() -> None:
    """What the rules return may be readable only once; every branch is walked all the same."""
    lazy = Small()
    lazy.actions = lambda state: (action for action in Small.actions(lazy, state))
    lazy.chances = lambda state: zip(("heads", "tails"), (0.5, 0.5), strict=True)
    assert zerosum.compile_game(lazy).histories == zerosum.compile_game(Small()).histories


def test_a_plan_that_is_not_finite_is_no_uniform_strategy() -> None:
    tree = zerosum.compile_game(Small()).treeplexes[0]
    assert np.isnan(tree.strategy(np.full(tree.sequences, math.nan))[1:]).all()


def test_a_game_that_does_not_fit_is_refused_with_the_figure() -> None:
    with pytest.raises(zerosum.ZerosumError, match="does not fit: after .* histories it needs .*MB and .* free"):
        zerosum.compile_game(zerosum.game("royal"), memory=2_000_000)


@given(st.integers(0, 10**6))
def test_plans_and_strategies_convert_back_and_forth(seed: int) -> None:
    form = zerosum.compile_game(RandomGame(seed))
    draw = np.random.default_rng(seed)
    for tree in form.treeplexes:
        strategy = tree.strategy(draw.random(tree.sequences) + 0.01)
        plan = tree.plan(strategy)
        assert tree.is_plan(plan)
        np.testing.assert_allclose(tree.strategy(plan), strategy)
        assert not tree.is_plan(plan + 0.1)


@given(st.integers(0, 10**6))
def test_value_is_the_mean_over_histories(seed: int) -> None:
    """x^T A y against a walk over the rules themselves."""
    game = RandomGame(seed, depth=4)
    form = zerosum.compile_game(game)
    draw = np.random.default_rng(seed)
    plans = [tree.plan(tree.strategy(draw.random(tree.sequences) + 0.01)) for tree in form.treeplexes]
    behaviour = [tree.behaviour(plan) for tree, plan in zip(form.treeplexes, plans, strict=True)]

    def mean(state) -> float:
        player = game.player(state)
        if player == TERMINAL:
            return game.payoff(state)
        if player == CHANCE:
            return sum(p * mean(game.child(state, a)) for a, p in game.chances(state))
        chances = behaviour[player][game.infoset(state)]
        return sum(chances[a] * mean(game.child(state, a)) for a in game.actions(state))

    assert form.value(*plans) == pytest.approx(mean(()), abs=1e-12)


@given(st.integers(0, 10**6))
def test_best_response_beats_every_plan(seed: int) -> None:
    form = zerosum.compile_game(RandomGame(seed))
    draw = np.random.default_rng(seed)
    plans = [tree.plan(tree.strategy(draw.random(tree.sequences))) for tree in form.treeplexes]
    for tree, gradient in zip(form.treeplexes, form.gradients(*plans), strict=True):
        best, plan = zerosum.best_response(tree, gradient)
        assert tree.is_plan(plan)
        assert plan @ gradient == pytest.approx(best)
        for _ in range(5):
            other = tree.plan(tree.strategy(draw.random(tree.sequences) ** 3))
            assert other @ gradient <= best + 1e-12


@given(st.integers(0, 10**6))
def test_exact_solution_is_an_equilibrium(seed: int) -> None:
    form = zerosum.compile_game(RandomGame(seed))
    assert abs(zerosum.evaluate(form, *zerosum.equilibrium(form)).exploitability) < 1e-9


@given(st.integers(0, 10**6))
def test_exploitability_is_never_negative(seed: int) -> None:
    form = zerosum.compile_game(RandomGame(seed))
    draw = np.random.default_rng(seed)
    plans = [tree.plan(tree.strategy(draw.random(tree.sequences))) for tree in form.treeplexes]
    evaluation = zerosum.evaluate(form, *plans)
    assert min(evaluation.gains) >= -1e-12


@pytest.mark.parametrize("value", ["leduc", None, 3])
def test_values_without_rules_are_refused_with_a_message(value: object) -> None:
    with pytest.raises(zerosum.ZerosumError, match=r"an object with root\(\), not .*: zerosum.game makes it of a name"):
        zerosum.compile_game(value)  # type: ignore[arg-type]
