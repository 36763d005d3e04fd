"""Matrix games in fractions: their value and optimal plans, with no rounding at all."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

Plan = list[Fraction]


def solved(payoffs: Sequence[Sequence[Any]]) -> tuple[Fraction, Plan, Plan]:
    """The value and a plan for rows and columns, by the simplex method with Bland's rule, checked."""
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    exact = [[Fraction(entry) for entry in row] for row in payoffs]
    shift = 1 - min(map(min, exact))
    table = [[entry + shift for entry in exact[i]] + [Fraction(i == j) for j in rows] + [Fraction(1)] for i in rows]
    costs = [Fraction(-1)] * len(columns) + [Fraction(0)] * (len(rows) + 1)
    basis = [len(columns) + i for i in rows]
    while any(cost < 0 for cost in costs[:-1]):
        enters = next(j for j, cost in enumerate(costs) if cost < 0)
        leaves = min(
            (i for i in rows if table[i][enters] > 0), key=lambda i: (table[i][-1] / table[i][enters], basis[i])
        )
        pivot = [entry / table[leaves][enters] for entry in table[leaves]]
        table = [[a - row[enters] * b for a, b in zip(row, pivot, strict=True)] for row in table]
        table[leaves] = pivot
        costs = [a - costs[enters] * b for a, b in zip(costs, pivot, strict=True)]
        basis[leaves] = enters
    scale = 1 / costs[-1]
    column_plan = [sum((table[i][-1] for i in rows if basis[i] == j), Fraction(0)) * scale for j in columns]
    row_plan = [costs[len(columns) + i] * scale for i in rows]
    value = scale - shift
    assert sum(row_plan) == sum(column_plan) == 1
    assert min(*row_plan, *column_plan) >= 0
    assert assured(exact, row_plan) == value == -assured([[-exact[i][j] for i in rows] for j in columns], column_plan)
    return value, row_plan, column_plan


def assured(payoffs: Sequence[Sequence[Any]], plan: Sequence[Any]) -> Fraction:
    """What a plan of the rows wins at least."""
    exact = [Fraction(chance) for chance in plan]
    return min(
        sum((chance * Fraction(row[j]) for chance, row in zip(exact, payoffs, strict=True)), Fraction(0))
        for j in range(len(payoffs[0]))
    )


def strategic_form(form: Any) -> list[list[Fraction]]:
    """Return the payoff matrix of all pairs of pure plans of a compiled game."""
    start, column, entry, _ = form.payoffs
    entries = [
        (row, int(column[at]), Fraction(float(entry[at])))
        for row in range(len(start) - 1)
        for at in range(start[row], start[row + 1])
    ]
    ones, twos = (pure_plans(treeplex) for treeplex in form.treeplexes)
    return [
        [sum((a for i, j, a in entries if i in row_plan and j in column_plan), Fraction(0)) for column_plan in twos]
        for row_plan in ones
    ]


def pure_plans(treeplex: Any) -> list[frozenset[int]]:
    """Return the sequences of each pure strategy, each set once."""
    infosets = range(len(treeplex.infosets))
    plans = set()
    for choice in product(*(treeplex.sequences_of(infoset).tolist() for infoset in infosets)):
        taken = {0}
        for infoset in infosets:
            if int(treeplex.tree.parent[infoset]) in taken:
                taken.add(choice[infoset])
        plans.add(frozenset(taken))
    return sorted(plans, key=sorted)
