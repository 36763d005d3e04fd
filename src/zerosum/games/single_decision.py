"""A single decision of one agent, the example that motivates discounting in DCFR (Brown, Sandholm, 2019)."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.game import ONE, TERMINAL, Action, Game
from zerosum.support.validation import check_numbers

State = int | None


class SingleDecision(Game):
    """The first player chooses one of the payoffs and gets it; the second player never moves.

    >>> game = SingleDecision([0, 1, -1000000])
    >>> game.payoff(game.child(game.root(), 1))
    1.0
    """

    def __init__(self, payoffs: Sequence[float] = (0, 1, -1_000_000)) -> None:
        self.payoffs = check_numbers("payoffs", payoffs)

    def root(self) -> State:
        return None

    def player(self, state: State) -> int:
        return ONE if state is None else TERMINAL

    def actions(self, state: State) -> Sequence[int]:
        return range(len(self.payoffs))

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, int)
        return action

    def infoset(self, state: State) -> str:
        return "decide"

    def payoff(self, state: State) -> float:
        assert state is not None
        return self.payoffs[state]
