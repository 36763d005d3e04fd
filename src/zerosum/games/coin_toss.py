"""Coin toss (Brown, Sandholm, Safe and nested subgame solving, 2017; figure 1 of exponential CFR)."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Action, Game
from zerosum.support.validation import check_number

State = tuple[str, ...]


class CoinToss(Game):
    """A fair coin is tossed and only the first player sees it.

    The first player goes `left` and gets the worth of the coin, 0.5 for heads and -0.5 for tails, or goes `right` and
    lets the second player guess: a correct guess costs the first player 1, a wrong one brings 1.
    The value is 0: the second player guesses heads one time in four.

    >>> game = CoinToss()
    >>> game.payoff(("heads", "left")), game.payoff(("heads", "right", "tails"))
    (0.5, 1.0)
    """

    def __init__(self, heads: float = 0.5, tails: float = -0.5) -> None:
        self.left_payoffs = {"heads": check_number("heads", heads), "tails": check_number("tails", tails)}

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        return TERMINAL if state[1:] == ("left",) else (CHANCE, ONE, TWO, TERMINAL)[len(state)]

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        return [("heads", 0.5), ("tails", 0.5)]

    def actions(self, state: State) -> Sequence[str]:
        return ("left", "right") if len(state) == 1 else ("heads", "tails")

    def child(self, state: State, action: Action) -> State:
        return (*state, str(action))

    def infoset(self, state: State) -> str:
        return state[0] if len(state) == 1 else "guess"

    def payoff(self, state: State) -> float:
        coin, *_, last = state
        if last == "left":
            return self.left_payoffs[coin]
        return -1.0 if last == coin else 1.0
