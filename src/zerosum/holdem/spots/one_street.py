"""Random one-street games, checked down to the showdown, for table 1 of the ICFR paper.

After the betting of the street the hands are compared on every runout. That leaf function is stated and exact: the
value of a pair of hands is linear in the reach of both players, so the all-in end of the public form computes it.
DeepStack's own subgames before the turn end in values of its networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.rounds import ALLIN, DEAL, Board, disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.games.poker.preflop_equity import BOARDS, preflop_equities
from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.betting.tree import Street, build_betting_tree
from zerosum.holdem.cards.cards import HANDS, unblocked_hands
from zerosum.holdem.cards.equity import hand_equities, runouts
from zerosum.holdem.cards.evaluator import hand_strengths
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots.deepstack import EARLY_BETS, random_range
from zerosum.holdem.spots.libratus import STARTING_STACK

POT = 5000.0
BOARD_CARDS = {"preflop-5k": 0, "flop-5k": 3}
"""The kinds of random games, and how many cards lie on their board."""
FLOP = 0
"""The number of the street whose bets are taken, also preflop: icfr's number of infosets there fits them."""


def random_public_tree(kind: str, seed: int) -> PublicTree:
    """A random game of one street: a random board and ranges as DeepStack draws them, 5,000 chips in the pot.

    >>> tree = random_public_tree("preflop-5k", 0)
    >>> len(tree.board.hands[0]), tree.infosets
    (1326, 15912)
    """
    rng = np.random.default_rng(seed)
    board = tuple(int(card) for card in rng.choice(52, BOARD_CARDS[kind], replace=False))
    hands = np.flatnonzero(unblocked_hands(board))
    if board:
        everything = Range(unblocked_hands(board).astype(float))
        strengths, _ = hand_equities(board, everything, everything)
        equity = flop_equities(board, hands)
    else:
        wins, ties = preflop_equities()
        met = ((wins + ties) > 0) | ((wins + ties).T > 0)
        strengths = (wins + ties / 2).sum(axis=1) / met.sum(axis=1)
        equity = (wins - wins.T).astype(np.float32) / np.float32(BOARDS)
    ranges = random_range(strengths, rng), random_range(strengths, rng)
    street = build_betting_tree(BettingAbstraction.parse(EARLY_BETS, by="actions"), FLOP, POT, STARTING_STACK - POT / 2)
    root = Board((hands, hands), (HANDS[hands], HANDS[hands]), equity=equity)
    weights = ranges[0].weights[hands], ranges[1].weights[hands]
    return PublicTree(f"deepstack:{kind}:{seed}", end_at_showdown(street), root, weights)


def end_at_showdown(street: Street) -> Street:
    """The same street without what follows: where the next card would come, hands are compared on every runout."""
    ends = (replace(end, kind=ALLIN, next_round=None) if end.kind == DEAL else end for end in street.ends)
    return replace(street, ends=tuple(ends))


def flop_equities(board: Sequence[int], hands: Integers) -> NDArray[np.float32]:
    """P(first wins) - P(second wins) of each pair of hands over all runouts; 0 where they share a card."""
    wins = np.zeros((len(hands), len(hands)), dtype=np.int16)
    for strength in hand_strengths(runouts(board)):
        values = strength[hands]  # below 0 where the runout has a card of the hand
        wins += (values[:, None] > values) & (values >= 0)
    cards, left = HANDS[hands], 52 - len(board) - 4
    differences = np.where(disjoint_hands(cards, cards), wins - wins.T, 0)
    return (differences / (left * (left - 1) / 2)).astype(np.float32)
