"""Games of one street: when its betting is over the hands are checked down, over all cards that may come.

That is a stated leaf function, and an exact one: what a pair of hands is worth there is linear in the chances of both,
so the all-in end of the public form does it. DeepStack's own subgames before the turn end in values of its networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rue.forms.public_tree import PublicTree
from rue.forms.rounds import ALLIN, DEAL, Board, disjoint
from rue.forms.treeplex import Integers
from rue.games.preflop import BOARDS, matchups
from rue.holdem.betting import Betting
from rue.holdem.cards import HANDS, allowed_hands
from rue.holdem.deepstack import EARLY_BETS, random_range
from rue.holdem.equity import hand_equities, runouts
from rue.holdem.evaluator import strengths_of_boards
from rue.holdem.libratus import CHIPS
from rue.holdem.ranges import Range
from rue.holdem.tree import Street, build

POT = 5000.0
CARDS = {"preflop-5k": 0, "flop-5k": 3}
"""The kinds of random games, and how many cards lie on their board."""
FLOP = 0
"""The number of the street whose bets are taken, also preflop: icfr's number of infosets there fits them."""


def random_tree(kind: str, seed: int) -> PublicTree:
    """A random game of one street: a random board and ranges as DeepStack draws them, 5,000 chips in the pot.

    >>> tree = random_tree("preflop-5k", 0)
    >>> len(tree.board.hands[0]), tree.infosets
    (1326, 15912)
    """
    rng = np.random.default_rng(seed)
    board = tuple(int(card) for card in rng.choice(52, CARDS[kind], replace=False))
    hands = np.flatnonzero(allowed_hands(board))
    if board:
        everything = Range(allowed_hands(board).astype(float))
        strengths, _ = hand_equities(board, everything, everything)
        equity = flop_equities(board, hands)
    else:
        wins, ties = matchups()
        met = ((wins + ties) > 0) | ((wins + ties).T > 0)
        strengths = (wins + ties / 2).sum(axis=1) / met.sum(axis=1)
        equity = (wins - wins.T).astype(np.float32) / np.float32(BOARDS)
    ranges = random_range(strengths, rng), random_range(strengths, rng)
    street = build(Betting.parse(EARLY_BETS, by="actions"), FLOP, POT, CHIPS - POT / 2)
    root = Board((hands, hands), (HANDS[hands], HANDS[hands]), equity=equity)
    weights = ranges[0].weights[hands], ranges[1].weights[hands]
    return PublicTree(f"deepstack:{kind}:{seed}", checked_down(street), root, weights)


def checked_down(street: Street) -> Street:
    """The same street without what follows: where the next card would come, hands are compared on every runout."""
    ends = (replace(end, kind=ALLIN, following=None) if end.kind == DEAL else end for end in street.ends)
    return replace(street, ends=tuple(ends))


def flop_equities(board: Sequence[int], hands: Integers) -> NDArray[np.float32]:
    """P(first wins) - P(second wins) of each pair of hands over all runouts; 0 where they share a card."""
    wins = np.zeros((len(hands), len(hands)), dtype=np.int16)
    for strength in strengths_of_boards(runouts(board)):
        own = strength[hands]  # below 0 where the runout has a card of the hand
        wins += (own[:, None] > own) & (own >= 0)
    cards, left = HANDS[hands], 52 - len(board) - 4
    differences = np.where(disjoint(cards, cards), wins - wins.T, 0)
    return (differences / (left * (left - 1) / 2)).astype(np.float32)
