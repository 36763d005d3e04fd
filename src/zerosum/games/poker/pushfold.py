"""Push or fold: hold'em before the flop, heads-up, with all-in as the only bet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Action, Game
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_number, check_positive

SMALL, BIG = 0.5, 1.0
State = tuple[str, ...]


class HandClasses(NamedTuple):
    """The 169 classes of hands, like AKs."""

    probabilities: dict[str, float]
    conditional: dict[str, dict[str, float]]
    """The probabilities of the opponent's classes, for each class of the player."""
    equity: dict[str, dict[str, float]]
    """The share of the pot that a class wins from another on average."""


class PushFold(Game):
    """The small blind, first player, goes all-in or folds; the big blind calls or folds. Payoffs are in big blinds.

    `stack` is what each player has before blinds and antes, `ante` what each pays besides the blind. A big blind that
    its blind has put all-in has nothing to decide. All hands of a class, like AKs, are worth the same as long
    as the opponent's suits are unknown, so a player only needs to distinguish classes.

    >>> game = PushFold(stack=10)
    >>> game.payoff(("72o", "fold")), game.payoff(("72o", "push", "AA", "fold"))
    (-0.5, 1.0)
    >>> round(game.payoff(("AA", "push", "KK", "call")), 4)
    6.3892
    """

    def __init__(self, stack: float = 10, ante: float = 0) -> None:
        self.stack = check_positive("stack", stack)
        self.ante = check_number("ante", ante)
        if self.ante < 0:
            raise ZerosumError(f"ante must not be below zero, and it is {ante}")
        if self.stack - self.ante <= SMALL:
            raise ZerosumError(
                f"with a stack of {stack} and an ante of {ante} the small blind has nothing left to push: "
                f"the stack must be more than {SMALL} and the ante"
            )
        self.classes = compute_hand_classes()

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if len(state) == 3 and self.stack - self.ante <= BIG:
            return TERMINAL
        return TERMINAL if "fold" in state else (CHANCE, ONE, CHANCE, TWO, TERMINAL)[len(state)]

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        return list((self.classes.conditional[state[0]] if state else self.classes.probabilities).items())

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
def compute_hand_classes() -> HandClasses:
    """Return the classes in the order of a chart, row by row from aces down."""
    import numpy as np

    from zerosum.games.poker.hole_cards import HANDS, SIDE, class_name, map_hands_to_classes
    from zerosum.games.poker.preflop_equity import find_class_representatives, load_class_equities

    first, against = load_class_equities()
    number_of = np.searchsorted(first, find_class_representatives())
    hands = np.bincount(number_of)
    belongs = np.eye(len(first))[number_of]
    apart = ~(HANDS[first][:, None, :, None] == HANDS[None, :, None, :]).any(axis=(2, 3))
    pairs = apart @ belongs
    equity = against.equity @ belongs / pairs
    order = sorted(range(len(first)), key=lambda number: map_hands_to_classes()[first[number]])
    names = {number: class_name(*divmod(int(map_hands_to_classes()[first[number]]), SIDE)) for number in order}
    probabilities = {name: float(hands[number] / hands.sum()) for number, name in names.items()}
    conditional, equities = (
        {name: {names[other]: float(table[number, other]) for other in order} for number, name in names.items()}
        for table in (pairs / pairs.sum(axis=1, keepdims=True), equity)
    )
    return HandClasses(probabilities, conditional, equities)
