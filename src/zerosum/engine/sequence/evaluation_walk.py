"""Evaluation of two average strategies in sequence form: a pass down and a pass up for each player.

down   sigma[I, a] = average[I, a] / sum over a, uniform where that is zero;  x[I, a] = x[parent of I] * sigma[I, a]
g      = A y, and -A^T x for the second player
up     v[I] = max over a of g[I, a] + the sum of v[J] over the infosets J that follow (I, a)
"""

from __future__ import annotations

from zerosum.engine.forms.sequence.payoff_matrix import Operator, apply_group
from zerosum.engine.forms.sequence.treeplex import Floats, Tree
from zerosum.engine.sequence.walk import pass_up
from zerosum.engine.updates.blocks import Block, Row, block
from zerosum.native.decorators import inline, kernel


@inline
def average_plan(tree: Tree, average: Row, plan: Row, total: Row, reach: Row) -> None:
    """Top-down: fill the plan of the strategy that an accumulated average stands for."""
    plan[0] = 1.0
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        parent = block(tree.parent, infoset, 1, W)[0]
        mass, below = block(average, first, A, W), block(plan, first, A, W)
        for w in range(W):
            total[w] = mass[0, w]
            reach[w] = plan[parent[w]]
        for a in range(1, A):
            for w in range(W):
                total[w] += mass[a, w]
        for a in range(A):
            for w in range(W):
                # a comparison with NaN is false, so a total that is NaN is not mistaken for uniform play
                below[a, w] = (1.0 / A if total[w] <= 0.0 else mass[a, w] / total[w]) * reach[w]


@inline
def best_response_values(tree: Tree, value: Row, best: Row) -> None:
    """Bottom-up: turn a gradient into best-response values; the value of the game is left at the empty sequence."""
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        rows = block(value, first, A, W)
        for w in range(W):
            best[w] = rows[0, w]
        for a in range(1, A):
            for w in range(W):
                best[w] = max(best[w], rows[a, w])
        pass_up(block(tree.parent, infoset, 1, W)[0], best, value)


@kernel
def evaluate_averages(
    trees: tuple[Tree, Tree], operators: tuple[Operator, Operator], averages: tuple[Floats, Floats],
    plans: tuple[Floats, Floats], gradients: tuple[Floats, Floats], values: tuple[Floats, Floats], work: Block,
) -> None:  # fmt: skip
    """Evaluate two averages; every array but `work` has a number for each sequence of its player.

    trees      the blocks and parent sequences of each player's treeplex
    operators  from the opponent's plan to each player's gradient
    averages   the accumulated average of each player
    plans      filled with the plans of the averages
    gradients  filled with the gradients against them; they must be zero
    values     filled with best-response values; those of the whole game at index 0
    work       (2, width of the widest block): scratch

    The plain twin is `best_response_value` in `tests/twins/evaluation.py`.
    """
    for player in range(2):
        average_plan(trees[player], averages[player], plans[player], work[0], work[1])
    for player in range(2):
        operator, gradient = operators[player], gradients[player]
        for g in range(len(operator.groups)):
            apply_group(operator, plans[1 - player], gradient, g, work[0])
        for s in range(len(gradient)):
            values[player][s] = gradient[s]
        best_response_values(trees[player], values[player], work[0])
