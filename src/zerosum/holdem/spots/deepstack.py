"""Random spots and one-street games as DeepStack generates them: a random board, and ranges split along strength.

A range gives probability p to a set of hands sorted by strength; a uniform part of p goes to the weaker half,
the rest to the stronger half, and so on down to single hands. The strength of a hand is its chance against a
random hand, over all runouts. Each player has 20,000 chips in all and the big blind is 100.

Bets depend on the number of actions in the round: on the river half a pot, a pot, two pots and all-in for the
first two actions, then a pot and all-in; before it half a pot, a pot and all-in first, then a pot and all-in.

The one-street games are those of table 1 of the ICFR paper. After the betting of their street the hands are compared on
every runout. That leaf function is stated and exact: the value of a pair of hands is linear in the reach of both
players, so the all-in end of the public form computes it. DeepStack's own subgames before the turn end in values of its
networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.rounds import ALLIN, DEAL, Board, find_disjoint_hands
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.games.poker.preflop_equity import BOARDS, load_preflop_equities
from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.betting.tree import build_betting_tree
from zerosum.holdem.cards.cards import CARDS, HANDS, find_unblocked_hands
from zerosum.holdem.cards.hand_strength import compute_hand_equities, compute_strengths, list_runouts
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.libratus import STARTING_STACK
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError, suggest_names

if TYPE_CHECKING:
    from zerosum.engine.forms.public.tree import PublicTree

EARLY_BETS = "50%,100%,allin / 100%,allin"
RIVER_BETS = "50%,100%,200%,allin / 50%,100%,200%,allin / 100%,allin"
SPOT_KINDS = {"river-5k": (5, 5000.0), "river-500": (5, 500.0), "turn-5k": (4, 5000.0)}
"""The kinds of random spots: how many cards are on the board, and the pot."""
ONE_STREET_KINDS = {"preflop-5k": 0, "flop-5k": 3}
"""The kinds of random one-street games, and how many cards are on their board."""
ONE_STREET_POT = 5000.0
FLOP = 0
"""The street whose bets a one-street game has, also preflop: icfr's number of infosets there fits them."""


def draw_random_spot(kind: str, seed: int = 0) -> Spot:
    """Draw a random spot of a kind; the same seed gives the same spot.

    >>> print(draw_random_spot("river-500", seed=1))
    deepstack:river-500:1 (8h2hJhAs7d, pot 500, stack 19750)
    """
    if kind not in SPOT_KINDS:
        raise ZerosumError(f"there is no kind of random spot called {kind!r}; {suggest_names(kind, SPOT_KINDS)}")
    if seed < 0:
        raise ZerosumError(f"the seed of a random spot is {seed}; it must be 0 or more")
    cards, pot = SPOT_KINDS[kind]
    rng = np.random.default_rng(seed)
    board = _draw_board(cards, rng)
    equities = _compute_equities_against_random(board)
    oop, ip = draw_random_range(equities, rng), draw_random_range(equities, rng)
    betting = BettingAbstraction.parse(f"{EARLY_BETS}; river: {RIVER_BETS}", by="actions")
    return Spot(board, pot, STARTING_STACK - pot / 2, oop, ip, betting, name=f"deepstack:{kind}:{seed}")


def draw_random_tree(kind: str, seed: int) -> PublicTree:
    """Draw a random one-street game in public form: a random board and ranges, 5,000 chips in the pot.

    >>> tree = draw_random_tree("preflop-5k", 0)
    >>> len(tree.board.hands[0]), tree.infosets
    (1326, 15912)
    """
    from zerosum.engine.forms.public.tree import PublicTree

    rng = np.random.default_rng(seed)
    board = _draw_board(ONE_STREET_KINDS[kind], rng)
    hands = np.flatnonzero(find_unblocked_hands(board))
    if board:
        strengths = _compute_equities_against_random(board)
        equity = compute_flop_equities(board, hands)
    else:
        wins, ties = load_preflop_equities()
        met = ((wins + ties) > 0) | ((wins + ties).T > 0)
        strengths = (wins + ties / 2).sum(axis=1) / met.sum(axis=1)
        equity = (wins - wins.T).astype(np.float32) / np.float32(BOARDS)
    ranges = draw_random_range(strengths, rng), draw_random_range(strengths, rng)
    betting = BettingAbstraction.parse(EARLY_BETS, by="actions")
    street = build_betting_tree(betting, FLOP, ONE_STREET_POT, STARTING_STACK - ONE_STREET_POT / 2)
    # Where the next card would come, hands are compared on every runout.
    ends = (replace(end, kind=ALLIN, next_round=None) if end.kind == DEAL else end for end in street.ends)
    root = Board((hands, hands), (HANDS[hands], HANDS[hands]), equity=equity)
    weights = ranges[0].weights[hands], ranges[1].weights[hands]
    return PublicTree(f"deepstack:{kind}:{seed}", replace(street, ends=tuple(ends)), root, weights)


def compute_flop_equities(board: Sequence[int], hands: Integers) -> NDArray[np.float32]:
    """Return P(first wins) - P(second wins) of each pair of hands over all runouts; 0 where they share a card."""
    wins = np.zeros((len(hands), len(hands)), dtype=np.int16)
    for strength in compute_strengths(list_runouts(board)):
        values = strength[hands]  # below 0 where the runout has a card of the hand
        wins += (values[:, None] > values) & (values >= 0)
    cards, left = HANDS[hands], CARDS - len(board) - 4
    differences = np.where(find_disjoint_hands(cards, cards), wins - wins.T, 0)
    return (differences / (left * (left - 1) / 2)).astype(np.float32)


def draw_random_range(strengths: NDArray[np.float64], rng: np.random.Generator) -> Range:
    """Draw a random range over the hands that have a strength (not nan), the likeliest hand scaled to weight 1."""
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


def _draw_board(cards: int, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(int(card) for card in rng.choice(CARDS, cards, replace=False))


def _compute_equities_against_random(board: tuple[int, ...]) -> NDArray[np.float64]:
    any_hand = Range(find_unblocked_hands(board).astype(float))
    return compute_hand_equities(board, any_hand, any_hand)[0]
