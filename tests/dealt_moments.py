"""What sampled walks add to regret and average: their means over many walks, against the exact numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.algorithms.choices import Algorithm
from rue.forms.public_tree import PublicTree
from rue.solve.dealt_solver import DealtSolver
from rue.solve.public_solver import PublicSolver

OFTEN = 40
"""Walks that must have met a number for its mean to be about normal."""
ROUNDING = 1e-9
"""Less than this is no change."""


def spread_regrets(tree: PublicTree, seed: int) -> list[Any]:
    """Regrets in the order of the public form that give every kind of strategy: pure, mixed and uniform."""
    random = np.random.default_rng(seed)
    return [np.round(random.normal(0.3, 1.0, size), 1) for size in tree.store]


def exact_changes(tree: PublicTree, regrets: list[Any]) -> tuple[list[Any], list[Any]]:
    """The counterfactual regrets and the averages that one full traversal adds, both players at once."""
    solver = PublicSolver(tree, Algorithm("cfr", order="simultaneous"), 1, 1, np.float64)
    for store, regret in zip(solver._stores, regrets, strict=True):
        store.regret[:] = regret
    solver.run(1)
    learnt = [store.regret - regret for store, regret in zip(solver._stores, regrets, strict=True)]
    return learnt, [store.average.copy() for store in solver._stores]


def members(tree: PublicTree) -> list[Any]:
    """For each number of the store: how many ways to deal the board it belongs to are stored as this one."""
    counts = {id(tree.board): 1}
    for board in tree.boards:
        for child in board.children:
            counts[id(child)] = counts[id(board)] * len(child.sources)
    return [per_board(tree, player, [counts[id(board)] for board in tree.boards]) for player in (0, 1)]


def per_board(tree: PublicTree, player: int, numbers: list[Any]) -> Any:
    """A number of each board, for each number of a player's store."""
    form = tree.form
    found = np.zeros(tree.store[player])
    for bundle, board, *starts in form.places[:, :4]:
        size = (form.bundles[bundle, player] - form.bundles[bundle, 8]) * form.boards[board, 2 * player + 1]
        found[starts[player] : starts[player] + size] = numbers[board]
    return found


def set_regrets(solver: DealtSolver, regrets: list[Any]) -> None:
    """Give the table of a sampled run the regrets of the public form's order."""
    order = solver.arranged(np.arange(len(solver.table.regret), dtype=np.float64))
    for where, regret in zip(order, regrets, strict=True):
        solver.table.regret[where.astype(np.int64)] = regret


def sampled_changes(solver: DealtSolver, player: int, walks: int) -> tuple[list[Any], list[Any]]:
    """Per number of each player's store, from walks for a player that all start alike: means, standard errors and how
    often it changed; first of regret, then of average."""
    table, start = solver.table, solver.table.regret.copy()
    sums = np.zeros((2, 3, len(start)))
    for _ in range(walks):
        table.average[:] = 0.0
        solver.walk(player)
        for kind, change in enumerate((table.regret - start, table.average)):
            sums[kind, 0] += change
            sums[kind, 1] += change**2
            sums[kind, 2] += np.abs(change) > ROUNDING
        table.regret[:] = start
    found: list[list[Any]] = []
    for total, square, often in sums:
        mean = total / walks
        error = np.sqrt(np.maximum(square / walks - mean**2, 0.0) / walks)
        found.append([np.stack(each) for each in zip(*(solver.arranged(x) for x in (mean, error, often)), strict=True)])
    return found[0], found[1]


def scores(found: Any, exact: Any) -> Any:
    """(mean - exact) / standard error, of the numbers that were met often."""
    mean, error, often = found
    kept = (often >= OFTEN) & (error > ROUNDING)
    return (mean[kept] - exact[kept]) / error[kept]
