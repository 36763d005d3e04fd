"""Step sizes of Hedge and FTRL on a card game in public form: a number for each decision times one for each hand.

The formulas are those of `zerosum.engine.sequence.step_sizes`. Stability does not depend on the hand: the same numbers
of cards and of decisions follow. The scale of losses does: a hand that is rarely dealt has small losses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import Anytime, Projection, Theory
from zerosum.engine.forms.public.rounds import DEAL, NO_CARD, Board, Round
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats


class StepSizes(NamedTuple):
    """A step size is the factor of its decision times the factor of the hand that is held."""

    decision: Any
    """A number for each decision of each place, in the order of the form's tables."""
    hand: Any
    """A number for each hand of each board, in the same order."""


def public_step_sizes(algorithm: Algorithm, tree: PublicTree, n: int) -> StepSizes:
    """Return the step sizes of every decision and hand; ones if the algorithm has none."""
    steps = algorithm.steps
    actions = tree.expand_to_decisions([[actions for _, _, actions, _ in bundle.choices()] for bundle in tree.bundles])
    if not isinstance(steps, Anytime | Theory):
        return StepSizes(np.ones(len(actions)), np.ones(len(tree.tables.cards)))
    reached = reach_bounds(tree)
    hand = 1.0 / np.where(reached > 0.0, reached, 1.0)
    amounts = payoff_bounds(tree)
    if isinstance(steps, Anytime):
        return StepSizes(np.sqrt(8.0 * np.log(actions)) / (2.0 * amounts), hand)
    kappa = n**-0.25 if steps.kappa is None else steps.kappa
    factor = 1.0 if steps.factor is None else steps.factor
    if steps.unit is not None:
        return StepSizes(factor * _stability(tree, kappa) / steps.unit, hand)
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    return StepSizes(factor * _stability(tree, kappa) / (3.0 * norm * amounts), hand)


def reach_bounds(tree: PublicTree) -> Floats:
    """Return C of `zerosum.engine.forms.sequence.value_bounds`: the chance of each hand together with its board."""
    chances = np.zeros(len(tree.tables.cards))
    weights = {id(tree.board): tree.weights}
    dealt = {id(tree.board): 1.0 / tree.total}
    for number, board in enumerate(tree.boards):
        both = weights[id(board)]
        for player in (0, 1):
            others = disjoint_weight(board, player, both[1 - player])
            chances[tree.hands(number, player)] = dealt[id(board)] * both[player] * others
        for child in board.children:
            first, second = child.sources[0]
            weights[id(child)] = both[0][first], both[1][second]
            dealt[id(child)] = dealt[id(board)] * board.chance
    return chances


def disjoint_weight(board: Board, player: int, weights: Floats) -> Floats:
    """Return, for each hand of a player, the weight of the opponent's hands that share no card with it."""
    own_cards, other_cards = board.cards[player], board.cards[1 - player]
    holding = np.zeros(NO_CARD + 1)
    for k in (0, 1):
        np.add.at(holding, other_cards[:, k], weights)
    holding[NO_CARD] = 0.0
    same = np.zeros(1 + max(int(hands.max(initial=0)) for hands in board.hands))
    if len(own_cards) and own_cards[0, 1] != NO_CARD:
        same[board.hands[1 - player]] = weights
    remaining = weights.sum() - holding[own_cards[:, 0]] - holding[own_cards[:, 1]] + same[board.hands[player]]
    return np.asarray(np.maximum(remaining, 0.0))


def payoff_bounds(tree: PublicTree) -> Floats:
    """Return M of `zerosum.engine.forms.sequence.value_bounds`: the largest payoff below each decision."""
    cache: dict[tuple[Round, tuple[str, ...]], float] = {}

    def below(betting: Round, line: tuple[str, ...]) -> float:
        key = betting, line
        if key not in cache:
            ends = [end for end in betting.ends if end.line[: len(line)] == line]
            following = [below(end.next_round, ()) for end in ends if end.next_round is not None]
            cache[key] = max([end.amount + end.rake for end in ends if end.kind != DEAL] + following)
        return cache[key]

    return tree.expand_to_decisions(
        [
            [below(betting, choice.line) for betting in bundle.rounds for choice in betting.choices]
            for bundle in tree.bundles
        ]
    )


def decision_bounds(tree: PublicTree) -> Iterator[tuple[int, slice, Any]]:
    """Yield the player of every decision, its slice of the store, and C M of each hand (1 where it is 0)."""
    chances = reach_bounds(tree)
    for decision, amount in zip(tree.decisions(), payoff_bounds(tree), strict=True):
        stake = chances[tree.hands_at(decision.place, decision.player)] * amount
        yield decision.player, decision.at, np.where(stake > 0.0, stake, 1.0)


def _cards(board: Board) -> int:
    """Return the number of cards that may come, as a player sees it."""
    n_own = 1 if len(board.cards[0]) and board.cards[0][0, 1] == NO_CARD else 2
    return sum(len(child.sources) for child in board.children) - n_own


class _SubtreeStability:
    """What follows a row of a player: the number of next decisions, and the sum of their B^2 (spcfr eq. 16).

    Both depend on the round alone, not on the cards, so each is computed once.
    """

    def __init__(self) -> None:
        self.cache: dict[tuple[Round, int, int], tuple[int, float]] = {}

    def row(self, betting: Round, board: Board, player: int, row: int) -> tuple[int, float]:
        """Return the number of decisions that follow a row, and the sum of their B^2."""
        key = betting, player, row
        if key not in self.cache:
            following, reach = 0, 0.0
            for choice in betting.choices:
                if choice.player == player and choice.parent == row:
                    after = (self.row(betting, board, player, choice.first + a) for a in range(len(choice.actions)))
                    following, reach = following + 1, reach + 1.0 + max(squares for _, squares in after)
            for end in betting.deals:
                if end.rows[player] == row and end.next_round is not None:
                    count, next_reach = self.row(end.next_round, board.children[0], player, 0)
                    following, reach = following + _cards(board) * count, reach + _cards(board) * next_reach
            self.cache[key] = following, reach
        return self.cache[key]


def _stability(tree: PublicTree, kappa: float) -> Floats:
    """Return kappa_j = gamma_j / (2 sqrt(n_j) B_j) for each decision of each place."""
    below = _SubtreeStability()
    result: list[float] = []
    entering: dict[int, list[list[tuple[float, int]]]] = {
        0: [
            [(kappa, len(tree.board.hands[player]) * below.row(tree.first, tree.board, player, 0)[0])]
            for player in (0, 1)
        ]
    }
    for place in range(len(tree.tables.places)):
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
        ends, groups = bundle.ends(), bundle.next_rounds()
        for card in range(len(board.children)):
            for group, (numbers, _) in enumerate(groups):
                entering[tree.next_place(place, card, group)] = [
                    [rows[player][ends[end][1][player]] for end in numbers] for player in (0, 1)
                ]
    return np.array(result)
