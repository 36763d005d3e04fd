"""A decision of a solved spot: what a range does there, how it got there and what it earns."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import HAND_COUNT, hand_name, parse_board
from rue.holdem.equity import hand_equities
from rue.holdem.ranges import Range
from rue.once import cached_property
from rue.records import dataclass

PLAYERS = ("out of position", "in position")


@dataclass(frozen=True, repr=False)
class RangeDecision:
    """A decision of a solved spot, hand by hand: row a of `strategy` and of `evs` belongs to `actions[a]`.

    `hands` are numbers of hands (see `rue.holdem.cards`); `ranges` are the reaches of both players, 1,326 numbers each.
    `evs` are chips won from here on, given that the hand is held: what was put in before is gone, so a fold is 0.
    `paid` is what the player has put in so far, half of the first pot included: `evs - paid` is the net value of the
    whole hand, of which `rue.SpotResult.value` is the mean. `sizes` are the shares of the pot that bets and raises are,
    None for other actions. `against` is, for each of `hands`, the opponent's reach over the hands that share no card
    with it.
    """

    line: tuple[str, ...]
    board: str
    player: int
    pot: float
    paid: float
    actions: tuple[str, ...]
    sizes: tuple[float | None, ...]
    hands: Integers
    strategy: Floats
    evs: Floats
    ranges: tuple[Floats, Floats]
    against: Floats
    note: str = ""
    """What is to be known about it, such as that it had to be solved again."""
    locked: NDArray[np.bool_] | None = None
    """Which of `hands` play what a lock says; None where none does."""
    counted: Floats | None = None
    """The equities, where the tree has them counted for its all-ins."""

    def __repr__(self) -> str:
        """On one line: where it is, whose it is and how often each action is taken."""
        where = ", ".join([self.board, *([" ".join(self.line)] if self.line else []), f"pot {self.pot:g}"])
        plays = ", ".join(f"{action} {share:.1%}" for action, share in self.frequencies.items())
        return f"RangeDecision({where}, {PLAYERS[self.player]}: {plays})"

    @property
    def judged(self) -> bool:
        """Whether `evs` are known: they are not at a glance."""
        return not np.isnan(self.evs).any()

    @property
    def reach(self) -> Floats:
        """How much of each of `hands` gets here."""
        return self.ranges[self.player][self.hands]

    @property
    def likelihood(self) -> Floats:
        """How likely each of `hands` is held here, up to a factor: its reach times the opponent's hands it leaves."""
        return self.reach * self.against

    @property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken, over all deals that get here: hands that block the opponent count less."""
        likelihood = self.likelihood
        total = likelihood.sum()
        shares = self.strategy @ likelihood / total if total > 0 else self.strategy.mean(axis=1)
        return dict(zip(self.actions, shares.tolist(), strict=True))

    @cached_property
    def equities(self) -> Floats:
        """The share of the pot that each of `hands` wins if nobody bets any more; nan where it meets no hand."""
        if self.counted is not None:
            return self.counted
        other = self.ranges[1 - self.player]
        if not other.any():
            return np.full(len(self.hands), np.nan)
        held = np.zeros(HAND_COUNT)
        held[self.hands] = 1.0
        shares, _ = hand_equities(parse_board(self.board), Range(held), Range(other))
        return shares[self.hands]

    @property
    def equity(self) -> float:
        """The share of the pot that the player's range wins if nobody bets any more; nan if no deal gets here."""
        likelihood = self.likelihood
        total = float(likelihood.sum())
        return float(np.nan_to_num(self.equities) @ likelihood) / total if total > 0 else math.nan

    @property
    def ev(self) -> Floats:
        """What each hand earns by playing its strategy."""
        return np.asarray((self.strategy * self.evs).sum(axis=0))

    @property
    def regrets(self) -> Floats:
        """What each hand loses by each action against the best one it has."""
        return np.asarray(self.evs.max(axis=0) - self.evs)

    def hand(self, name: str) -> dict[str, float]:
        """What one hand does."""
        for k, number in enumerate(self.hands):
            if hand_name(int(number)) == name or hand_name(int(number)) == name[2:] + name[:2]:
                return dict(zip(self.actions, self.strategy[:, k].tolist(), strict=True))
        raise RueError(f"{name} is not in the range of the player {PLAYERS[self.player]} here")
