"""What the walk over a card game in public form is given, and its kernels (`rue.solvers.public_walk`)."""

from __future__ import annotations

from typing import Any, NamedTuple

from rue.native.kernel import Kernel

WHOLE, OPEN, SHARE, CLOSE = 0, 1, 2, 3
"""What to do with a place: all of it; or go down to its deals, walk some of them, go up from there."""
BOTH = -1
"""Instead of a player: one after the other."""
STEPS = 5
"""The row of the scratch array that holds step sizes, after those that every walk has."""
WORK_ROWS = 6
CARD_ROWS = 54
"""Running sums: 52 cards, the missing second card that stays zero, and one that takes what would be added to it."""
TOTAL = CARD_ROWS
"""The row after them: the sum of all hands."""
FEWEST, MOST = 2, 5
"""Numbers of actions that have a pass of their own."""


class Portion(NamedTuple):
    """Which part of the walk a call makes."""

    stage: int
    player: int
    deals: Any
    """The deals of the first place that are walked; all of them, unless the stage is SHARE."""


class Space(NamedTuple):
    """Scratch arrays; the first axis is a thread, the second of the first four a level of deals."""

    reach: Any
    value: Any
    guess: Any
    """The value propagated through the new strategies, for predictive rules; else empty."""
    mine: Any
    """The player's own reach, for the exponential rule; else empty."""
    lanes: Any
    """Reach, showdown and fold values of the lanes, as hands of lanes."""
    sums: Any
    strategy: Any
    score: Any
    work: Any
    starts: Any
    """Where the rows of the lanes begin: the opponent's, and the player's that each way to pay pays to."""
    amounts: Any
    """What the lanes pay each way."""
    stack: Any
    """A row a level."""
    parts: Any
    """What the deals after a deal are worth, where threads share them; else empty."""


class Store(NamedTuple):
    """What one player keeps over all places: a row of hands for each action."""

    regret: Any
    average: Any
    strategy: Any
    """The strategy, where it cannot be drawn from the regret alone; else an empty array."""
    weight: Any
    """e^L1 of the exponential rule; else an empty array."""
    memory: Any
    """What a rule of one's own remembers."""
    previous: Any
    """The last iteration's gradient of every row, where regret is taken against two plans; else an empty array."""


LEARN = Kernel("rue.solvers.public_walk:learn_public")
JUDGE = Kernel("rue.solvers.public_walk:judge_public")
