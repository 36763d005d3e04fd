"""The guard of the two forms: a small poker game gives the same numbers in general and in public form."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import zerosum
from public_play import Both, instantaneous_regret
from zerosum.algorithms.choices import Accumulate, Match
from zerosum.algorithms.named_algorithms import ALGORITHMS as NAMED
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.forms.public.rounds import Board
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.step_sizes import compute_public_step_sizes
from zerosum.engine.sequence.step_sizes import compute_step_sizes
from zerosum.games.poker.betting import Betting
from zerosum.games.poker.card_game import PokerGame, build_deck
from zerosum.games.poker.royal import Royal
from zerosum.support.errors import ZerosumError

GAMES = ["kuhn", "kuhn(ranks=13)", "leduc", "leduc(ranks=4, suits=3, raises=1)", "leduc(ranks=12, raises=1)",
         "leduc(ranks=4, raises=6)", "leduc-nl", "royal"]  # fmt: skip
ALGORITHMS = [
    "cfr", "cfr+", "lcfr", "dcfr", "icfr", "pcfr+", "pcfr+(prediction=last)", "pdcfr+", "idcfr+", "hs-dcfr",
    "trm-lcfr", "trm-lcfr(1.5, 0.5)", "trm-cfr(random=1, seed=3)", "optimistic-lcfr", "nh-dcfr", "dcfr(skip=0.5)",
    "hedge(0.5)", "oftrl(fixed, eta=0.3)", "hedge", "oftrl", "oftrl(tuned, factor=100, regulariser=euclidean)",
    "rtrm-lcfr", "rtrm-cfr+", "ecfr", "ecfr(b=-0.001)", "dcfr(immediate=true)",
    "oftrl(theory, losses=chips, kappa=1)",
]  # fmt: skip


def find_other_rules() -> list[str]:
    """Return a name of the catalogue for every way to accumulate or match that the names above leave out."""
    rules = {type(rule) for name in ALGORITHMS for rule in get_rules(name)}
    others = {}
    for name in NAMED:
        if zerosum.algorithm(name).sampling is None:
            others |= {type(rule): name for rule in get_rules(name) if type(rule) not in rules}
    return sorted(set(others.values()))


def get_rules(name: str) -> tuple[Accumulate, Match]:
    algorithm = zerosum.algorithm(name)
    return algorithm.accumulate, algorithm.match


CHAOTIC = ["optimistic-lcfr"]
"""Algorithms that make much of the last digit: they agree to fewer of them."""


class OneRaise(Royal):
    """Royal with one bet a round: three rounds, few histories."""

    def __init__(self) -> None:
        PokerGame.__init__(
            self, build_deck(4, 2), Betting(deals=(2, 1, 1), bets=(2, 4, 4), raises=1), "card", ("card",)
        )


@cache
def both(name: str) -> Both:
    game = OneRaise() if name == "royal with one raise" else zerosum.game(name)
    assert isinstance(game, PokerGame)

    def infoset(hand: int, board: Board, line: tuple[str, ...]) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    sampled = name != "royal"  # histories, which step sizes need, are kept: else they would be enumerated again
    return Both(zerosum.compile_game(game, sampled=sampled), build_poker_tree(game), infoset)


@pytest.mark.parametrize("name", GAMES)
def test_sizes_agree(name: str) -> None:
    game = both(name)
    assert game.tree.infosets == game.form.infosets
    assert game.tree.sequences == game.form.sequences
    assert game.tree.largest_payoff == game.form.largest_payoff
    for player, stored in enumerate(game.stored):
        assert sorted(stored[1:]) == list(range(game.tree.store_sizes[player]))


def test_size_of_a_large_game() -> None:
    """Big Leduc, as its enumeration counts it (`tests/games/test_games.py`)."""
    assert build_poker_tree(zerosum.game("big-leduc")).infosets == 2 * 50_400


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_gradients_agree(name: str, threads: int) -> None:
    """From a random strategy, one iteration of CFR adds the same regret to every action in both forms."""
    game = both(name)
    strategies = game.strategies(seed=1)
    plans = [t.plan(s) for t, s in zip(game.form.treeplexes, strategies, strict=True)]
    gradients = game.form.gradients(plans[0], plans[1])
    solver = game.solver("cfr(order=simultaneous)", threads=threads)
    before = [game.public(player, strategies[player]) for player in (0, 1)]
    for player in (0, 1):
        solver.stores[player].regret[:] = before[player]
    solver.run(1)
    for player, treeplex in enumerate(game.form.treeplexes):
        expected = instantaneous_regret(treeplex, gradients[player], strategies[player])
        change = game.general(player, solver.stores[player].regret - before[player])
        np.testing.assert_allclose(change, expected[1:], rtol=0, atol=2e-15)


@pytest.mark.parametrize("name", [*GAMES[:-1], "royal with one raise"])
def test_a_decision_is_found_by_where_it_is_stored(name: str) -> None:
    tree = both(name).tree
    numbers = [(number, place, player, first) for number, place, player, first, _, _ in tree.iterate_decisions()]
    assert len(numbers) == tree.decision_count
    for number, place, player, first in numbers:
        assert tree.find_decision(place, player, first).number == number


@pytest.mark.parametrize("name", [*GAMES[:-1], "royal with one raise"])
@pytest.mark.parametrize("algorithm", ["oftrl(theory, kappa=0.5, regulariser=euclidean)", "hedge"])
def test_step_sizes_agree(name: str, algorithm: str) -> None:
    game, chosen = both(name), zerosum.algorithm(algorithm)
    decision, hand = compute_public_step_sizes(chosen, game.tree, 50)
    steps: list[Any] = [np.zeros(size) for size in game.tree.store_sizes]
    for number, place, player, _, actions, at in game.tree.iterate_decisions():
        steps[player][at] = np.tile(decision[number] * hand[game.tree.slice_hands_at(place, player)], actions)
    assert game.tree.decision_count == len(decision)
    for player, treeplex in enumerate(game.form.treeplexes):
        expected = np.zeros(treeplex.sequences)
        for infoset, step in enumerate(compute_step_sizes(chosen, game.form, 50)[player]):
            expected[treeplex.sequences_of(infoset)] = step
        np.testing.assert_allclose(game.general(player, steps[player]), expected[1:], rtol=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_evaluations_agree(name: str) -> None:
    """Value and best responses of play at random."""
    game = both(name)
    for seed in range(2):
        strategies = game.strategies(seed)
        solver = game.solver("cfr")
        for player in (0, 1):
            solver.stores[player].average[:] = game.public(player, strategies[player])
        plans = [t.plan(s) for t, s in zip(game.form.treeplexes, strategies, strict=True)]
        expected, evaluation = zerosum.evaluate(game.form, *plans), solver.evaluate()
        assert evaluation.value == pytest.approx(expected.value, abs=1e-13)
        assert evaluation.gains == pytest.approx(expected.gains, abs=1e-13)
        assert solver.compute_hand_values(1, best=False).sum() == pytest.approx(-evaluation.value, abs=1e-13)


@pytest.mark.parametrize("order", ["first=1", "first=2", "order=simultaneous"])
@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *find_other_rules()])
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_runs_agree(name: str, algorithm: str, order: str) -> None:
    """Compare regrets, stored current strategies and averages of equal iterations after 50 iterations.

    The regrets start at random: from zero, some are zero again after an iteration but for the last digit, and
    whether that digit is above zero or not decides between two strategies far apart.
    """
    game = both(name)
    full = f"{algorithm[:-1]}, {order})" if "(" in algorithm else f"{algorithm}({order})"
    public, general = game.solver(full), zerosum.Solver(game.form, zerosum.algorithm(full), 50, start_seed=1)
    for player, store in enumerate(public.stores):
        store.regret[:] = game.public(player, general.regrets[player])
        if len(store.strategy):
            store.strategy[:] = game.public(player, general.states[player].strategy)
    for piece in (1, 2, 17, 30):
        public.run(piece)
        general.run(piece)
    near = {"rtol": 0, "atol": 1e-6 if algorithm in CHAOTIC else 1e-8}
    for player, treeplex in enumerate(game.form.treeplexes):
        store = public.stores[player]
        np.testing.assert_allclose(game.general(player, store.regret), general.regrets[player][1:], **near)
        if len(store.strategy):
            strategy, expected = game.general(player, store.strategy), general.states[player].strategy[1:]
            np.testing.assert_allclose(strategy, expected, **near)
        if player + 1 != general.algorithm.first or order == "order=simultaneous":
            average = np.concatenate([[1.0], game.general(player, store.average)])
            mine, theirs = (treeplex.plan(treeplex.strategy(a)) for a in (average, general.average[player]))
            np.testing.assert_allclose(mine, theirs, **near)


def test_the_first_player_is_averaged_one_iteration_later() -> None:
    """The opponent met the strategies of iterations 2 to T + 1."""
    game = both("leduc")
    public, general = game.solver("cfr"), zerosum.Solver(game.form, zerosum.algorithm("cfr"), 50, start_seed=1)
    treeplex = game.form.treeplexes[0]
    start = general.current[0]
    for player, store in enumerate(public.stores):
        store.regret[:] = game.public(player, general.regrets[player])
    public.run(20)
    general.run(21)
    sums = general.states[0].average - start
    average = np.concatenate([[20.0], game.general(0, public.stores[0].average)])
    mine, theirs = (treeplex.plan(treeplex.strategy(a)) for a in (average, sums))
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "value", "iterations"),
    [("kuhn", -1 / 18, 1000), ("leduc", -0.0856064240780, 1000), ("leduc-nl", -0.0833270073807, 100)],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_values(name: str, value: float, iterations: int, dtype: Any, algorithm: str) -> None:
    solver = PublicSolver(both(name).tree, zerosum.algorithm(algorithm), iterations, dtype=dtype)
    solver.run(iterations)
    evaluation = solver.evaluate()
    assert -1e-12 < evaluation.exploitability < 4 / iterations
    assert abs(evaluation.value - value) <= evaluation.nash_conv + 1e-9


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("algorithm", ["cfr", "pcfr+", "dcfr(order=simultaneous)"])
def test_threads_change_nothing(algorithm: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three rounds, the threads share deals, and of the last ones the deals that follow."""
    monkeypatch.setenv("NUMBA_NUM_THREADS", "7")
    game = both("royal")
    alone, shared = (game.solver(algorithm, threads=count) for count in (1, threads))
    assert shared.threads == threads
    for solver in (alone, shared):
        solver.run(3)
    for store, other in zip(alone.stores, shared.stores, strict=True):
        for mine, theirs in zip(store, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert alone.evaluate() == shared.evaluate()


def test_games_without_a_public_form_are_refused() -> None:
    with pytest.raises(ZerosumError, match=r"leduc\(infosets=rank\): .* pass infosets=card"):
        build_poker_tree(zerosum.game("leduc(infosets=rank)"))
    with pytest.raises(ZerosumError, match="at most 52 cards, not 53"):
        build_poker_tree(zerosum.game("kuhn(ranks=53)"))
    assert build_poker_tree(zerosum.game("kuhn(ranks=52)")).infosets == 208
