"""Push or fold: hold'em before the flop, heads-up, with all-in as the only bet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from rue.errors import RueError
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Action, Game
from rue.games.parameters import number, positive

SMALL, BIG = 0.5, 1.0
RANKS = "23456789TJQKA"
State = tuple[str, ...]


class Classes(NamedTuple):
    """The 169 classes of hands, like AKs: how likely one is dealt, how likely the other player then has each class, and
    the share of the pot that it wins from that class on average."""

    dealt: dict[str, float]
    met: dict[str, dict[str, float]]
    equity: dict[str, dict[str, float]]


class PushFold(Game):
    """The small blind, first player, goes all-in or folds; the big blind calls or folds. Payoffs are in big blinds.

    `stack` is what each player has before blinds and antes, `ante` what each pays besides the blind. A big blind that
    its blind has put all-in has nothing to decide. Hands of a class, like AKs, are worth the same to who knows nothing
    of the other's suits, so classes are all that a player needs to tell apart.

    >>> game = PushFold(stack=10)
    >>> game.payoff(("72o", "fold")), game.payoff(("72o", "push", "AA", "fold"))
    (-0.5, 1.0)
    >>> round(game.payoff(("AA", "push", "KK", "call")), 4)
    6.3892
    """

    def __init__(self, stack: float = 10, ante: float = 0) -> None:
        self.stack = positive("stack", stack)
        self.ante = float(number("ante", ante))
        if self.ante < 0:
            raise RueError(f"ante must not be below zero, and it is {ante}")
        if self.stack - self.ante <= SMALL:
            raise RueError(
                f"with a stack of {stack} and an ante of {ante} the small blind has nothing left to push: "
                f"the stack must be more than {SMALL} and the ante"
            )
        self.classes = classes()

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if len(state) == 3 and self.stack - self.ante <= BIG:
            return NOBODY
        return NOBODY if "fold" in state else (CHANCE, ONE, CHANCE, TWO, NOBODY)[len(state)]

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        return list((self.classes.met[state[0]] if state else self.classes.dealt).items())

    def actions(self, state: State) -> Sequence[str]:
        return ("fold", "push") if len(state) == 1 else ("fold", "call")

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, str)
        return (*state, action)

    def infoset(self, state: State) -> str:
        return state[0] if len(state) == 1 else f"{state[2]}|push"

    def payoff(self, state: State) -> float:
        if state[-1] == "fold":
            return -SMALL - self.ante if len(state) == 2 else BIG + self.ante
        return self.stack * (2 * self.classes.equity[state[0]][state[2]] - 1)


@cache
def classes() -> Classes:
    """The classes in the order of a chart, row by row from aces down."""
    import numpy as np

    from rue.games.preflop import HANDS, of_classes, smallest

    first, against = of_classes()
    number_of = np.searchsorted(first, smallest())
    hands = np.bincount(number_of)
    belongs = np.eye(len(first))[number_of]
    apart = ~(HANDS[first][:, None, :, None] == HANDS[None, :, None, :]).any(axis=(2, 3))
    pairs = apart @ belongs
    equity = against.equity @ belongs / pairs
    order = sorted(range(len(first)), key=lambda one: _place(HANDS[first[one]]))
    names = {one: _name(HANDS[first[one]]) for one in order}
    dealt = {name: float(hands[one] / hands.sum()) for one, name in names.items()}
    met, won = (
        {name: {names[two]: float(table[one, two]) for two in order} for one, name in names.items()}
        for table in (pairs / pairs.sum(axis=1, keepdims=True), equity)
    )
    return Classes(dealt, met, won)


def _name(cards: Any) -> str:
    (low, low_suit), (high, high_suit) = (divmod(int(card), 4) for card in cards)
    return RANKS[high] + RANKS[low] + ("" if high == low else "s" if high_suit == low_suit else "o")


def _place(cards: Any) -> tuple[int, int]:
    """Row and column in a chart: pairs on the diagonal, suited hands above it."""
    (low, low_suit), (high, high_suit) = (divmod(int(card), 4) for card in cards)
    return (-high, -low) if low_suit == high_suit or high == low else (-low, -high)
