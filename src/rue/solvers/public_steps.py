"""The step sizes of Hedge and FTRL on a card game in public form: a number for each decision times one for each hand.

The same formulas as in `rue.solvers.steps`. Stability does not depend on the hand: whatever is held, as many cards
may come and as many decisions follow. What losses are scaled by does: a hand that is rarely dealt has small losses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Anytime, Projection, Theory
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import DEAL, NO_CARD, Board, Round
from rue.forms.treeplex import Floats


class Steps(NamedTuple):
    """A step size is the factor of its decision times the factor of the hand that is held."""

    decision: Any
    """A number for each decision of each place, in the order of the form's tables."""
    hand: Any
    """A number for each hand of each board, in the same order."""


def public_steps(algorithm: Algorithm, tree: PublicTree, n: int) -> Steps:
    """The step sizes of every decision and hand; ones where there are no steps."""
    steps = algorithm.steps
    actions = tree.each_decision([[actions for _, _, actions, _ in bundle.choices()] for bundle in tree.bundles])
    if not isinstance(steps, Anytime | Theory):
        return Steps(np.ones(len(actions)), np.ones(len(tree.form.cards)))
    reached = hand_chances(tree)
    hand = 1.0 / np.where(reached > 0.0, reached, 1.0)
    amounts = largest_amounts(tree)
    if isinstance(steps, Anytime):
        return Steps(np.sqrt(8.0 * np.log(actions)) / (2.0 * amounts), hand)
    kappa = n**-0.25 if steps.kappa is None else steps.kappa
    factor = 1.0 if steps.factor is None else steps.factor
    if steps.unit is not None:
        return Steps(factor * _stability(tree, kappa) / steps.unit, hand)
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    return Steps(factor * _stability(tree, kappa) / (3.0 * norm * amounts), hand)


def hand_chances(tree: PublicTree) -> Floats:
    """C of `rue.forms.bounds`: how likely each hand of each board is dealt together with the board."""
    chances = np.zeros(len(tree.form.cards))
    weights = {id(tree.board): tree.weights}
    dealt = {id(tree.board): 1.0 / tree.total}
    for number, board in enumerate(tree.boards):
        own = weights[id(board)]
        for player in (0, 1):
            others = compatible(board, player, own[1 - player])
            chances[tree.hands(number, player)] = dealt[id(board)] * own[player] * others
        for child in board.children:
            one, two = child.sources[0]
            weights[id(child)] = own[0][one], own[1][two]
            dealt[id(child)] = dealt[id(board)] * board.chance
    return chances


def compatible(board: Board, player: int, weights: Floats) -> Floats:
    """For each hand of a player, the weight of the opponent's hands that share no card with it."""
    mine, theirs = board.cards[player], board.cards[1 - player]
    holding = np.zeros(NO_CARD + 1)
    for k in (0, 1):
        np.add.at(holding, theirs[:, k], weights)
    holding[NO_CARD] = 0.0
    same = np.zeros(1 + max(int(hands.max(initial=0)) for hands in board.hands))
    if len(mine) and mine[0, 1] != NO_CARD:
        same[board.hands[1 - player]] = weights
    left = weights.sum() - holding[mine[:, 0]] - holding[mine[:, 1]] + same[board.hands[player]]
    return np.asarray(np.maximum(left, 0.0))


def largest_amounts(tree: PublicTree) -> Floats:
    """M of `rue.forms.bounds`: the largest amount at an end below each decision of each place."""
    known: dict[tuple[Round, tuple[str, ...]], float] = {}

    def below(betting: Round, line: tuple[str, ...]) -> float:
        key = betting, line
        if key not in known:
            ends = [end for end in betting.ends if end.line[: len(line)] == line]
            following = [below(end.following, ()) for end in ends if end.following is not None]
            known[key] = max([end.amount + end.due for end in ends if end.kind != DEAL] + following)
        return known[key]

    return tree.each_decision(
        [
            [below(betting, choice.line) for betting in bundle.rounds for choice in betting.choices]
            for bundle in tree.bundles
        ]
    )


def stakes(tree: PublicTree) -> Iterator[tuple[int, slice, Any]]:
    """Every decision of every place: its player, its part of the store, and C M of each hand (1 where it is 0)."""
    chances = hand_chances(tree)
    for decision, amount in zip(tree.decisions(), largest_amounts(tree), strict=True):
        stake = chances[tree.hands_at(decision.place, decision.player)] * amount
        yield decision.player, decision.at, np.where(stake > 0.0, stake, 1.0)


def _cards(board: Board) -> int:
    """How many cards may come, as a player sees it."""
    own = 1 if len(board.cards[0]) and board.cards[0][0, 1] == NO_CARD else 2
    return sum(len(child.sources) for child in board.children) - own


class _Below:
    """What comes after a row of a player: how many decisions next, and B^2 of spcfr eq. 16, how far their plans reach.

    Both depend on the round alone, not on which cards came, so each is worked out once.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[Round, int, int], tuple[int, float]] = {}

    def row(self, betting: Round, board: Board, player: int, row: int) -> tuple[int, float]:
        """The decisions that follow a row, and the sum of their B^2."""
        key = betting, player, row
        if key not in self.known:
            following, reach = 0, 0.0
            for choice in betting.choices:
                if choice.player == player and choice.parent == row:
                    after = (self.row(betting, board, player, choice.first + a) for a in range(len(choice.actions)))
                    following, reach = following + 1, reach + 1.0 + max(each for _, each in after)
            for end in betting.deals:
                if end.rows[player] == row and end.following is not None:
                    count, each = self.row(end.following, board.children[0], player, 0)
                    following, reach = following + _cards(board) * count, reach + _cards(board) * each
            self.known[key] = following, reach
        return self.known[key]


def _stability(tree: PublicTree, kappa: float) -> Floats:
    """kappa_j = gamma_j / (2 sqrt(n_j) B_j) for each decision of each place."""
    below = _Below()
    result: list[float] = []
    entering: dict[int, list[list[tuple[float, int]]]] = {
        0: [
            [(kappa, len(tree.board.hands[player]) * below.row(tree.first, tree.board, player, 0)[0])]
            for player in (0, 1)
        ]
    }
    for place in range(len(tree.form.places)):
        bundle, board = tree.bundle_at(place), tree.board_at(place)
        into = entering.pop(place)
        rows: list[dict[int, tuple[float, int]]] = [dict(enumerate(into[player])) for player in (0, 1)]
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                player, count = choice.player, len(choice.actions)
                above, beside = rows[player][bundle.row(member, player, choice.parent)]
                gamma = above / math.sqrt(beside)
                reach = 1.0
                for action in range(count):
                    row = choice.first + action
                    after, far = below.row(betting, board, player, row)
                    rows[player][bundle.row(member, player, row)] = gamma / (2.0 * math.sqrt(count)), after
                    reach = max(reach, 1.0 + far)
                result.append(gamma / (2.0 * math.sqrt(count) * math.sqrt(reach)))
        ends, groups = bundle.ends(), bundle.following()
        for card in range(len(board.children)):
            for group, (numbers, _) in enumerate(groups):
                entering[tree.following(place, card, group)] = [
                    [rows[player][ends[end][1][player]] for end in numbers] for player in (0, 1)
                ]
    return np.array(result)
