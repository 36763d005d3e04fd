"""A hold'em spot as plain rules, every card dealt by chance: the yardstick of its public form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from hand_strength import strength
from zerosum.engine.forms.public.rounds import ALLIN, DEAL, FOLD
from zerosum.games.game import CHANCE, TERMINAL, Game
from zerosum.holdem.betting.tree import Leaf, Street
from zerosum.holdem.cards.cards import CARDS, HANDS
from zerosum.holdem.spots.spot import Spot

State = tuple[int, int, tuple[int, ...], tuple[str, ...], Street, int]
"""Both hands, the board, the actions before this street, the street, and a node of it or ~leaf."""


class Holdem(Game):
    """Chance deals a pair of hands that share no card, then cards; betting as in the spot's tree."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        oop, ip = (np.flatnonzero(weights) for weights in spot.weights)
        pairs = {
            (int(i), int(j)): spot.weights[0][i] * spot.weights[1][j]
            for i, j in product(oop, ip)
            if not set(HANDS[i]) & set(HANDS[j])
        }
        self.pairs = [(pair, weight / sum(pairs.values())) for pair, weight in pairs.items()]
        self.strengths: dict[tuple[int, tuple[int, ...]], int] = {}

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
        return CHANCE if kind == DEAL or (kind == ALLIN and len(state[2]) < 5) else TERMINAL

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
        oop, ip, board, before, street, at = state
        if at >= 0:
            node = street.choices[at]
            return oop, ip, board, before, street, node.children[self.actions(state).index(action)]
        leaf = self.leaf(state)
        if leaf.next_round is None:
            return oop, ip, (*board, action), before, street, at
        return oop, ip, (*board, action), (*before, *leaf.line, "/"), leaf.next_round, 0

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
        if key not in self.strengths:
            self.strengths[key] = strength((*HANDS[hand].tolist(), *board))
        return self.strengths[key]
