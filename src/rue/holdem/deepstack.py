"""Random spots as DeepStack generates them: a random board, and ranges split at random along strength.

A range gives probability p to a set of hands sorted by strength; a uniform part of p goes to the weaker half,
the rest to the stronger half, and so on down to single hands. The strength of a hand is its chance against a
random hand, over all runouts. Each player has 20,000 chips in all and the big blind is 100.

Bets depend on the number of actions in the round: on the river half a pot, a pot, two pots and all-in for the
first two actions, then a pot and all-in; before it half a pot, a pot and all-in first, then a pot and all-in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError, nearest
from rue.holdem.betting import Betting
from rue.holdem.cards import CARDS, allowed_hands
from rue.holdem.equity import hand_equities
from rue.holdem.libratus import CHIPS
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot

RIVER_BETS = "50%,100%,200%,allin / 50%,100%,200%,allin / 100%,allin"
EARLY_BETS = "50%,100%,allin / 100%,allin"
BETTING = Betting.parse(f"{EARLY_BETS}; river: {RIVER_BETS}", by="actions")


class Kind(NamedTuple):
    """A kind of random spot: how many cards lie on the board, and the pot."""

    cards: int
    pot: float


KINDS = {"river-5k": Kind(5, 5000), "river-500": Kind(5, 500), "turn-5k": Kind(4, 5000)}


def random_spot(kind: str, seed: int = 0) -> Spot:
    """A random spot of a kind; the same seed gives the same spot.

    >>> print(random_spot("river-500", seed=1))
    deepstack:river-500:1 (8h2hJhAs7d, pot 500, stack 19750)
    """
    if kind not in KINDS:
        raise RueError(f"there is no kind of random spot called {kind!r}; {nearest(kind, KINDS)}")
    if seed < 0:
        raise RueError(f"the seed of a random spot is {seed}; it must be 0 or more")
    cards, pot = KINDS[kind]
    rng = np.random.default_rng(seed)
    board = tuple(int(card) for card in rng.choice(CARDS, cards, replace=False))
    everything = Range(allowed_hands(board).astype(float))
    shares, _ = hand_equities(board, everything, everything)
    oop, ip = random_range(shares, rng), random_range(shares, rng)
    return Spot(board, pot, CHIPS - pot / 2, oop, ip, BETTING, name=f"deepstack:{kind}:{seed}")


def random_range(strengths: NDArray[np.float64], rng: np.random.Generator) -> Range:
    """A random range over the hands that have a strength (not nan), the likeliest hand scaled to weight 1."""
    hands = rng.permutation(np.flatnonzero(~np.isnan(strengths)))  # equal hands in random order
    weights = np.zeros(len(strengths))
    _split(weights, hands[np.argsort(strengths[hands], kind="stable")], 1.0, rng)
    return Range(weights / weights.max())


def _split(weights: NDArray[np.float64], hands: NDArray[np.int64], mass: float, rng: np.random.Generator) -> None:
    if len(hands) == 1:
        weights[hands[0]] = mass
        return
    weaker = mass * rng.random()
    half = len(hands) // 2
    _split(weights, hands[:half], weaker, rng)
    _split(weights, hands[half:], mass - weaker, rng)
