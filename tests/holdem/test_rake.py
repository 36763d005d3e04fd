"""Raked spots: the general form of each player's payoff, counted from the chips by other code, agrees in everything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from holdem_game import Holdem, State
from public_play import Both, instantaneous_regret
from spot_play import solver
from zerosum.engine.forms.public.rounds import FOLD, Board
from zerosum.holdem.betting.rake import Rake
from zerosum.holdem.cards.cards import parse_board
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.files import spot_from_dict, spot_to_dict
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError
from zerosum.support.text import parse_share

RAKE: dict[str, Any] = {"rake": "5%", "rake_cap": 12}
SPOTS = {
    "river": spot("AsKsQsJs2d", 100, 350, "Ts9s,AhAd,KhKd,2s2h,8c7c", "TsTd,9s8s,AhKh,5s5h,2c2h:0.5", "50%", **RAKE),
    "ties": spot("AsKsQsJsTs", 100, 350, "9h9d,8h8d", "7h7d,6h6d,9h8h", "50%", "allin", **RAKE),
    "no rake on folds": spot("4s8hTc9h2s", 100, 300, "QsJs,AA", "KK,TT:0.5", "75%", rake_on_folds=False, **RAKE),
    "turn": spot("Ks7h2d9c", 100, 300, "AsAh,KdQd,7s6s:0.5", "KhQh,AsAd,8h8s", "75%", "allin", cap=2, rake=0.04),
    "turn all-in": spot("Td9d6dQd", 100, 250, "AdAs,KhKs,8s7s", "KdKc,AsTh,JsJh", "allin", "none", **RAKE),
}  # fmt: skip
"""With all-ins before the river and after a call, pots below and above the cap, and hands that tie."""


class Raked(Holdem):
    """A raked spot as plain rules for the payoff of one player; the other gets the opposite, which is not the truth.

    Chips are counted anew: the amount each player put in, the share of the winner, the rake of the house.
    """

    def __init__(self, spot: Spot, seat: int) -> None:
        super().__init__(spot)
        self.seat = seat

    def payoff(self, state: State) -> float:
        leaf, street = self.leaf(state), state[4]
        put_in = [street.pot / 2 + paid for paid in leaf.paid]
        pot, rake = 2 * min(put_in), self.spot.rake
        house = min(rake.rate * pot, rake.cap)
        if leaf.kind == FOLD:
            house = house if rake.on_folds else 0.0
            got = [pot - house, 0.0] if leaf.folder == 1 else [0.0, pot - house]
        else:
            mine, theirs = (self.strength(state[player], state[2]) for player in (0, 1))
            won = 0.5 + 0.5 * ((mine > theirs) - (mine < theirs))
            got = [won * (pot - house), (1 - won) * (pot - house)]
        return (got[self.seat] - pot / 2) * (-1 if self.seat else 1)


def forms(spot: Spot) -> tuple[Both, Both]:
    """A raked spot in the public form beside the general forms of both players' payoffs."""

    def infoset(hand: int, board: Board, line: tuple[str, ...]) -> Any:
        return hand, parse_board(board.label), line

    tree = build_public_tree(spot, isomorphism=False)
    oop, ip = (Both(zerosum.compile_game(Raked(spot, seat)), tree, infoset) for seat in (0, 1))
    return oop, ip


@pytest.mark.parametrize("name", SPOTS)
def test_regrets_values_and_gains_agree_with_the_general_forms(name: str) -> None:
    """Compare the regret of every action, both values and both best responses, against a random strategy."""
    games = forms(SPOTS[name])
    near = 1e-11 if SPOTS[name].street == 2 else 2e-5  # the equities of all-ins are float32
    strategies = games[0].strategies(seed=3)
    plans = [t.plan(s) for t, s in zip(games[0].form.treeplexes, strategies, strict=True)]
    kernels = games[0].solver("cfr(order=simultaneous)")
    stored = [games[0].public(player, strategies[player]) for player in (0, 1)]
    for player in (0, 1):
        kernels.stores[player].regret[:] = stored[player]
    kernels.run(1)
    for player, game in enumerate(games):
        gradient = game.form.gradients(plans[0], plans[1])[player]
        expected = instantaneous_regret(game.form.treeplexes[player], gradient, strategies[player])[1:]
        regrets = game.general(player, kernels.stores[player].regret - stored[player])
        np.testing.assert_allclose(regrets, expected, rtol=0, atol=near)
        kernels.stores[player].average[:] = stored[player]
    result = kernels.evaluate()
    unraked, raked = (zerosum.evaluate(game.form, *plans) for game in games)
    assert result.value == pytest.approx(unraked.value, abs=near)
    assert result.rake == pytest.approx(raked.value - unraked.value, abs=near)
    assert result.gains == pytest.approx((unraked.gains[0], raked.gains[1]), abs=near)
    assert result.rake > 0.1


@pytest.mark.parametrize("name", ["river", "turn all-in"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("threads", [1, 2])
def test_runs_end_near_an_equilibrium(name: str, dtype: Any, threads: int) -> None:
    """The gains of both players by a best response go to zero, for 16-bit stores down to their noise."""
    public_solver = solver(SPOTS[name], "dcfr", 400, threads=threads, dtype=dtype)
    assert 0 <= public_solver.evaluate().exploitability < (0.02 if dtype == np.float32 else 0.1)


def test_sampled_boards_end_near_an_equilibrium() -> None:
    """Walks with dealt hands are compared with full ones in `test_dealt`."""
    sampled = zerosum.solve(SPOTS["turn all-in"], "pcs-cfr", nodes=500_000, seed=1)
    assert sampled.exploitability < 3
    assert sampled.rake > 5


def test_a_game_of_one_decision_by_hand() -> None:
    """The nuts may bet all-in or check, a bluff catcher that always loses folds; a pot of 100 pays 4, one of 300 5."""
    river = spot("AsKsQs2d2h", 100, 100, "JsTs", "2c2s", "allin", "none", minimum=1, rake="4%", rake_cap=5)
    result = zerosum.solve(river, iterations=50)
    assert result.ev_oop == pytest.approx(96, abs=1e-3)
    assert result.ev_ip == pytest.approx(0, abs=1e-3)
    called = zerosum.holdem.spot("AsKsQs2d2h", 100, 100, "JsTs", "2c2s", "none", "none", rake="4%", rake_on_folds=False)
    assert zerosum.solve(called, iterations=2).ev_oop == pytest.approx(96)


def test_the_summary_has_the_rake() -> None:
    river = SPOTS["river"]
    result = zerosum.solve(river, iterations=100)
    summary = result.summary()
    assert summary["ev_oop"] + summary["ev_ip"] + summary["rake"] == pytest.approx(river.pot)
    assert summary["ev_oop"] == pytest.approx(river.pot / 2 + summary["value"])
    assert summary["curve"][-1]["rake"] == summary["rake"] > 0
    plain = zerosum.solve(spot("AsKsQsJs2d", 100, 350, "Ts9s,AhAd", "TsTd,9s8s", "50%"), iterations=10).summary()
    assert plain["ev_oop"] + plain["ev_ip"] == pytest.approx(100)
    assert plain["rake"] == 0
    assert "rake" not in plain["curve"][-1]


def test_locks_on_a_raked_turn(tmp_path: Any) -> None:
    """A player locked completely meets a best response, with which the other wins what `zerosum.exploit` says; and the
    house gets what both of them lose."""
    turn = SPOTS["turn"]
    before = zerosum.solve(turn, iterations=30, out=tmp_path / "before")
    for player in (0, 1):
        whose = ("oop", "ip")[player]
        locked = zerosum.solve(turn, iterations=300, locks=f"{whose}: @{tmp_path / 'before'}")
        gains = zerosum.exploit(turn, before).gains
        other = 1 - player
        wins = (before.ev_oop, before.ev_ip)[other] + gains[other]
        assert (locked.ev_oop, locked.ev_ip)[other] == pytest.approx(wins, abs=0.05)
        assert locked.ev_oop + locked.ev_ip + locked.rake == pytest.approx(turn.pot)
        assert zerosum.exploit(turn, locked, locks=f"{whose}: @{tmp_path / 'before'}").gains[player] == pytest.approx(
            0.0
        )
    lock = "check bet100: fold 70%, call 30%"
    whole = zerosum.solve(turn, iterations=40, locks=lock, unlocked=before)
    zerosum.solve(turn, iterations=15, locks=lock, unlocked=before, out=tmp_path / "locked")
    again = zerosum.resume(tmp_path / "locked", iterations=40)
    assert (again.value, again.rake, again.exploitability) == (whole.value, whole.rake, whole.exploitability)
    assert again.at("check bet100").frequencies == pytest.approx({"fold": 0.7, "call": 0.3, "allin": 0.0})
    assert whole.price is not None
    assert whole.price.unlocked == pytest.approx((before.value, -before.value - before.rake))


def test_a_raked_run_is_saved_and_resumed(tmp_path: Any) -> None:
    river = SPOTS["river"]
    whole = zerosum.solve(river, iterations=40)
    zerosum.solve(river, iterations=20, out=tmp_path / "run")
    again = zerosum.resume(tmp_path / "run", iterations=40)
    assert (again.value, again.rake, again.exploitability) == (whole.value, whole.rake, whole.exploitability)
    loaded = zerosum.load(tmp_path / "run")
    assert (loaded.spot, loaded.ev_ip, loaded.rake) == (river, whole.ev_ip, whole.rake)
    judged = zerosum.exploit(river, loaded)
    assert judged.gains == pytest.approx(loaded.solution.solver.evaluate().gains)
    assert judged.rake == pytest.approx(whole.rake)


def test_an_unraked_strategy_is_judged_in_a_raked_game() -> None:
    river = SPOTS["river"]
    plain = zerosum.solve(zerosum.holdem.spot(**{**spot_to_dict(river), "rake": 0, "rake_cap": None}), iterations=300)
    raked = zerosum.solve(river, iterations=300)
    assert zerosum.exploit(river, plain).nash_conv > zerosum.exploit(river, raked).nash_conv
    assert zerosum.exploit(river, plain).rake > 0
    assert zerosum.exploit(plain.spot, plain).rake == 0
    met = zerosum.head_to_head(river, plain, raked)
    assert met.first < raked.value + 1e-3  # nobody does better than the equilibrium against it


def test_a_cut_run_knows_its_rake(tmp_path: Any) -> None:
    turn = SPOTS["turn"]
    whole = zerosum.solve(turn, iterations=60, out=tmp_path / "cut", streets="turn")
    loaded = zerosum.load(tmp_path / "cut")
    assert loaded.ev_ip == whole.ev_ip
    again = loaded.at("check check 2c")
    assert "not saved" in again.note


# Texts and files.


@pytest.mark.parametrize(("text", "rate"), [("5%", 0.05), (0.05, 0.05), ("0.05", 0.05), ("2.5 %", 0.025), (0, 0.0)])
def test_rates(text: Any, rate: float) -> None:
    assert parse_share(text, "rake") == pytest.approx(rate)


@pytest.mark.parametrize(
    "options",
    [
        {"rake": 5}, {"rake": "five"}, {"rake": "100%"}, {"rake": "-1%"}, {"rake": "nan"}, {"rake_cap": 30},
        {"rake": "5%", "rake_cap": -1}, {"rake": "5%", "rake_cap": "nan"}, {"rake_on_folds": False},
        {"rake": "5%", "rake_on_folds": "no"},
    ],
)  # fmt: skip
def test_nonsense_is_refused(options: Any) -> None:
    with pytest.raises(ZerosumError, match="rake"):
        spot("AsKsQsJs2d", 100, 350, "Ts9s,AhAd", "TsTd,9s8s", "50%", **options)


@given(st.floats(0, 0.99), st.one_of(st.just(math.inf), st.floats(0, 1e6)), st.booleans(), st.floats(1e-6, 1e6))
def test_a_rake_is_never_more_than_its_share_its_cap_or_the_pot(
    rate: float, cap: float, folds: bool, pot: float
) -> None:
    rake = Rake(rate, cap, folds) if rate else Rake()
    for folded in (True, False):
        assert 0 <= rake.compute_amount(pot, folded) <= min(pot, cap, max(rate * pot, 0))
    raked = Spot((0, 5, 10, 15, 20), 10.0, 20.0, *SPOTS["river"].ranges, rake=rake)
    assert spot_from_dict(spot_to_dict(raked)) == raked


def test_every_outcome_of_a_tree_pays_what_the_chips_say() -> None:
    for raked in SPOTS.values():
        for street in build_public_tree(raked).rounds:
            for end in street.ends:
                if end.next_round is None:
                    pot = 2 * (end.amount + end.rake)
                    folded = end.folder >= 0
                    assert 2 * end.rake == pytest.approx(raked.rake.compute_amount(pot, folded))
