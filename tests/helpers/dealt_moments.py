"""What sampled walks add to regret and average: their means over many walks, against the exact numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from compiled_kernels import jitted
from walk_moments import ROUNDING, moments, nothing_yet
from walk_moments import note as notes
from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.rounds import find_disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sampling.deal_solver import DealSampler
from zerosum.engine.solver import MAX_COUNT

note = jitted(notes)

OFTEN = 40
"""Walks that must have met a number for its mean to be about normal."""


def spread_regrets(tree: PublicTree, seed: int) -> list[Any]:
    """Regrets in the order of the public form that give every kind of strategy: pure, mixed and uniform."""
    random = np.random.default_rng(seed)
    return [np.round(random.normal(0.3, 1.0, size), 1) for size in tree.store_sizes]


def exact_changes(tree: PublicTree, regrets: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the counterfactual regrets and the averages that one full traversal adds, for both players at once."""
    solver = PublicSolver(tree, Algorithm("cfr", order="simultaneous"), 1, 1, np.float64)
    for store, regret in zip(solver.stores, regrets, strict=True):
        store.regret[:] = regret
    solver.run(1)
    learnt = [store.regret - regret for store, regret in zip(solver.stores, regrets, strict=True)]
    return learnt, [store.average.copy() for store in solver.stores]


def members(tree: PublicTree) -> list[Any]:
    """Return, for each number of the store, how many equivalent boards are stored as its board."""
    counts = {id(tree.board): 1}
    for board in tree.boards:
        for child in board.children:
            counts[id(child)] = counts[id(board)] * len(child.sources)
    ones = [[np.full(len(hands), counts[id(board)]) for hands in board.hands] for board in tree.boards]
    return [_spread_label_heights(tree, player, ones) for player in (0, 1)]


def met(tree: PublicTree) -> list[Any]:
    """For each number of the store: the weight of the opponent's hands that its hand can meet on its board."""
    solver = PublicSolver(tree, Algorithm("cfr"), 1, 1)
    place_of = {id(tree.get_board(place)): place for place in range(len(tree.tables.places))}
    weights = [[solver.weights_at(place_of[id(board)], player) for player in (0, 1)] for board in tree.boards]
    masses = [
        [find_disjoint_hands(board.cards[player], board.cards[1 - player]) @ both[1 - player] for player in (0, 1)]
        for board, both in zip(tree.boards, weights, strict=True)
    ]
    return [_spread_label_heights(tree, player, masses) for player in (0, 1)]


def _spread_label_heights(tree: PublicTree, player: int, numbers: list[Any]) -> Any:
    """Spread one number per hand of each board over the store of a player."""
    numbers_of_store = np.zeros(tree.store_sizes[player])
    number_of = {id(board): number for number, board in enumerate(tree.boards)}
    for place in range(len(tree.tables.places)):
        values = numbers[number_of[id(tree.get_board(place))]][player]
        numbers_of_store[tree.slice_place(place, player)].reshape(-1, len(values))[:] = values
    return numbers_of_store


def places_in_table(solver: DealSampler) -> Any:
    """The place in the table of each number of the first player's store, then of the second's."""
    return np.concatenate(solver.arrange_in_public_order(np.arange(len(solver.table.regret)))).astype(np.int64)


def set_regrets(solver: DealSampler, regrets: list[Any]) -> list[Any]:
    """Set regrets given in the order of the public form; return them with equivalent hands merged."""
    solver.table.regret[places_in_table(solver)] = np.concatenate(regrets)
    return list(solver.arrange_in_public_order(solver.table.regret))


def expected(solver: DealSampler, exact: list[Any]) -> Any:
    """Return the mean change of each number of the table by a walk, from the exact changes of the store."""
    means = np.zeros(len(solver.table.regret))
    np.add.at(means, places_in_table(solver), np.concatenate(exact))
    return means


def sampled_changes(solver: DealSampler, player: int, walks: int) -> Any:
    """From walks for a player that all start alike: mean, standard error and how often it changed, for each number of
    the table; first of regret, then of average."""
    table, start, zero = solver.table, solver.table.regret.copy(), np.zeros(len(solver.table.average))
    sums = nothing_yet(len(start)), nothing_yet(len(start))
    table.average[:] = 0.0
    for _ in range(walks):
        solver.run_walks(player, 1, MAX_COUNT)
        note(table.regret, start, sums[0])
        note(table.average, zero, sums[1])
    return [moments(total, walks) for total in sums]


def scores(sample: Any, exact: Any) -> Any:
    """Return (mean - exact) / standard error of the numbers that walks reached often enough."""
    mean, error, often = sample
    usable = (often >= OFTEN) & (error > ROUNDING)
    return (mean[usable] - exact[usable]) / error[usable]
