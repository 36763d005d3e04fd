"""Liar's dice for two, with the rules of OpenSpiel's `liars_dice`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from zerosum.games.game import CHANCE, ONE, TERMINAL, Action, Game
from zerosum.support.validation import check_integer

LIAR = "liar"
State = tuple[tuple[int, ...], tuple[str, ...]]
"""The dice rolled, the first player's first; the bids called."""


class LiarsDice(Game):
    """Each player rolls `dice` dice in secret; then they bid in turns until one bids the other a liar.

    The bid `2-3` claims at least two dice of face 3 among all dice; the highest face is wild.
    A bid must be above the last one: more dice, or as many of a higher face. The bidder who is called a liar
    wins 1 if the claim holds, else loses 1.

    >>> game = LiarsDice(sides=6)
    >>> game.payoff(((6, 3), ("2-3", "liar"))), game.payoff(((5, 3), ("2-3", "liar")))
    (1.0, -1.0)
    """

    def __init__(self, sides: int = 6, dice: int = 1) -> None:
        self.sides = check_integer("sides", sides, least=1, most=100)
        self.dice = check_integer("dice", dice, least=1, most=100)
        bids = [(count, face) for count in range(1, 2 * dice + 1) for face in range(1, sides + 1)]
        self._bids = (*(f"{count}-{face}" for count, face in bids), LIAR)
        self._claims = dict(zip(self._bids, bids, strict=False))
        self._after = {call: index + 1 for index, call in enumerate(self._bids)}
        self._roll = [(face, 1 / sides) for face in range(1, sides + 1)]

    def root(self) -> State:
        return (), ()

    def player(self, state: State) -> int:
        rolled, bids = state
        if len(rolled) < 2 * self.dice:
            return CHANCE
        return TERMINAL if bids and bids[-1] == LIAR else len(bids) % 2

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return self._roll

    def actions(self, state: State) -> Sequence[str]:
        bids = state[1]
        return self._bids[self._after[bids[-1]] :] if bids else self._bids[:-1]

    def child(self, state: State, action: Action) -> State:
        rolled, bids = state
        if len(rolled) < 2 * self.dice:
            assert isinstance(action, int)
            rolled = (*rolled, action)
            if len(rolled) == self.dice or len(rolled) == 2 * self.dice:
                rolled = rolled[: -self.dice] + tuple(sorted(rolled[-self.dice :]))
            return rolled, bids
        return rolled, (*bids, self._bids[self._after[str(action)] - 1])

    def infoset(self, state: State) -> State:
        rolled, bids = state
        dice = rolled[: self.dice] if len(bids) % 2 == ONE else rolled[self.dice :]
        return dice, bids

    def payoff(self, state: State) -> float:
        rolled, bids = state
        count, face = self._claims[bids[-2]]
        holds = rolled.count(face) + (rolled.count(self.sides) if face != self.sides else 0) >= count
        bidder_is_one = len(bids) % 2 == 0
        return 1.0 if holds == bidder_is_one else -1.0

    def describe(self, infoset: Hashable) -> str:
        """
        >>> LiarsDice(dice=2).describe(((2, 6), ("1-2", "2-2")))
        '2 6|1-2 2-2'
        """
        assert isinstance(infoset, tuple)
        dice, bids = infoset
        return f"{' '.join(map(str, dice))}|{' '.join(bids)}"
