"""A hold'em spot as plain rules, every card dealt by chance: the yardstick of its public form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from hand_strength import strength
from rue.forms.rounds import ALLIN, DEAL, FOLD
from rue.games.game import CHANCE, NOBODY, Game
from rue.holdem.cards import CARDS, HANDS
from rue.holdem.spots import Spot
from rue.holdem.tree import Leaf, Street

State = tuple[int, int, tuple[int, ...], tuple[str, ...], Street, int]
"""Both hands, the board, what was done before this street, the street, and a node of it or ~leaf."""


class Holdem(Game):
    """Chance deals a pair of hands that share no card, then cards; betting as in the spot's tree."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        one, two = (np.flatnonzero(weights) for weights in spot.weights)
        pairs = {
            (int(i), int(j)): spot.weights[0][i] * spot.weights[1][j]
            for i, j in product(one, two)
            if not set(HANDS[i]) & set(HANDS[j])
        }
        self.pairs = [(pair, weight / sum(pairs.values())) for pair, weight in pairs.items()]
        self.known: dict[tuple[int, tuple[int, ...]], int] = {}

    def root(self) -> None:
        return None

    def leaf(self, state: State) -> Leaf:
        return state[4].ends[~state[5]]

    def player(self, state: State | None) -> int:
        if state is None:
            return CHANCE
        if state[5] >= 0:
            return state[4].choices[state[5]].player
        kind = self.leaf(state).kind
        return CHANCE if kind == DEAL or (kind == ALLIN and len(state[2]) < 5) else NOBODY

    def chances(self, state: State | None) -> Sequence[tuple[Any, float]]:
        if state is None:
            return self.pairs
        gone = {*state[2], *HANDS[state[0]].tolist(), *HANDS[state[1]].tolist()}
        return [(card, 1 / (CARDS - len(gone))) for card in range(CARDS) if card not in gone]

    def actions(self, state: State) -> Sequence[str]:
        return state[4].choices[state[5]].actions

    def child(self, state: State | None, action: Any) -> State:
        if state is None:
            return *action, self.spot.board, (), self.spot.tree, 0
        one, two, board, before, street, at = state
        if at >= 0:
            node = street.choices[at]
            return one, two, board, before, street, node.children[self.actions(state).index(action)]
        leaf = self.leaf(state)
        if leaf.following is None:
            return one, two, (*board, action), before, street, at
        return one, two, (*board, action), (*before, *leaf.line, "/"), leaf.following, 0

    def infoset(self, state: State) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        node = state[4].choices[state[5]]
        return state[node.player], state[2], (*state[3], *node.line)

    def payoff(self, state: State) -> float:
        leaf = self.leaf(state)
        if leaf.kind == FOLD:
            return -leaf.amount if leaf.folder == 0 else leaf.amount
        mine, theirs = (self.strength(state[player], state[2]) for player in (0, 1))
        return leaf.amount * ((mine > theirs) - (mine < theirs))

    def strength(self, hand: int, board: tuple[int, ...]) -> int:
        key = hand, tuple(sorted(board))
        if key not in self.known:
            self.known[key] = strength((*HANDS[hand].tolist(), *board))
        return self.known[key]
