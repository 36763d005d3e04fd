"""A small game that can be solved on every flop: one bet of 75% of the pot, then the hands are checked down.

    out of position: check or bet; in position: check or bet after a check, fold or call after a bet; out of position:
    fold or call after check and bet.

It shares nothing with the package but cards and the evaluator. Chips are shares of the pot, won from here on.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from zerosum.holdem.cards.cards import HANDS, find_unblocked_hands
from zerosum.holdem.cards.flops import Flop
from zerosum.holdem.cards.hand_strength import compute_strengths, list_runouts
from zerosum.holdem.cards.ranges import Range

BET = 0.75
ITERATIONS = 400


@njit(cache=True)
def add_shares(strength, first, second, hands, won):
    """Add the share of the pot that each hand wins from each other one on a board."""
    for i in range(len(first)):
        for j in range(len(second)):
            if strength[first[i]] >= 0 and strength[second[j]] >= 0:
                if strength[first[i]] > strength[second[j]]:
                    won[i, j] += 1.0
                elif strength[first[i]] == strength[second[j]]:
                    won[i, j] += 0.5


class FlopGame:
    """The game of two ranges on a flop."""

    def __init__(self, flop: Flop, oop: Range, ip: Range) -> None:
        free = find_unblocked_hands(flop)
        numbers = [np.flatnonzero(free & (side.weights > 0)) for side in (oop, ip)]
        first, second = HANDS[numbers[0]], HANDS[numbers[1]]
        meet = (first[:, None, :, None] != second[None, :, None, :]).all(axis=(2, 3)).astype(float)
        won = np.zeros(meet.shape)
        boards = list_runouts(flop)
        for strength in compute_strengths(boards):
            add_shares(strength, numbers[0], numbers[1], HANDS, won)
        seen = len(boards) * 45 * 44 / (49 * 48)  # runouts that two hands leave
        weights = oop.weights[numbers[0]], ip.weights[numbers[1]]
        deal = meet * np.outer(*weights)
        self.deals = float(deal.sum())
        self.met = deal / self.deals
        self.win = deal * won / seen / self.deals
        self.equity = float(self.win.sum())

    def ends(self, called: bool) -> tuple[np.ndarray, np.ndarray]:
        """What the first player wins with each pair of hands when they are shown, and the second."""
        pot, paid = (1 + 2 * BET, BET) if called else (1.0, 0.0)
        return pot * self.win - paid * self.met, pot * (self.met - self.win) - paid * self.met

    def solve(self) -> dict[str, float]:
        """Solve by CFR+ with a linear average: EV of the first player, frequencies of both, exploitability."""
        (call1, call2), (show1, show2) = self.ends(True), self.ends(False)
        met, rows, columns = self.met, self.met.shape[0], self.met.shape[1]
        regret = {
            name: np.zeros((2, size)) for name, size in (("b1", rows), ("c1", rows), ("b2", columns), ("c2", columns))
        }
        total = {name: np.zeros(array.shape[1]) for name, array in regret.items()}
        reach = {name: np.zeros(array.shape[1]) for name, array in regret.items()}
        play = {name: np.full(array.shape[1], 0.5) for name, array in regret.items()}

        def values1(b2, c2):
            bet = met @ (1 - c2) + call1 @ c2
            call = call1 @ b2
            return bet, show1 @ (1 - b2), call

        def values2(b1, c1):
            call = call2.T @ b1
            bet = met.T @ ((1 - b1) * (1 - c1)) + call2.T @ ((1 - b1) * c1)
            return call, show2.T @ (1 - b1), bet

        def learn(name, yes, no):
            mean = play[name] * yes + (1 - play[name]) * no
            regret[name] = np.maximum(regret[name] + [yes - mean, no - mean], 0.0)
            sums = regret[name].sum(axis=0)
            play[name] = np.where(sums > 0, regret[name][0] / np.where(sums > 0, sums, 1.0), 0.5)

        for t in range(1, ITERATIONS + 1):
            bet, show, call = values1(play["b2"], play["c2"])
            check = show + play["c1"] * call
            learn("c1", call, np.zeros(rows))
            learn("b1", bet, check)
            for name, seen in (("b1", np.ones(rows)), ("c1", 1 - play["b1"])):
                total[name] += t * seen * play[name]
                reach[name] += t * seen
            call, show, bet = values2(play["b1"], play["c1"])
            learn("c2", call, np.zeros(columns))
            learn("b2", bet, show)
            for name in ("b2", "c2"):
                total[name] += t * play[name]
                reach[name] += t
        mean = {
            name: np.divide(total[name], reach[name], out=np.full_like(total[name], 0.5), where=reach[name] > 0)
            for name in total
        }
        b1, c1, b2, c2 = (mean[name] for name in ("b1", "c1", "b2", "c2"))
        bet, show, call = values1(b2, c2)
        value = float(b1 @ bet + (1 - b1) @ (show + c1 * call))
        best1 = float(np.maximum(bet, show + np.maximum(call, 0)).sum())
        call, show, bet = values2(b1, c1)
        best2 = float((np.maximum(call, 0) + np.maximum(show, bet)).sum())
        meetings = met.sum(axis=1)
        checked = (1 - b1) @ met
        return {
            "deals": self.deals,
            "equity": self.equity,
            "ev": value,
            "bet": float(b1 @ meetings),
            "bet in position": float(checked @ b2 / checked.sum()) if checked.sum() > 1e-9 else 0.0,
            "exploitability": (best1 + best2 - 1.0) / 2,
        }
