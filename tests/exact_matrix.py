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
    two = [sum((table[i][-1] for i in rows if basis[i] == j), Fraction(0)) * scale for j in columns]
    one = [costs[len(columns) + i] * scale for i in rows]
    value = scale - shift
    assert sum(one) == sum(two) == 1
    assert min(*one, *two) >= 0
    assert assured(exact, one) == value == -assured([[-exact[i][j] for i in rows] for j in columns], two)
    return value, one, two


def assured(payoffs: Sequence[Sequence[Any]], plan: Sequence[Any]) -> Fraction:
    """What a plan of the rows wins at least."""
    exact = [Fraction(chance) for chance in plan]
    return min(
        sum((chance * Fraction(row[j]) for chance, row in zip(exact, payoffs, strict=True)), Fraction(0))
        for j in range(len(payoffs[0]))
    )


def strategic_form(form: Any) -> list[list[Fraction]]:
    """What every pair of pure plans of a compiled game is worth."""
    start, column, entry, _ = form.payoffs
    entries = [
        (row, int(column[at]), Fraction(float(entry[at])))
        for row in range(len(start) - 1)
        for at in range(start[row], start[row + 1])
    ]
    ones, twos = (pure_plans(treeplex) for treeplex in form.treeplexes)
    return [[sum((a for i, j, a in entries if i in one and j in two), Fraction(0)) for two in twos] for one in ones]


def pure_plans(treeplex: Any) -> list[frozenset[int]]:
    """The sequences that each pure strategy takes, each set once."""
    infosets = range(len(treeplex.infosets))
    found = set()
    for choice in product(*(treeplex.of(infoset).tolist() for infoset in infosets)):
        taken = {0}
        for infoset in infosets:
            if int(treeplex.tree.parent[infoset]) in taken:
                taken.add(choice[infoset])
        found.add(frozenset(taken))
    return sorted(found, key=sorted)
