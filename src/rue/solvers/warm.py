"""Start a run from a strategy instead of from uniform play.

The regret that a run starts with is, at every infoset I,

    R[I, a] = weight * C[I] M[I] * sigma[I, a]

sigma is the given strategy; C[I] M[I] bounds the values that an iteration can see at I, whatever both players do
(`rue.forms.bounds`), and 1 stands in where it is 0. Regret matching draws sigma from it, so iteration 1 plays the given
strategy; under temperature matching with exponent p the regret is proportional to sigma^(1/p) instead. Nothing else
changes: the average starts empty and iteration 1 counts as the first.

It still converges. Regret matching keeps, with Delta the range of an iteration's values at I and A actions,

    sum over a of R^T[I, a]+^2  <=  |R^0[I]|^2 + T Delta^2 A

for any start R^0 (Zinkevich et al. 2007 have R^0 = 0), and the regret of the T iterations alone is at most R^T because
R^0 is not negative. Divided by T it vanishes like sqrt(|R^0|^2 + T Delta^2 A) / T. Discounts only lower what is kept of
R^0.

The weight says how far the start is trusted: the larger it is, the longer the strategy is stayed near, and the longer
it takes to leave a poor one. This is not the warm start of Brown and Sandholm (AAAI 2016): their substitute regrets let
a run go on as if it had made many iterations, but the next one does not play the strategy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Custom, ExponentialMatching, RegretMatching
from rue.errors import RueError
from rue.forms.bounds import largest_values
from rue.forms.public_tree import PublicTree
from rue.regret.update import EXPONENT
from rue.solvers import walk
from rue.solvers.public_solver import PublicSolver
from rue.solvers.public_steps import hand_chances, largest_amounts
from rue.solvers.solver import Solver

WEIGHT = 1.0


@dataclass(frozen=True, eq=False)
class Warm:
    """A start: numbers for every action of both players, in the order of the form; divided by their sum at an infoset
    they are its strategy."""

    source: str
    strategies: tuple[Any, Any]
    weight: float = WEIGHT


def check_weight(weight: float) -> None:
    """Refuse a weight that is none."""
    if isinstance(weight, bool) or not (math.isfinite(weight) and weight > 0.0):
        raise RueError(f"the weight of a start must be a number above 0, not {weight}")


def check_warm(algorithm: Algorithm | None) -> None:
    """Refuse what no strategy can be put into."""
    name = "lp" if algorithm is None else algorithm.name
    if algorithm is None:
        raise RueError(f"{name} starts from nothing: a start goes with algorithms that iterate, like dcfr")
    if algorithm.sampling is not None:
        raise RueError(f"{name} samples, and a start goes with algorithms that walk every history, like dcfr")
    matching = isinstance(algorithm.match, RegretMatching | ExponentialMatching)
    if not matching or isinstance(algorithm.accumulate, Custom):
        raise RueError(f"{name} does not match regret: a start goes with regret matching, as in cfr+, dcfr and pcfr+")


def warm_up_from(solver: Solver, start: Warm) -> None:
    """Give a solver that has not iterated the regret of a start; its next iteration plays the strategy."""
    check_warm(solver.algorithm)
    check_weight(start.weight)
    first = solver.algorithm.coefficients(1, 1, solver.horizon)[0]
    bounds = largest_values(solver.form)
    for player, (treeplex, learner) in enumerate(zip(solver.form.treeplexes, solver._learners, strict=True)):
        stake = np.where(bounds[player] > 0.0, bounds[player], 1.0)[treeplex.owner[1:]]
        sigma = treeplex.strategy(start.strategies[player])[1:]
        learner.regret[1:] = start.weight * stake * sigma ** (1.0 / first[EXPONENT])
        walk.start(treeplex.tree, learner, solver._rule, first)


def warm_up_public(solver: PublicSolver, start: Warm) -> None:
    """The same on a card game in public form; the numbers of the start are in the order of its store."""
    check_warm(solver.algorithm)
    check_weight(start.weight)
    power = 1.0 / solver.algorithm.coefficients(1, 1, solver.horizon)[0, EXPONENT]
    for player, at, bounds in _decisions(solver.form):
        store = solver._stores[player]
        mass = np.asarray(start.strategies[player][at], dtype=np.float64).reshape(-1, len(bounds))
        total = mass.sum(axis=0)
        sigma = np.where(total > 0.0, mass / np.where(total > 0.0, total, 1.0), 1.0 / len(mass))
        store.regret[at] = (start.weight * bounds * sigma**power).ravel()
        if len(store.strategy):
            store.strategy[at] = sigma.ravel()


def _decisions(tree: PublicTree) -> Iterator[tuple[int, slice, Any]]:
    """Every decision of every place: its player, its part of the store, and C M of each hand."""
    chances = hand_chances(tree)
    for decision, amount in zip(tree.decisions(), largest_amounts(tree), strict=True):
        stake = chances[tree.hands_at(decision.place, decision.player)] * amount
        yield decision.player, decision.at, np.where(stake > 0.0, stake, 1.0)
