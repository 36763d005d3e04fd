"""The step size of every infoset, for Hedge and FTRL."""

from __future__ import annotations

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import Anytime, Projection, Theory
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex


def step_sizes(algorithm: Algorithm, form: SequenceForm, player: int, n: int) -> Floats:
    """Return a factor for each infoset of a player; the kernels multiply it by the factor of the iteration.

    Losses are scaled by the largest that an infoset can see (`zerosum.engine.forms.sequence.value_bounds`), so that
    theoretical steps see losses with a dual norm of at most 1/3; if the steps have a unit, by the unit and the
    probability of reaching the infoset.
    """
    steps, treeplex = algorithm.steps, form.treeplexes[player]
    actions = np.array([len(choice) for choice in treeplex.actions], dtype=np.float64)
    if not isinstance(steps, Anytime | Theory):
        return np.ones(len(actions))
    from zerosum.engine.forms.sequence.value_bounds import reach_and_payoff_bounds

    chance, amount = (both[player] for both in reach_and_payoff_bounds(form))
    bounds = chance * amount
    largest = np.where(bounds > 0.0, bounds, 1.0)
    if isinstance(steps, Anytime):
        return np.asarray(np.sqrt(8.0 * np.log(actions)) / (2.0 * largest))
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    kappa = n**-0.25 if steps.kappa is None else steps.kappa
    factor = 1.0 if steps.factor is None else steps.factor
    if steps.unit is not None:
        return np.asarray(factor * stability(treeplex, kappa) / (steps.unit * np.where(chance > 0.0, chance, 1.0)))
    return np.asarray(factor * stability(treeplex, kappa) / (3.0 * norm * largest))


def stability(treeplex: Treeplex, kappa: float) -> Floats:
    """Return the stability kappa_j = gamma_j / (2 sqrt(n_j) B_j) of each infoset (spcfr eq. 14 to 16).

    Going down, gamma starts at kappa; below a decision with n actions it is divided by 2 sqrt(n), below an
    observation with n outcomes by sqrt(n). B_j^2 = 1 + the largest B_k^2 below, B_k^2 = the sum of the B_j^2 below.
    With these, plans move by at most kappa an iteration when losses have a norm of at most 1/3.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> stability(compile_game(create_game("rps")).treeplexes[0], 0.1)
    array([0.02886751])
    """
    tree = treeplex.tree
    below = np.zeros(treeplex.sequences)
    squared = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks[::-1]:
        block = slice(infoset, infoset + width)
        squared[block] = 1.0 + below[start : start + actions * width].reshape(actions, width).max(axis=0)
        np.add.at(below, tree.parent[block], squared[block])
    outcomes = np.bincount(tree.parent, minlength=treeplex.sequences)
    gamma = np.zeros(len(tree.parent))
    observation = np.full(treeplex.sequences, float(kappa))
    number = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks:
        block = slice(infoset, infoset + width)
        gamma[block] = observation[tree.parent[block]] / np.sqrt(outcomes[tree.parent[block]])
        observation[start : start + actions * width] = np.tile(gamma[block] / (2.0 * np.sqrt(actions)), actions)
        number[block] = actions
    return gamma / (2.0 * np.sqrt(number) * np.sqrt(squared))
