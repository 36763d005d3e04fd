"""The size of the rake: a share of the pot, with a cap. `tree.py` takes it from the payoffs at the ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zerosum.support.errors import ZerosumError


@dataclass(frozen=True)
class Rake:
    """A share of the pot, at most `cap` chips; without `on_folds` there is none if the hand ends with a fold.

    The pot is what both players have put in, without an uncalled bet. Of a pot of 2a with rake r the winner gets
    2a - r, so winning, splitting and losing are worth a - r, -r/2 and -a: the loser pays the winner a - r/2, and each
    player pays half the rake in any case.

    >>> rake = Rake(0.05, cap=30.0)
    >>> rake.compute_amount(180), rake.compute_amount(2000), Rake(0.05, on_folds=False).compute_amount(180, folded=True)
    (9.0, 30.0, 0.0)
    """

    rate: float = 0.0
    cap: float = math.inf
    on_folds: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.rate < 1:
            raise ZerosumError(f"the rake is {self.rate:g}; it must be a share of the pot from 0% to less than 100%")
        if not self.cap >= 0:
            raise ZerosumError(f"the cap of the rake is {self.cap:g}; it must be a number of chips, 0 or more")
        if not self.rate and (self.cap < math.inf or not self.on_folds):
            raise ZerosumError("a cap or an exception for folds needs a rake: write it like 5%")

    def compute_amount(self, pot: float, folded: bool = False) -> float:
        """Return the rake of a pot."""
        return 0.0 if folded and not self.on_folds else min(self.rate * pot, self.cap)

    def __str__(self) -> str:
        capped = f" capped at {self.cap:g}" if self.cap < math.inf else ""
        return f"{100 * self.rate:g}%{capped}{'' if self.on_folds else ', none on folds'}"


NO_RAKE = Rake()
