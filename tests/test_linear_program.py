"""The exact solution is exact: whatever the unit of the payoffs, and measured before it is called so."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rue
import rue.solvers.linear_program as linear_program
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.games.matrix import Matrix
from rue.solvers.linear_program import equilibrium

LEDUC = -0.0856064240780


@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e-9, 1e-7, 1e-6, 1e-3, 1e3, 1e7, 1e12, 1e300])
def test_leduc_in_any_unit(unit: float) -> None:
    result = rue.solve(f"leduc(ante={unit!r}, bets=[{2 * unit!r}, {4 * unit!r}])", "lp")
    assert result.stopped == "exact"
    assert result.value / unit == pytest.approx(LEDUC, rel=1e-9)
    assert result.exploitability / unit < 1e-12


def test_small_matrices() -> None:
    result = rue.solve("matrix([[2e-9,-1e-9],[-1e-9,3e-9]])", "lp")
    assert result.value == pytest.approx(5e-9 / 7, rel=1e-12)
    assert result.strategy["row"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})


@pytest.mark.filterwarnings("error")
def test_payoffs_at_the_end_of_what_is_a_number() -> None:
    result = rue.solve("matrix([[1e308,-1e308],[-1e308,1.7e308]])", "lp")
    assert result.value == pytest.approx(0.7 / 4.7 * 1e308, rel=1e-12)


entries = st.integers(-5, 5)


@given(st.lists(st.tuples(entries, entries), min_size=2, max_size=2), st.integers(-40, 40))
def test_two_by_two_as_by_hand(rows: list[tuple[int, int]], power: int) -> None:
    """The value is a saddle point's entry or (a d - b c) / (a + d - b - c)."""
    (a, b), (c, d) = rows
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    value = Fraction(low) if low == high else Fraction(a * d - b * c, a + d - b - c)
    unit = 10.0**power
    result = rue.solve(Matrix([[unit * entry for entry in row] for row in rows]), "lp")
    assert result.value / unit == pytest.approx(float(value), abs=1e-12)


class Seldom(Game):
    """With a chance of 1e-9 a matrix decides; else the game is over."""

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return NOBODY if state[:1] == (0,) else (CHANCE, ONE, TWO, NOBODY)[len(state)]

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


def test_what_seldom_happens_is_solved_too() -> None:
    result = rue.solve(Seldom(), "lp")
    assert result.strategy["1"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})
    assert result.strategy["2"] == pytest.approx({"0": 4 / 7, "1": 3 / 7})


def test_what_is_not_exact_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    form = rue.compile_game(rue.game("leduc"))
    almost = linear_program._plan(form.treeplexes[0], equilibrium(form)[0] + 1e-9, None), equilibrium(form)[1]
    for found, words in ((almost, "exploitability of .e-.. is left"), (None, "could not be solved exactly; choose")):
        monkeypatch.setattr(linear_program, "_solved", lambda *_, found=found: found)
        with pytest.raises(rue.RueError, match=words):
            equilibrium(form)


def test_payoffs_far_apart_are_solved_or_refused() -> None:
    """A part of 1e18 of the largest payoff cannot be told from rounding; what is answered is exact."""
    for small in (10.0**power for power in range(-9, 1)):
        result = rue.solve(Matrix([[small, -1.0], [-1.0, 1.0 / small]]), "lp")
        assert result.nash_conv <= 1e-12 / small


def test_digits_that_a_large_constant_swallows_are_not_called_exact() -> None:
    """All that is at stake is 1, and HiGHS takes 0.5 of 1e12 for nothing."""
    assert rue.solve("matrix([[1000001, 1000000], [1000000, 1000001]])", "lp").value == pytest.approx(1000000.5)
    with pytest.raises(rue.RueError, match=r"an exploitability of 0\.5 is left"):
        rue.solve("matrix([[1000000000001, 1000000000000], [1000000000000, 1000000000001]])", "lp")


@pytest.mark.filterwarnings("error")
def test_numbers_too_small_to_divide_by_are_solved_or_refused() -> None:
    assert rue.solve("matrix([[1e-320, 1], [1, 1e-320]])", "lp").value == pytest.approx(0.5)
    with pytest.raises(rue.RueError, match="could not be solved exactly"):
        rue.solve("matrix([[1e-320, 0], [0, 1e-320]])", "lp")
