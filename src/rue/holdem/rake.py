"""The rake: what the house takes of a pot."""

from __future__ import annotations

import math

from rue.errors import RueError
from rue.records import dataclass


@dataclass(frozen=True)
class Rake:
    """A share of the pot, never more than `cap` chips; without `on_folds` nothing where a bet is not called.

    The pot is what both players have put in, without the part of a bet that is not called. Of a pot of 2a with rake r
    the winner gets 2a - r, so the three outcomes are worth a - r, -r/2 and -a: the loser pays the winner a - r/2, and
    each player pays r/2, whoever wins.

    >>> rake = Rake(0.05, cap=30.0)
    >>> rake.taken(180), rake.taken(2000), Rake(0.05, on_folds=False).taken(180, folded=True)
    (9.0, 30.0, 0.0)
    """

    rate: float = 0.0
    cap: float = math.inf
    on_folds: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.rate < 1:
            raise RueError(f"the rake is {self.rate:g}; it must be a share of the pot from 0% to less than 100%")
        if not self.cap >= 0:
            raise RueError(f"the cap of the rake is {self.cap:g}; it must be a number of chips, 0 or more")
        if not self.rate and (self.cap < math.inf or not self.on_folds):
            raise RueError("a cap of the rake, and what it spares, go with a rake: say how much it is, like 5%")

    def taken(self, pot: float, folded: bool = False) -> float:
        """What the house takes of a pot."""
        return 0.0 if folded and not self.on_folds else min(self.rate * pot, self.cap)

    def __str__(self) -> str:
        capped = f" capped at {self.cap:g}" if self.cap < math.inf else ""
        return f"{100 * self.rate:g}%{capped}{'' if self.on_folds else ', none on folds'}"


NO_RAKE = Rake()
