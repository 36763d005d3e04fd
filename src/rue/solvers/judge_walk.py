"""The judgement of two averages in sequence form: compiled, a pass down and a pass up for each player.

down   sigma[I, a] = average[I, a] / sum over a, uniform where that is zero;  x[I, a] = x[parent of I] * sigma[I, a]
g      = A y, and -A^T x for the second player
up     v[I] = max over a of g[I, a] + the sum of v[J] over the infosets J that follow (I, a)
"""

from __future__ import annotations

from rue.forms.kernels import apply_group
from rue.native.compiled import compiled, inlined
from rue.regret.blocks import block
from rue.solvers.walk import pass_up


@inlined
def plan_of(tree, average, plan, total, reach):
    """Top-down: the plan of the strategy that an accumulated average stands for."""
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
                # what is not finite must not be mistaken for uniform play: no comparison with it is true
                below[a, w] = (1.0 / A if total[w] <= 0.0 else mass[a, w] / total[w]) * reach[w]


@inlined
def answer(tree, value, best):
    """Bottom-up: the value of a best response to a gradient, which is left at the empty sequence."""
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        rows = block(value, first, A, W)
        for w in range(W):
            best[w] = rows[0, w]
        for a in range(1, A):
            for w in range(W):
                best[w] = max(best[w], rows[a, w])
        pass_up(block(tree.parent, infoset, 1, W)[0], best, value)


@compiled
def judge(trees, operators, averages, plans, gradients, values, work):
    """Fill the plans of two averages, their gradients, which must be zero, and in values[p][0] the best answers."""
    for player in range(2):
        plan_of(trees[player], averages[player], plans[player], work[0], work[1])
    for player in range(2):
        operator, gradient = operators[player], gradients[player]
        for g in range(len(operator.groups)):
            apply_group(operator, plans[1 - player], gradient, g, work[0])
        for s in range(len(gradient)):
            values[player][s] = gradient[s]
        answer(trees[player], values[player], work[0])
