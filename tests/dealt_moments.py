"""What sampled walks add to regret and average: their means over many walks, against the exact numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitted import jitted
from rue.algorithms.algorithm import Algorithm
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import disjoint
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_solver import PublicSolver
from walk_moments import ROUNDING, moments, nothing_yet
from walk_moments import note as notes

note = jitted(notes)

OFTEN = 40
"""Walks that must have met a number for its mean to be about normal."""


def spread_regrets(tree: PublicTree, seed: int) -> list[Any]:
    """Regrets in the order of the public form that give every kind of strategy: pure, mixed and uniform."""
    random = np.random.default_rng(seed)
    return [np.round(random.normal(0.3, 1.0, size), 1) for size in tree.store]


def exact_changes(tree: PublicTree, regrets: list[Any]) -> tuple[list[Any], list[Any]]:
    """The counterfactual regrets and the averages that one full traversal adds, both players at once."""
    solver = PublicSolver(tree, Algorithm("cfr", order="simultaneous"), 1, 1, np.float64)
    for store, regret in zip(solver.stores, regrets, strict=True):
        store.regret[:] = regret
    solver.run(1)
    learnt = [store.regret - regret for store, regret in zip(solver.stores, regrets, strict=True)]
    return learnt, [store.average.copy() for store in solver.stores]


def members(tree: PublicTree) -> list[Any]:
    """For each number of the store: how many ways to deal the board it belongs to are stored as this one."""
    counts = {id(tree.board): 1}
    for board in tree.boards:
        for child in board.children:
            counts[id(child)] = counts[id(board)] * len(child.sources)
    ones = [[np.full(len(hands), counts[id(board)]) for hands in board.hands] for board in tree.boards]
    return [_spread(tree, player, ones) for player in (0, 1)]


def met(tree: PublicTree) -> list[Any]:
    """For each number of the store: the weight of the opponent's hands that its hand can meet on its board."""
    solver = PublicSolver(tree, Algorithm("cfr"), 1, 1)
    place_of = {id(tree.board_at(place)): place for place in range(len(tree.form.places))}
    weights = [[solver.own(place_of[id(board)], player) for player in (0, 1)] for board in tree.boards]
    found = [
        [disjoint(board.cards[player], board.cards[1 - player]) @ both[1 - player] for player in (0, 1)]
        for board, both in zip(tree.boards, weights, strict=True)
    ]
    return [_spread(tree, player, found) for player in (0, 1)]


def _spread(tree: PublicTree, player: int, numbers: list[Any]) -> Any:
    """A number of each hand of each board, for each number of a player's store."""
    found = np.zeros(tree.store[player])
    number_of = {id(board): number for number, board in enumerate(tree.boards)}
    for place in range(len(tree.form.places)):
        own = numbers[number_of[id(tree.board_at(place))]][player]
        found[tree.span(place, player)].reshape(-1, len(own))[:] = own
    return found


def places_in_table(solver: DealtSolver) -> Any:
    """The place in the table of each number of the first player's store, then of the second's."""
    return np.concatenate(solver.arranged(np.arange(len(solver.table.regret)))).astype(np.int64)


def set_regrets(solver: DealtSolver, regrets: list[Any]) -> list[Any]:
    """Give a table regrets of the public form's order; returns them with hands that are alike made equal."""
    solver.table.regret[places_in_table(solver)] = np.concatenate(regrets)
    return list(solver.arranged(solver.table.regret))


def expected(solver: DealtSolver, exact: list[Any]) -> Any:
    """What a walk adds to each number of the table on average, from what is exact for each number of the store."""
    found = np.zeros(len(solver.table.regret))
    np.add.at(found, places_in_table(solver), np.concatenate(exact))
    return found


def sampled_changes(solver: DealtSolver, player: int, walks: int) -> Any:
    """From walks for a player that all start alike: mean, standard error and how often it changed, for each number of
    the table; first of regret, then of average."""
    table, start, zero = solver.table, solver.table.regret.copy(), np.zeros(len(solver.table.average))
    found = nothing_yet(len(start)), nothing_yet(len(start))
    table.average[:] = 0.0
    for _ in range(walks):
        solver.walk(player)
        note(table.regret, start, found[0])
        note(table.average, zero, found[1])
    return [moments(each, walks) for each in found]


def scores(found: Any, exact: Any) -> Any:
    """(mean - exact) / standard error, of the numbers that were met often."""
    mean, error, often = found
    kept = (often >= OFTEN) & (error > ROUNDING)
    return (mean[kept] - exact[kept]) / error[kept]
