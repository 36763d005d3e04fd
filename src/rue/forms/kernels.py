"""Kernels of the general form: its payoff operators applied to plans."""

from __future__ import annotations

from rue.native.compiled import compiled, inlined
from rue.regret.blocks import block


@inlined
def apply_group(operator, plan, gradient, g, total):
    """The rows of one group of the operator, applied to a plan."""
    first, K, W, place = operator.groups[g]
    column = block(operator.column, first, K, W)
    entry = block(operator.entry, first, K, W)
    for w in range(W):
        total[w] = entry[0, w] * plan[column[0, w]]
    for k in range(1, K):
        for w in range(W):
            total[w] += entry[k, w] * plan[column[k, w]]
    row = block(operator.row, place, 1, W)[0]
    for w in range(W):
        gradient[row[w]] = total[w]


@compiled
def multiply(operator, plan, gradient, work):
    """gradient = operator @ plan; it must be zero where the operator has no entry."""
    for g in range(len(operator.groups)):
        apply_group(operator, plan, gradient, g, work)
