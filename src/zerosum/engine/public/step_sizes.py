"""Step sizes of Hedge and FTRL on a card game in public form: a number for each decision times one for each hand.

The formulas are those of `zerosum.engine.sequence.step_sizes`. Stability does not depend on the hand: the same numbers
of cards and of decisions follow. The scale of losses does: a hand that is rarely dealt has small losses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
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


def compute_public_step_sizes(algorithm: Algorithm, tree: PublicTree, n: int) -> StepSizes:
    """Return the step sizes of every decision and hand; ones if the algorithm has none."""
    steps = algorithm.steps
    actions = tree.expand_to_decisions([[actions for _, _, actions, _ in bundle.decisions] for bundle in tree.bundles])
    if not isinstance(steps, Anytime | Theory):
        return StepSizes(np.ones(len(actions)), np.ones(len(tree.tables.cards)))
    reached = compute_reach_bounds(tree)
    hand = 1.0 / np.where(reached > 0.0, reached, 1.0)
    amounts = compute_payoff_bounds(tree)
    if isinstance(steps, Anytime):
        return StepSizes(np.sqrt(8.0 * np.log(actions)) / (2.0 * amounts), hand)
    factor = 1.0 if steps.factor is None else steps.factor
    scaled = factor * compute_stability(tree, n**-0.25 if steps.kappa is None else steps.kappa)
    if steps.unit is not None:
        return StepSizes(scaled / steps.unit, hand)
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    return StepSizes(scaled / (3.0 * norm * amounts), hand)


def compute_reach_bounds(tree: PublicTree) -> Floats:
    """Return C of `zerosum.engine.sequence.step_sizes`: the chance of each hand together with its board."""
    chances = np.zeros(len(tree.tables.cards))
    dealt = {id(tree.board): 1.0 / tree.total_weight}
    for number, board in enumerate(tree.boards):
        weights = [tree.hand_weights[player][tree.slice_hands(number, player)] for player in (0, 1)]
        for player in (0, 1):
            others = sum_disjoint_weights(board, player, weights[1 - player])
            chances[tree.slice_hands(number, player)] = dealt[id(board)] * weights[player] * others
        for child in board.children:
            dealt[id(child)] = dealt[id(board)] * board.chance
    return chances


def sum_disjoint_weights(board: Board, player: int, weights: Floats) -> Floats:
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


def compute_payoff_bounds(tree: PublicTree) -> Floats:
    """Return M of `zerosum.engine.sequence.step_sizes`: the largest payoff below each decision."""

    @cache
    def find_largest_payoff(betting: Round, line: tuple[str, ...]) -> float:
        ends = [end for end in betting.ends if end.line[: len(line)] == line]
        following = [find_largest_payoff(end.next_round, ()) for end in ends if end.next_round is not None]
        return max([end.amount + end.rake for end in ends if end.kind != DEAL] + following)

    return tree.expand_to_decisions(
        [
            [find_largest_payoff(betting, choice.line) for betting in bundle.rounds for choice in betting.choices]
            for bundle in tree.bundles
        ]
    )


def iterate_decision_bounds(tree: PublicTree) -> Iterator[tuple[int, slice, Any]]:
    """Yield the player of every decision, its slice of the store, and C M of each hand (1 where it is 0)."""
    chances = compute_reach_bounds(tree)
    for decision, amount in zip(tree.iterate_decisions(), compute_payoff_bounds(tree), strict=True):
        stake = chances[tree.slice_hands_at(decision.place, decision.player)] * amount
        yield decision.player, decision.at, np.where(stake > 0.0, stake, 1.0)


def compute_stability(tree: PublicTree, kappa: float) -> Floats:
    """Return kappa_j = gamma_j / (2 sqrt(n_j) B_j) for each decision of each place (spcfr eq. 14 to 16)."""
    sums: dict[tuple[Round, int, int], tuple[int, float]] = {}

    def sum_below(betting: Round, board: Board, player: int, row: int) -> tuple[int, float]:
        """Return the number of a player's next decisions after a row, and the sum of their B^2.

        Both depend on the round alone, not on the cards, so each is computed once.
        """
        key = betting, player, row
        if key not in sums:
            count, squares = 0, 0.0
            for choice in betting.choices:
                if choice.player == player and choice.parent == row:
                    rows = range(choice.first, choice.first + len(choice.actions))
                    largest = max(sum_below(betting, board, player, after)[1] for after in rows)
                    count, squares = count + 1, squares + 1.0 + largest
            own_cards = 1 if len(board.cards[0]) and board.cards[0][0, 1] == NO_CARD else 2
            n_cards = sum(len(child.sources) for child in board.children) - own_cards
            for end in betting.deals:
                if end.rows[player] == row and end.next_round is not None:
                    next_count, next_squares = sum_below(end.next_round, board.children[0], player, 0)
                    count, squares = count + n_cards * next_count, squares + n_cards * next_squares
            sums[key] = count, squares
        return sums[key]

    result: list[float] = []
    entering: dict[int, list[list[tuple[float, int]]]] = {
        0: [
            [(kappa, len(tree.board.hands[player]) * sum_below(tree.first, tree.board, player, 0)[0])]
            for player in (0, 1)
        ]
    }
    """For each place and player the gamma of every entering row, and the number of decisions that it leads to."""
    for place in range(len(tree.tables.places)):
        bundle, board = tree.get_bundle(place), tree.get_board(place)
        rows = [dict(enumerate(pairs)) for pairs in entering.pop(place)]
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                player, count = choice.player, len(choice.actions)
                above, beside = rows[player][bundle.map_row(member, player, choice.parent)]
                gamma = above / math.sqrt(beside)
                squared = 1.0
                for row in range(choice.first, choice.first + count):
                    n_after, squares = sum_below(betting, board, player, row)
                    rows[player][bundle.map_row(member, player, row)] = gamma / (2.0 * math.sqrt(count)), n_after
                    squared = max(squared, 1.0 + squares)
                result.append(gamma / (2.0 * math.sqrt(count) * math.sqrt(squared)))
        for group, (deals, _) in enumerate(bundle.deal_groups):
            after = [[rows[player][bundle.ends_with_rows[deal][1][player]] for deal in deals] for player in (0, 1)]
            for card in range(len(board.children)):
                entering[tree.find_next_place(place, card, group)] = after
    return np.array(result)
