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

from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.cards.cards import CARDS, unblocked_hands
from zerosum.holdem.cards.equity import hand_equities
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.libratus import STARTING_STACK
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError, suggest_names

RIVER_BETS = "50%,100%,200%,allin / 50%,100%,200%,allin / 100%,allin"
EARLY_BETS = "50%,100%,allin / 100%,allin"
BETTING = BettingAbstraction.parse(f"{EARLY_BETS}; river: {RIVER_BETS}", by="actions")


class SpotKind(NamedTuple):
    """A kind of random spot: how many cards lie on the board, and the pot."""

    cards: int
    pot: float


SPOT_KINDS = {"river-5k": SpotKind(5, 5000), "river-500": SpotKind(5, 500), "turn-5k": SpotKind(4, 5000)}


def random_spot(kind: str, seed: int = 0) -> Spot:
    """A random spot of a kind; the same seed gives the same spot.

    >>> print(random_spot("river-500", seed=1))
    deepstack:river-500:1 (8h2hJhAs7d, pot 500, stack 19750)
    """
    if kind not in SPOT_KINDS:
        raise ZerosumError(f"there is no kind of random spot called {kind!r}; {suggest_names(kind, SPOT_KINDS)}")
    if seed < 0:
        raise ZerosumError(f"the seed of a random spot is {seed}; it must be 0 or more")
    cards, pot = SPOT_KINDS[kind]
    rng = np.random.default_rng(seed)
    board = tuple(int(card) for card in rng.choice(CARDS, cards, replace=False))
    everything = Range(unblocked_hands(board).astype(float))
    shares, _ = hand_equities(board, everything, everything)
    oop, ip = random_range(shares, rng), random_range(shares, rng)
    return Spot(board, pot, STARTING_STACK - pot / 2, oop, ip, BETTING, name=f"deepstack:{kind}:{seed}")


def random_range(strengths: NDArray[np.float64], rng: np.random.Generator) -> Range:
    """A random range over the hands that have a strength (not nan), the likeliest hand scaled to weight 1."""
    hands = rng.permutation(np.flatnonzero(~np.isnan(strengths)))  # equal hands in random order
    weights = np.zeros(len(strengths))
    _split_mass(weights, hands[np.argsort(strengths[hands], kind="stable")], 1.0, rng)
    return Range(weights / weights.max())


def _split_mass(weights: NDArray[np.float64], hands: NDArray[np.int64], mass: float, rng: np.random.Generator) -> None:
    if len(hands) == 1:
        weights[hands[0]] = mass
        return
    weaker = mass * rng.random()
    half = len(hands) // 2
    _split_mass(weights, hands[:half], weaker, rng)
    _split_mass(weights, hands[half:], mass - weaker, rng)
