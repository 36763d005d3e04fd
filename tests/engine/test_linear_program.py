"""The exact solution is exact: whatever the unit of the payoffs, and measured before it is called so."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
import zerosum.engine.exact.linear_program as linear_program
import zerosum.engine.exact.refinement as refinement
from exact_matrix import pure_plans, solved, strategic_form
from random_games import RandomGame
from zerosum.engine.exact.linear_program import equilibrium
from zerosum.engine.sequence.best_response import evaluate
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game
from zerosum.games.matrix import MatrixGame

LEDUC = -0.0856064240780


@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e-9, 1e-7, 1e-6, 1e-3, 1e3, 1e7, 1e12, 1e300])
def test_leduc_in_any_unit(unit: float) -> None:
    result = zerosum.solve(f"leduc(ante={unit!r}, bets=[{2 * unit!r}, {4 * unit!r}])", "lp")
    assert result.stopped == "exact"
    assert result.value / unit == pytest.approx(LEDUC, rel=1e-9)
    assert result.exploitability / unit < 1e-12


def test_small_matrices() -> None:
    result = zerosum.solve("matrix([[2e-9,-1e-9],[-1e-9,3e-9]])", "lp")
    assert result.value == pytest.approx(5e-9 / 7, rel=1e-12)
    assert result.strategy["row"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})


@pytest.mark.filterwarnings("error")
def test_payoffs_at_the_limits_of_floats() -> None:
    result = zerosum.solve("matrix([[1e308,-1e308],[-1e308,1.7e308]])", "lp")
    assert result.value == pytest.approx(0.7 / 4.7 * 1e308, rel=1e-12)


entries = st.integers(-5, 5)


@given(st.lists(st.tuples(entries, entries), min_size=2, max_size=2), st.integers(-40, 40))
def test_two_by_two_as_by_hand(rows: list[tuple[int, int]], power: int) -> None:
    """The value is a saddle point's entry or (a d - b c) / (a + d - b - c)."""
    (a, b), (c, d) = rows
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    value = Fraction(low) if low == high else Fraction(a * d - b * c, a + d - b - c)
    unit = 10.0**power
    result = zerosum.solve(MatrixGame([[unit * entry for entry in row] for row in rows]), "lp")
    assert result.value / unit == pytest.approx(float(value), abs=1e-12)


class Seldom(Game):
    """With a chance of 1e-9 a matrix decides; else the game is over."""

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return TERMINAL if state[:1] == (0,) else (CHANCE, ONE, TWO, TERMINAL)[len(state)]

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def chances(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        return [(0, 1.0 - 1e-9), (1, 1e-9)]

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def infoset(self, state: tuple[int, ...]) -> str:
        return f"{len(state)}"

    def payoff(self, state: tuple[int, ...]) -> float:
        return 1.0 if state == (0,) else [[2.0, -1.0], [-1.0, 3.0]][state[1]][state[2]]


def test_rare_events_are_solved_too() -> None:
    result = zerosum.solve(Seldom(), "lp")
    assert result.strategy["1"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})
    assert result.strategy["2"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})


def test_inexact_solutions_are_not_called_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    form = zerosum.compile_game(zerosum.game("leduc"))
    almost = linear_program.normalize_plan(form.treeplexes[0], equilibrium(form)[0] + 1e-9, None), equilibrium(form)[1]
    monkeypatch.setattr(refinement, "STEPS", 0)
    monkeypatch.setattr(refinement.CorrectionProgram, "solve_game", lambda self: None)
    for answer, refinable, words in (
        (almost, 1e5, "exploitability of .e-.. is left"),
        (almost, 0, "exploitability of .e-.. is left"),
        (None, 0, "could not be solved exactly; choose"),
    ):
        monkeypatch.setattr(linear_program, "_solve_program", lambda *_, answer=answer: answer)
        monkeypatch.setattr(linear_program, "REFINABLE", refinable)
        with pytest.raises(zerosum.ZerosumError, match=words):
            equilibrium(form)


def test_payoffs_far_apart_are_solved_or_refused() -> None:
    """A payoff 1e18 times smaller than the largest is lost in rounding; any solution returned is exact."""
    for small in (10.0**power for power in range(-9, 1)):
        result = zerosum.solve(MatrixGame([[small, -1.0], [-1.0, 1.0 / small]]), "lp")
        assert result.nash_conv <= 1e-12 / small


def test_digits_that_a_large_constant_swallows_are_not_called_exact() -> None:
    """Only a payoff of 1 is at stake, but HiGHS considers 0.5 beside 1e12 to be zero."""
    assert zerosum.solve("matrix([[1000001, 1000000], [1000000, 1000001]])", "lp").value == pytest.approx(1000000.5)
    with pytest.raises(zerosum.ZerosumError, match=r"an exploitability of 0\.5 is left"):
        zerosum.solve("matrix([[1000000000001, 1000000000000], [1000000000000, 1000000000001]])", "lp")


@pytest.mark.filterwarnings("error")
def test_numbers_too_small_to_divide_by_are_solved_or_refused() -> None:
    assert zerosum.solve("matrix([[1e-320, 1], [1, 1e-320]])", "lp").value == pytest.approx(0.5)
    assert zerosum.solve("matrix([[1e-320, 0], [0, 1e-320]])", "lp").value == pytest.approx(5e-321, abs=0.0, rel=1e-2)


def test_large_payoffs_that_nobody_plays_for_hide_nothing() -> None:
    result = zerosum.solve("matrix([[2e-9,-1e-9,1e5],[-1e-9,3e-9,1e5],[-1e5,-1e5,0]])", "lp")
    assert result.value == pytest.approx(5e-9 / 7, rel=1e-14)
    assert result.exploitability < 1e-22


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("power", [-600, -100, 60, 600])
def test_the_unit_of_the_payoffs_does_not_matter(power: int, seed: int) -> None:
    payoffs = badly_scaled(random.Random(seed))
    try:
        expected = math.ldexp(zerosum.solve(MatrixGame(payoffs), "lp").value, power)
    except zerosum.ZerosumError:
        return
    scaled = [[math.ldexp(entry, power) for entry in row] for row in payoffs]
    assert zerosum.solve(MatrixGame(scaled), "lp").value == pytest.approx(expected, rel=1e-9, abs=0.0)


def test_payoffs_that_no_float_can_bring_together_are_refused() -> None:
    with pytest.raises(zerosum.ZerosumError, match="could not be solved exactly"):
        zerosum.solve("matrix([[1, 2], [3, 1e300]])", "lp")


@pytest.mark.parametrize("ante", [1e-3, 1e-6])
def test_a_small_ante_beside_large_bets(ante: float) -> None:
    result = zerosum.solve(f"leduc(ante={ante!r}, bets=[2, 4])", "lp")
    assert result.value / ante == pytest.approx(-4 / 109 - 0.0358 * ante, abs=1e-7)
    assert result.exploitability < 1e-9 * ante


@pytest.mark.parametrize("ante", [1e-8, 1e-10, 1e-12, 1e-14])
def test_a_tiny_ante_is_solved_or_refused(ante: float) -> None:
    try:
        result = zerosum.solve(f"leduc(ante={ante!r}, bets=[2, 4])", "lp")
    except zerosum.ZerosumError as error:
        assert "could not be solved exactly" in str(error)
    else:
        assert result.value / ante == pytest.approx(-4 / 109, abs=max(1e-7, 1e-16 / ante))
        assert result.exploitability < max(1e-9 * ante, 1e-16)


def badly_scaled(draw: random.Random) -> list[list[float]]:
    """A matrix whose entries lie between 1e-12 and 1e12, in one of several ways."""
    height, width, kind = draw.randint(1, 6), draw.randint(1, 6), draw.randrange(5)
    powers = [[draw.uniform(-12, 12) for _ in range(count)] for count in (height, width)]

    def entry(i: int, j: int) -> float:
        row, column = powers[0][i], powers[1][j]
        power = [draw.uniform(-12, 12), row, (row + column) / 2, draw.choice([-12, 0, 12]), min(row, column)][kind]
        return draw.choice([-1, 1]) * draw.choice([draw.uniform(0.5, 2.0), draw.randint(0, 5)]) * 10**power

    return [[entry(i, j) for j in range(width)] for i in range(height)]


@pytest.mark.parametrize("seed", range(80))
def test_badly_scaled_matrices_are_solved_as_in_fractions_or_refused(seed: int) -> None:
    payoffs = badly_scaled(random.Random(seed))
    try:
        result = zerosum.solve(MatrixGame(payoffs), "lp")
    except zerosum.ZerosumError as error:
        assert "could not be solved exactly" in str(error)
        return
    value, row_plan, column_plan = solved(payoffs)
    terms = math.fsum(
        float(abs(Fraction(entry)) * x * y)
        for row, x in zip(payoffs, row_plan, strict=True)
        for entry, y in zip(row, column_plan, strict=True)
    )
    assert abs(result.value - float(value)) <= 1e-12 * max(terms, abs(float(value)))
    assert result.exploitability <= 1e-6 * max(terms, abs(float(value))) or terms == 0.0


@pytest.mark.parametrize("seed", range(40))
def test_small_trees_are_solved_as_in_fractions_or_refused(seed: int) -> None:
    draw = random.Random(seed)
    game = RandomGame(seed, depth=4, widest=2)
    plain, powers = game.payoff, [draw.uniform(-9, 9) for _ in range(3)]
    game.payoff = lambda state: plain(state) * 10 ** powers[hash(str(state).count("a")) % 3]
    form = zerosum.compile_game(game)
    if math.prod(len(pure_plans(treeplex)) for treeplex in form.treeplexes) > 300:
        return
    try:
        plans = equilibrium(form)
    except zerosum.ZerosumError as error:
        assert "could not be solved exactly" in str(error)
        return
    value = float(solved(strategic_form(form))[0])
    terms = linear_program.sum_absolute_terms(form, plans)
    assert abs(form.value(*plans) - form.shift - value) <= 1e-12 * max(terms, abs(value))


@pytest.mark.parametrize("seed", range(12))
def test_refinement_agrees_with_highs_also_where_strategies_are_fixed(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, draw = zerosum.compile_game(RandomGame(seed)), np.random.default_rng(seed)
    shares = tuple(np.full(treeplex.sequences, np.nan) for treeplex in form.treeplexes)
    for treeplex, share in zip(form.treeplexes, shares, strict=True):
        for infoset in range(0, len(treeplex.infosets), 3):
            actions = treeplex.sequences_of(infoset)
            share[actions] = draw.dirichlet(np.ones(len(actions)))
    direct = evaluate(form, *equilibrium(form, shares), shares)
    monkeypatch.setattr(linear_program, "CANCELLATION_FACTOR", -1.0)
    refined = evaluate(form, *equilibrium(form, shares), shares)
    assert refined.value == pytest.approx(direct.value, abs=1e-12)
    assert refined.nash_conv < 1e-14
